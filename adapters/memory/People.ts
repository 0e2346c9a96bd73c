import type { Call } from "../../core/model/calls/Call.ts"
import { RawJson } from "../../core/model/json/RawJson.ts"
import { erasedBody } from "../../core/model/people/Person.ts"
import type { KeptCall, PeopleRows } from "../../core/ports/PeopleRows.ts"
import { unindex } from "./Recipients.ts"
import { byText } from "./SortedSet.ts"
import type { Store } from "./Store.ts"
import { take } from "./Table.ts"

const placeOf = ({ call_id, created_at, to_number }: Call): KeptCall => ({
  last_digits: to_number.slice(-4),
  created_at,
  call_id
})

const byPlace = (left: KeptCall, right: KeptCall): number =>
  byText(left.last_digits, right.last_digits) ||
  left.created_at - right.created_at ||
  byText(left.call_id, right.call_id)

export const people = ({ read, undo }: Store): PeopleRows => ({
  /** All of them at once: a search in memory holds nothing up. */
  calls: (workspace_id, phone_number) =>
    undo.verb(() => ({
      found: Array.from(read(workspace_id).calls.table.byAge.ascending())
        .filter(({ to_number }) => to_number === phone_number)
        .map(({ call_id }) => call_id),
      next: null
    })),
  keptCalls: (workspace_id, until, after, limit) =>
    undo.verb(() =>
      Array.from(read(workspace_id).calls.table.byAge.ascending())
        .filter(
          ({ completed_at, phase, to_number }) =>
            to_number !== "" && phase === "done" && completed_at !== null && completed_at <= until
        )
        .map(placeOf)
        .toSorted(byPlace)
        .filter((place) => after === null || byPlace(place, after) > 0)
        .slice(0, limit)
    ),
  recipients: (workspace_id, phone_number) =>
    undo.verb(() => {
      const { campaigns, lists } = read(workspace_id)
      return Array.from(campaigns.table.byAge.ascending())
        .map(({ id }) => lists.read(id).byNumber.find((other) => byText(other.phone_number, phone_number)))
        .filter((recipient) => recipient !== undefined)
        .toSorted((left, right) => byText(left.id, right.id))
    }),
  eraseCall: (workspace_id, call_id) =>
    undo.verb(() => {
      const { indexed, table } = read(workspace_id).calls
      const call = table.get(call_id)
      if (call === undefined) return
      const values = Array.from(indexed.byAge.ascending()).filter((value) => value.call_id === call_id)
      for (const { name } of values) indexed.delete(`${call_id} ${name}`)
      table.set({
        ...call,
        to_number: "",
        callee_name: null,
        custom_variables: null,
        smart_formatter: null,
        metadata: null,
        idempotency_key: null
      })
    }),
  eraseRecipient: ({ campaign_id, customer_id, id }) =>
    undo.verb(() => {
      const list = read(customer_id).lists.read(campaign_id)
      const { recipients: table } = list
      const recipient = table.get(id)
      if (recipient === undefined) return
      unindex(list, id)
      table.set({
        ...recipient,
        phone_number: "",
        variables: RawJson("{}"),
        review: null,
        last_customer_message: null,
        last_customer_message_at: null
      })
    }),
  eraseEvents: (workspace_id, call_ids, after, limit) =>
    undo.verb(() => {
      const { events } = read(workspace_id)
      const rows = take(
        events.byAge.ascending(({ id }) => (id > after ? 0 : -1)),
        limit
      )
      for (const event of rows) {
        if (call_ids.has(event.subject_id)) {
          events.set({ ...event, body: erasedBody(event.id, event.event_type) })
        }
      }
      return rows.length < limit ? null : rows.at(-1)!.id
    })
})
