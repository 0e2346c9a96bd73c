import { Cause, Context, Effect, Layer } from "effect"
import { CurrentOperation, makeNoting, type Operation } from "../engine/Noting.ts"
import type { Page, PageRequest } from "../model/Page.ts"
import type { AuditEntry } from "../model/workspaces/Audit.ts"
import type { AuditFilter } from "../ports/AuditRows.ts"
import { Ids } from "../ports/Ids.ts"
import { Repository } from "../ports/Repository.ts"

const make = Effect.gen(function* () {
  const { audit } = yield* Repository
  const ids = yield* Ids
  const { note } = yield* makeNoting

  const carryOut: AuditLogShape["carryOut"] = Effect.fnUntraced(function* (operation, work, isDone) {
    const unchanged = Effect.catchAllCause(note(), (cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.interrupt
        : Effect.annotateLogs(
            Effect.logError("an operation that changed nothing could not be noted in the audit log", cause),
            { operation: operation.name }
          )
    )
    const noted = Effect.tap(work, (done) => (isDone(done) ? unchanged : Effect.void))
    return yield* Effect.provideService(noted, CurrentOperation, {
      ...operation,
      id: yield* ids.make("aud")
    })
  })

  return AuditLog.of({ carryOut, list: audit.list })
})

export interface AuditLogShape {
  /**
   * Carries an operation out: what it changes is noted in the units that change it, or at its end when it has changed
   * nothing. `isDone` tells whether it was carried out.
   */
  readonly carryOut: <A, E, R>(
    operation: Omit<Operation, "id">,
    work: Effect.Effect<A, E, R>,
    isDone: (answer: A) => boolean
  ) => Effect.Effect<A, E, R>
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
