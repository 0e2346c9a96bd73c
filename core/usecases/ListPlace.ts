import { Effect } from "effect"
import { InvalidInput } from "../model/InvalidInput.ts"
import type { PageRequest } from "../model/Page.ts"

/** Fails when a slice is to begin at an item that there is not. Of lists whose ids alone do not tell a place. */
export const known = (
  { after, before }: PageRequest,
  what: string,
  exists: (id: string) => Effect.Effect<boolean>
): Effect.Effect<void, InvalidInput> => {
  const id = after ?? before
  if (id === undefined) return Effect.void
  const field = after === undefined ? "before" : "after"
  return Effect.flatMap(exists(id), (found) =>
    found ? Effect.void : new InvalidInput({ reason: `${field} must be ${what}`, field })
  )
}
