import { Effect } from "effect"
import { Repository } from "../../../core/ports/Repository.ts"
import { all } from "../command/Pages.ts"
import { broken, count, type Finding, ok, some, warning } from "./Finding.ts"

/** A number that a workspace calls or writes from. */
export interface CallerNumber {
  readonly workspace_id: string
  /** E.164. */
  readonly number: string
}

/** The numbers of all workspaces of the store. */
export const callerNumbers: Effect.Effect<ReadonlyArray<CallerNumber>, never, Repository> = Effect.gen(
  function* () {
    const { phoneNumbers, workspaces } = yield* Repository
    const found = yield* Effect.forEach(yield* all(workspaces.list), ({ id }) =>
      all((page) => phoneNumbers.list(id, page))
    )
    return found.flat().map(({ customer_id, number }) => ({ workspace_id: customer_id, number }))
  }
)

/** Whether the numbers of the workspaces are those of a provider's account. Nothing when there are none. */
export const checkOwned = (
  check: string,
  account: string,
  numbers: ReadonlyArray<CallerNumber>,
  isOwned: (number: string) => boolean
): ReadonlyArray<Finding> => {
  const foreign = numbers.filter(({ number }) => !isOwned(number))
  if (numbers.length === 0) return []
  const names = some(foreign.map(({ number, workspace_id }) => `${number} of ${workspace_id}`))
  const all = count(numbers.length, "phone number")
  if (foreign.length === 0) return [ok(check, `${account} has the ${all} of the workspaces`)]
  return foreign.length === numbers.length
    ? [broken(check, `${account} has none of the ${all} of the workspaces: ${names}`)]
    : [warning(check, `${account} does not have ${names}: nothing can go out from there`)]
}
