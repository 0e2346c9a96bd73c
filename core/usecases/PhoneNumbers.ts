import { Clock, Context, Effect, Layer, Option } from "effect"
import { makeNoting } from "../engine/Noting.ts"
import type { PhoneNumber } from "../model/numbers/PhoneNumber.ts"
import {
  PhoneNumberInUse,
  PhoneNumberNotFound,
  PhoneNumberTaken
} from "../model/numbers/PhoneNumberErrors.ts"
import type { Page, PageRequest } from "../model/Page.ts"
import { Ids } from "../ports/Ids.ts"
import { Repository } from "../ports/Repository.ts"

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const ids = yield* Ids
  const { noted } = yield* makeNoting

  const add: PhoneNumbersShape["add"] = Effect.fn("PhoneNumbers.add")(function* (workspace_id, draft) {
    const phoneNumber: PhoneNumber = {
      id: yield* ids.make("pn"),
      customer_id: workspace_id,
      number: draft.number,
      label: draft.label,
      created_at: yield* Clock.currentTimeMillis
    }
    const added = Effect.filterOrFail(
      repository.phoneNumbers.insert(phoneNumber),
      (isNew) => isNew,
      () => new PhoneNumberTaken()
    )
    yield* noted(workspace_id, added, () => phoneNumber.id)
    return phoneNumber
  })

  const get: PhoneNumbersShape["get"] = Effect.fn("PhoneNumbers.get")(
    function* (workspace_id, phone_number_id) {
      const found = yield* repository.phoneNumbers.get(workspace_id, phone_number_id)
      return Option.isSome(found) ? found.value : yield* new PhoneNumberNotFound({ phone_number_id })
    }
  )

  const update: PhoneNumbersShape["update"] = Effect.fn("PhoneNumbers.update")(
    (workspace_id, phone_number_id, { label }) =>
      noted(
        workspace_id,
        Effect.gen(function* () {
          const changed = { ...(yield* get(workspace_id, phone_number_id)), label }
          yield* repository.phoneNumbers.update(changed)
          return changed
        })
      )
  )

  /** The id of a running campaign that dials from the number; null when there is none. */
  const userOf = Effect.fnUntraced(function* (workspace_id: string, phone_number_id: string) {
    const limit = 100
    for (let offset = 0; ; offset += limit) {
      const running = { status: "running" } as const
      const { data, total } = yield* repository.campaigns.list(workspace_id, running, { limit, offset })
      const user = data.find(({ campaign }) => campaign.from_phone_number_id === phone_number_id)
      if (user !== undefined) return user.campaign.id
      if (offset + limit >= total) return null
    }
  })

  const take = Effect.fnUntraced(function* (workspace_id: string, phone_number_id: string) {
    const campaign_id = yield* userOf(workspace_id, phone_number_id)
    if (campaign_id !== null) return yield* new PhoneNumberInUse({ campaign_id })
    const removed = yield* repository.phoneNumbers.remove(workspace_id, phone_number_id)
    if (!removed) return yield* new PhoneNumberNotFound({ phone_number_id })
  })

  const remove: PhoneNumbersShape["remove"] = Effect.fn("PhoneNumbers.remove")(
    (workspace_id, phone_number_id) => noted(workspace_id, take(workspace_id, phone_number_id))
  )

  return PhoneNumbers.of({ add, get, update, remove, list: repository.phoneNumbers.list })
})

export interface PhoneNumbersShape {
  readonly add: (
    workspace_id: string,
    draft: Pick<PhoneNumber, "number" | "label">
  ) => Effect.Effect<PhoneNumber, PhoneNumberTaken>
  readonly list: (workspace_id: string, page: PageRequest) => Effect.Effect<Page<PhoneNumber>>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<PhoneNumber, PhoneNumberNotFound>
  readonly update: (
    workspace_id: string,
    id: string,
    change: Pick<PhoneNumber, "label">
  ) => Effect.Effect<PhoneNumber, PhoneNumberNotFound>
  /** Calls that were to be dialled from it fail at dial time; a number of a running campaign stays. */
  readonly remove: (
    workspace_id: string,
    id: string
  ) => Effect.Effect<void, PhoneNumberNotFound | PhoneNumberInUse>
}

/** The workspace's own numbers: what its calls are dialled from. */
export class PhoneNumbers extends Context.Tag("outdial/PhoneNumbers")<PhoneNumbers, PhoneNumbersShape>() {
  static readonly layer = Layer.effect(this, make)
}
