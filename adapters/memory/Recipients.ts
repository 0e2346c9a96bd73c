import { Option } from "effect"
import type { Recipient } from "../../core/model/campaigns/Recipient.ts"
import {
  type RecipientValue,
  type ValueKind,
  wantedValues
} from "../../core/model/campaigns/RecipientValues.ts"
import type { RecipientRows } from "../../core/ports/RecipientRows.ts"
import { openOf } from "./OpenRecipients.ts"
import { byText } from "./SortedSet.ts"
import type { Store } from "./Store.ts"
import { take, withFixed } from "./Table.ts"
import type { TenantTables } from "./TenantTables.ts"

/** What an update leaves as it is. */
const fixed = [
  "phone_number",
  "timezone",
  "variables",
  "last_customer_message_at",
  "last_customer_message",
  "created_at"
] as const

/** Recipients wait in queues, one for each timezone; those of none of their own in the first. */
const queueOf = ({ timezone }: { readonly timezone: string | null }): string => timezone ?? ""

const kinds: ReadonlyArray<ValueKind> = ["variables", "review"]

type List = ReturnType<TenantTables["lists"]["read"]>

/** Takes away what a recipient is found by. */
export const unindex = ({ values }: List, id: string): void => {
  for (const kind of kinds) values.delete(`${id} ${kind}`)
}

const removeFrom = (list: List, id: string): void => {
  unindex(list, id)
  list.recipients.delete(id)
}

export const recipients = ({ undo, read, write }: Store): RecipientRows => {
  const listOf = (workspace_id: string, campaign_id: string) => read(workspace_id).lists.read(campaign_id)

  return {
    insert: (entries) =>
      undo.verb(() =>
        entries.map((recipient) => {
          const list = write(recipient.customer_id).lists.write(recipient.campaign_id)
          const holder = list.byNumber.find((other) => byText(other.phone_number, recipient.phone_number))
          if (holder === undefined) list.recipients.insert(recipient)
          return holder === undefined ? null : holder.id
        })
      ),
    get: (workspace_id, campaign_id, id) =>
      undo.verb(() => Option.fromNullable(listOf(workspace_id, campaign_id).recipients.get(id))),
    many: (workspace_id, campaign_id, ids) =>
      undo.verb(() => {
        const { recipients } = listOf(workspace_id, campaign_id)
        return ids.flatMap((id) => recipients.get(id) ?? [])
      }),
    list: (workspace_id, campaign_id, { phone_number, status, ...filter }, page, total) =>
      undo.verb(() => {
        const { recipients, values } = listOf(workspace_id, campaign_id)
        const wanted = wantedValues(filter)
        const hasValue = (id: string, [name, value]: RecipientValue) =>
          kinds.some((kind) => values.get(`${id} ${kind}`)?.values.get(name) === value)
        const found = recipients.page(
          page,
          status === undefined && phone_number === undefined && wanted.length === 0
            ? undefined
            : (recipient) =>
                (status === undefined || recipient.status === status) &&
                (phone_number === undefined || recipient.phone_number.endsWith(phone_number)) &&
                wanted.every((each) => hasValue(recipient.id, each))
        )
        return total === undefined ? found : { ...found, total }
      }),
    index: ({ campaign_id, customer_id, id }, kind, entries) =>
      undo.verb(() => {
        const { values } = listOf(customer_id, campaign_id)
        if (entries.length > 0) values.set({ id, kind, values: new Map(entries) })
        else values.delete(`${id} ${kind}`)
      }),
    after: (workspace_id, campaign_id, after, limit) =>
      undo.verb(() => {
        const { byAge } = listOf(workspace_id, campaign_id).recipients
        return take(
          byAge.ascending(({ id }) => (id > after ? 0 : -1)),
          limit
        )
      }),
    pending: (workspace_id, campaign_id, timezone, limit) =>
      undo.verb(() =>
        take(
          listOf(workspace_id, campaign_id).pending.ascending((recipient) =>
            byText(queueOf(recipient), queueOf({ timezone }))
          ),
          limit,
          (recipient) => recipient.timezone === timezone
        )
      ),
    zones: (workspace_id, campaign_id) =>
      undo.verb(() => {
        const { pending } = listOf(workspace_id, campaign_id)
        const zones: Array<string | null> = []
        for (let next = pending.first(); next !== undefined;) {
          const { timezone } = next
          zones.push(timezone)
          next = pending.find((recipient) => (queueOf(recipient) > queueOf({ timezone }) ? 0 : -1))
        }
        return zones
      }),
    open: (workspace_id, campaign_id) => undo.verb(() => openOf(read(workspace_id), campaign_id)),
    update: (...all) =>
      undo.verb(() => {
        for (const recipient of all) {
          const table = listOf(recipient.customer_id, recipient.campaign_id).recipients
          const stored = table.get(recipient.id)
          if (stored !== undefined) table.set(withFixed(stored, recipient, fixed))
        }
      }),
    change: ({ campaign_id, customer_id, id, timezone, updated_at, variables }) =>
      undo.verb(() => {
        const table = listOf(customer_id, campaign_id).recipients
        const stored = table.get(id)
        if (stored !== undefined) table.set({ ...stored, timezone, updated_at, variables })
      }),
    removeOne: (workspace_id, campaign_id, id) =>
      undo.verb(() => removeFrom(listOf(workspace_id, campaign_id), id)),
    heard: (workspace_id, from_phone_number_id, phone_number, at, text) =>
      undo.verb(() => {
        const { campaigns, lists } = read(workspace_id)
        for (const { channel, from_phone_number_id: sender, id } of campaigns.table.byAge.ascending()) {
          if (channel !== "msg" || sender !== from_phone_number_id) continue
          const list = lists.read(id)
          const recipient = list.byNumber.find((other) => byText(other.phone_number, phone_number))
          if (recipient === undefined || recipient.call_id === null) continue
          if ((recipient.last_customer_message_at ?? -Infinity) >= at) continue
          list.recipients.set({
            ...recipient,
            last_customer_message_at: at,
            last_customer_message: text ?? recipient.last_customer_message
          })
        }
      }),
    remove: (workspace_id, campaign_id, limit) =>
      undo.verb(() => {
        const list = listOf(workspace_id, campaign_id)
        const removed = take(list.recipients.byAge.ascending(), limit)
        for (const { id } of removed) removeFrom(list, id)
        return removed.length
      }),
    skip: (workspace_id, campaign_id, at, limit) =>
      undo.verb(() => {
        const list = listOf(workspace_id, campaign_id)
        const skipped: ReadonlyArray<Recipient> = take(list.pending.ascending(), limit)
        for (const recipient of skipped) {
          list.recipients.set({ ...recipient, status: "skipped", updated_at: at })
        }
        return skipped.length
      })
  }
}
