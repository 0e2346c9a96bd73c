import { Clock, Context, Effect, Layer } from "effect"
import { Ids } from "../Ids.ts"
import type { Page, PageRequest } from "../Page.ts"
import { Repository } from "../ports/Repository.ts"
import type { PhoneNumber } from "./PhoneNumber.ts"
import { PhoneNumberNotFound, PhoneNumberTaken } from "./PhoneNumberErrors.ts"

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const ids = yield* Ids

  const add: PhoneNumbersShape["add"] = Effect.fn("PhoneNumbers.add")(function* (workspace_id, draft) {
    const phoneNumber: PhoneNumber = {
      id: yield* ids.make("pn"),
      customer_id: workspace_id,
      number: draft.number,
      label: draft.label,
      created_at: yield* Clock.currentTimeMillis
    }
    const added = yield* repository.transaction(repository.phoneNumbers.insert(phoneNumber))
    return added ? phoneNumber : yield* new PhoneNumberTaken()
  })

  const remove: PhoneNumbersShape["remove"] = Effect.fn("PhoneNumbers.remove")(
    function* (workspace_id, phone_number_id) {
      const removed = yield* repository.transaction(
        repository.phoneNumbers.remove(workspace_id, phone_number_id)
      )
      if (!removed) return yield* new PhoneNumberNotFound({ phone_number_id })
    }
  )

  return PhoneNumbers.of({ add, remove, list: repository.phoneNumbers.list })
})

export interface PhoneNumbersShape {
  readonly add: (
    workspace_id: string,
    draft: Pick<PhoneNumber, "number" | "label">
  ) => Effect.Effect<PhoneNumber, PhoneNumberTaken>
  readonly list: (workspace_id: string, page: PageRequest) => Effect.Effect<Page<PhoneNumber>>
  /** Calls that were to be dialled from it fail at dial time. */
  readonly remove: (workspace_id: string, id: string) => Effect.Effect<void, PhoneNumberNotFound>
}

/** The workspace's own numbers: what its calls are dialled from. */
export class PhoneNumbers extends Context.Tag("outdial/PhoneNumbers")<PhoneNumbers, PhoneNumbersShape>() {
  static readonly layer = Layer.effect(this, make)
}
