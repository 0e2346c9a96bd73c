import { Clock, Context, Effect, Layer } from "effect"
import type { Page, PageRequest } from "../model/Page.ts"
import type { AuditEntry } from "../model/workspaces/Audit.ts"
import type { Principal } from "../model/workspaces/Principal.ts"
import type { AuditFilter } from "../ports/AuditRows.ts"
import { Ids } from "../ports/Ids.ts"
import { Repository } from "../ports/Repository.ts"

const make = Effect.gen(function* () {
  const { audit } = yield* Repository
  const ids = yield* Ids

  const note: AuditLogShape["note"] = Effect.fn("AuditLog.note")(function* (
    { kind, subject, workspace_id },
    operation,
    object_id
  ) {
    yield* audit.append({
      id: yield* ids.make("aud"),
      customer_id: workspace_id,
      actor_kind: kind,
      actor: subject,
      operation,
      object_id,
      created_at: yield* Clock.currentTimeMillis
    })
  })

  return AuditLog.of({ note, list: audit.list })
})

export interface AuditLogShape {
  /** Notes that an operation was carried out for a credential. */
  readonly note: (principal: Principal, operation: string, object_id: string | null) => Effect.Effect<void>
  readonly list: (
    workspace_id: string,
    filter: AuditFilter,
    page: PageRequest
  ) => Effect.Effect<Page<AuditEntry>>
}

/** Who changed what over the REST interface. */
export class AuditLog extends Context.Tag("outdial/AuditLog")<AuditLog, AuditLogShape>() {
  static readonly layer = Layer.effect(this, make)
}
