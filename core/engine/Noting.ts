import { Clock, Context, Effect } from "effect"
import type { Principal } from "../model/workspaces/Principal.ts"
import { Repository } from "../ports/Repository.ts"

/** An operation that is being carried out for a credential. */
export interface Operation {
  /** Of its entry in the audit log. */
  readonly id: string
  readonly name: string
  /** What the request names; null where it names none. */
  readonly object_id: string | null
  /** Null until the credential is known. */
  readonly principal: () => Principal | null
}

/** What the audit log is to tell of the changes that this fiber makes; null where they are not noted. */
export class CurrentOperation extends Context.Reference<CurrentOperation>()("outdial/CurrentOperation", {
  defaultValue: (): Operation | null => null
}) {}

/** Notes who has changed what, in the unit that changes it. */
export const makeNoting = Effect.gen(function* () {
  const { audit, transaction } = yield* Repository

  /** Notes the operation under way. Of an operation that changes several things in turn, the first note stays. */
  const note = Effect.fnUntraced(function* (object_id: string | null = null) {
    const operation = yield* CurrentOperation
    const principal = operation?.principal() ?? null
    if (operation === null || principal === null) return
    yield* audit.append({
      id: operation.id,
      customer_id: principal.workspace_id,
      actor_kind: principal.kind,
      actor: principal.subject,
      operation: operation.name,
      object_id: operation.object_id ?? object_id,
      created_at: yield* Clock.currentTimeMillis
    })
  })

  /** Makes a change in one unit with its note. `idOf` names what was made. */
  const noted = <A, E, R>(
    workspace_id: string,
    change: Effect.Effect<A, E, R>,
    idOf: (changed: A) => string | null = () => null
  ) =>
    transaction(
      workspace_id,
      Effect.tap(change, (changed) => note(idOf(changed)))
    )

  return { note, noted }
})
