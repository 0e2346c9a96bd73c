import { Effect, Option } from "effect"
import type { PhoneNumber } from "../model/numbers/PhoneNumber.ts"
import { NoPhoneNumber, PhoneNumberNotFound } from "../model/numbers/PhoneNumberErrors.ts"
import { Repository } from "../ports/Repository.ts"

/** The number that a workspace dials from: the one named, or its oldest when none is. */
export const makeCallerId = Effect.map(
  Repository,
  ({ phoneNumbers }) =>
    (
      workspace_id: string,
      id: string | null
    ): Effect.Effect<PhoneNumber, NoPhoneNumber | PhoneNumberNotFound> =>
      Effect.flatMap(
        id === null ? phoneNumbers.first(workspace_id) : phoneNumbers.get(workspace_id, id),
        (found) => {
          if (Option.isSome(found)) return Effect.succeed(found.value)
          return Effect.fail(
            id === null ? new NoPhoneNumber() : new PhoneNumberNotFound({ phone_number_id: id })
          )
        }
      )
)
