import { Effect, Option } from "effect"
import { NoPhoneNumber, PhoneNumberNotFound } from "../model/numbers/PhoneNumberErrors.ts"
import { Repository } from "../ports/Repository.ts"

/** The number that a workspace dials from: the one named, or its oldest when none is. */
export const makeCallerId = Effect.map(Repository, ({ phoneNumbers }) =>
  Effect.fnUntraced(function* (workspace_id: string, id: string | null) {
    const found = yield* id === null ? phoneNumbers.first(workspace_id) : phoneNumbers.get(workspace_id, id)
    if (Option.isSome(found)) return found.value
    return yield* id === null
      ? Effect.fail(new NoPhoneNumber())
      : Effect.fail(new PhoneNumberNotFound({ phone_number_id: id }))
  })
)
