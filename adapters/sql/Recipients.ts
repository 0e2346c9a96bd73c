import { Array as Arr, Effect } from "effect"
import type { Recipient } from "../../core/model/campaigns/Recipient.ts"
import {
  type RecipientValue,
  type ValueKind,
  wantedValues
} from "../../core/model/campaigns/RecipientValues.ts"
import type { RecipientFilter, RecipientRows } from "../../core/ports/RecipientRows.ts"
import type { Database, Param } from "./Database.ts"
import { make as makeTotals } from "./KeptTotals.ts"
import { noteChange } from "./ListChanges.ts"
import { open } from "./OpenRecipients.ts"
import {
  asIs,
  assign,
  filtered,
  first,
  insertInto,
  ownersOf,
  pageOf,
  pick,
  readPage,
  readSlice,
  write,
  writeEach
} from "./Statements.ts"

const fixed = ["id", "created_at", "variables"] as const
const heard = "last_customer_message_at"
const message = "last_customer_message"
const mutable = ["status", "call_id", "next_action_at", "updated_at", "outcome", "review"] as const
const columns = [...fixed, ...mutable] as const
const inserted = ["list", "queue", "phone_number", ...columns]

export type RecipientRow = Omit<Recipient, "customer_id" | "campaign_id" | "timezone" | "phone_number"> & {
  readonly queue: string
  readonly phone_number: number
}

/** An E.164 number without its plus: at most fifteen digits, so that it is exact, and half of an index's bytes. */
export const numberOf = (phone_number: string): number => Number(phone_number.slice(1))

const isOfOneCampaign = (left: Recipient, right: Recipient) =>
  left.campaign_id === right.campaign_id && left.customer_id === right.customer_id

/** A recipient of no timezone of its own waits in the queue of that name. */
const queueOf = (timezone: string | null): string => timezone ?? ""
const timezoneOf = (queue: string): string | null => (queue === "" ? null : queue)

/** Spelled out, since spreading a row costs as much as reading it. One that was erased has no number any more. */
export const fromRow =
  (customer_id: string, campaign_id: string) =>
  (row: RecipientRow): Recipient => ({
    id: row.id,
    customer_id,
    campaign_id,
    phone_number: row.phone_number > 0 ? `+${row.phone_number}` : "",
    status: row.status,
    timezone: timezoneOf(row.queue),
    call_id: row.call_id,
    variables: row.variables,
    outcome: row.outcome,
    review: row.review,
    next_action_at: row.next_action_at,
    last_customer_message_at: row.last_customer_message_at,
    last_customer_message: row.last_customer_message,
    created_at: row.created_at,
    updated_at: row.updated_at
  })

export const ofCampaign =
  "list = (select list from recipient_lists where customer_id = ? and campaign_id = ?)"
export const read = [...columns, heard, message, "queue", "phone_number"]
const select = `select ${read.join(", ")} from recipients where ${ofCampaign}`
const pending = `${ofCampaign} and status = 'pending'`

const conditions = {
  status: "status = ?",
  phone_number: "phone_number = ?"
} as const

const paged = {
  table: "recipients",
  key: ["list", "id"],
  columns: read,
  order: "id desc",
  prefix: "rcpt"
} as const

/** No index finds a number by its end: with one, an import of random numbers took 1.4 times the processor time. */
const endsIn = "phone_number % ? = ? and phone_number >= ?"
const endOf = (digits: string): ReadonlyArray<number> => {
  const size = 10 ** digits.length
  // With a zero in front, a number of fewer digits has the same remainder.
  return [size, Number(digits), digits.startsWith("0") ? size : 0]
}

/** Changes of what recipients are found by, and recipients that are removed, are noted so. */
export const changedRecipients = (campaign_id: string) => `recipients ${campaign_id}`

/** The texts and parameters of a list. What has values is found by the first of them. */
export const listOf = (
  workspace_id: string,
  campaign_id: string,
  { phone_number, status, ...filter }: RecipientFilter
) => {
  const isWhole = phone_number?.startsWith("+") === true
  const digits = isWhole ? undefined : phone_number
  const [value, ...others] = wantedValues(filter)
  const { params, where } = filtered(
    [...(value === undefined ? [ofCampaign] : []), ...(digits === undefined ? [] : [endsIn])],
    conditions,
    {
      status,
      phone_number: isWhole ? numberOf(phone_number) : undefined
    }
  )
  const given = [workspace_id, campaign_id]
  const asked = [...(digits === undefined ? [] : endOf(digits)), ...params]
  if (value === undefined) {
    return {
      texts: pageOf({ ...paged, where, scans: digits !== undefined }),
      params: [...given, ...asked]
    }
  }
  const also = others.map(
    () =>
      "exists (select 1 from recipient_values o where o.list = recipient_values.list " +
      "and o.id = recipient_values.id and o.name = ? and o.value = ?)"
  )
  const recipient =
    where === ""
      ? []
      : [
          "exists (select 1 from recipients where recipients.list = recipient_values.list " +
            `and recipients.id = recipient_values.id and ${where})`
        ]
  const all = [ofCampaign, "name = ?", "value = ?", ...also, ...recipient]
  return {
    texts: pageOf({ ...paged, found: "recipient_values", where: all.join(" and ") }),
    params: [...given, ...value, ...others.flat(), ...asked]
  }
}

const isVariable = "substr(name, 1, 10) = 'variables.'"
const ofKind: Readonly<Record<ValueKind, string>> = {
  variables: isVariable,
  review: `not (${isVariable})`
}
/** Takes away what a recipient is found by. */
export const unindex = `delete from recipient_values where ${ofCampaign} and id = ?`

const sql = {
  list: "select list from recipient_lists where customer_id = ? and campaign_id = ?",
  open:
    "insert into recipient_lists (customer_id, campaign_id, list) " +
    "select ?, ?, coalesce(max(list), 0) + 1 from recipient_lists where true on conflict (list) do nothing",
  insert: `${insertInto("recipients", inserted)} on conflict (list, phone_number) do nothing`,
  holder: "select id from recipients where list = ? and phone_number = ?",
  get: `${select} and id = ?`,
  after: `${select} and id > ? order by id limit ?`,
  pending: `${select} and status = 'pending' and queue = ? order by id limit ?`,
  // One search in the index for each queue, whatever its length.
  queues:
    `with recursive queues (queue) as (select min(queue) from recipients where ${pending} union all ` +
    `select (select min(queue) from recipients where ${pending} and queue > queues.queue) ` +
    "from queues where queues.queue is not null) select queue from queues where queue is not null",
  update: `update recipients set ${assign(mutable)} where ${ofCampaign} and id = ?`,
  heard:
    `update recipients set ${heard} = ?, ${message} = coalesce(?, ${message}) where phone_number = ? and call_id is not null ` +
    `and (${heard} is null or ${heard} < ?) and list in (` +
    "select list from recipient_lists join campaigns on campaigns.customer_id = recipient_lists.customer_id " +
    "and campaigns.id = recipient_lists.campaign_id where campaigns.customer_id = ? " +
    "and campaigns.channel = 'msg' and campaigns.from_phone_number_id = ?)",
  change: `update recipients set ${assign(["variables", "queue", "updated_at"])} where ${ofCampaign} and id = ?`,
  index:
    "insert into recipient_values (list, name, value, id) " +
    "select list, ?, ?, ? from recipient_lists where customer_id = ? and campaign_id = ?",
  unindexOldest:
    `delete from recipient_values where (list, id) in (select list, id from recipients where ${ofCampaign} ` +
    "order by id limit ?)",
  removeOne: `delete from recipients where ${ofCampaign} and id = ?`,
  remove:
    `delete from recipients where (list, id) in (select list, id from recipients where ${ofCampaign} ` +
    "order by id limit ?)",
  skip:
    "update recipients set status = 'skipped', updated_at = ? where (list, id) in " +
    `(select list, id from recipients where ${pending} order by queue, id limit ?)`
}

export const recipients = (database: Database["Type"]): RecipientRows => {
  const totals = makeTotals(database)
  const note = ({ campaign_id, customer_id, id }: Pick<Recipient, "campaign_id" | "customer_id" | "id">) =>
    noteChange(database, customer_id, changedRecipients(campaign_id), id)
  const readAll = (
    text: string,
    workspace_id: string,
    campaign_id: string,
    ...params: ReadonlyArray<Param>
  ) =>
    Effect.map(
      database.all<RecipientRow>(workspace_id, text, [workspace_id, campaign_id, ...params]),
      (rows) => rows.map(fromRow(workspace_id, campaign_id))
    )

  const holderOf = (customer_id: string, list: number, phone_number: string) =>
    Effect.map(
      database.all<{ readonly id: string }>(customer_id, sql.holder, [list, numberOf(phone_number)]),
      (rows) => rows[0]!.id
    )

  /** The number of a campaign's list, which its first recipients open; the next number when another unit took it. */
  const numberedList = Effect.fnUntraced(function* (customer_id: string, campaign_id: string) {
    const key = [customer_id, campaign_id]
    for (;;) {
      const [known] = yield* database.all<{ readonly list: number }>(customer_id, sql.list, key)
      if (known !== undefined) return known.list
      yield* database.run(customer_id, sql.open, key)
    }
  })

  const index = Effect.fnUntraced(function* (
    { campaign_id, customer_id, id }: Pick<Recipient, "customer_id" | "campaign_id" | "id">,
    kind: ValueKind,
    values: ReadonlyArray<RecipientValue>
  ) {
    const key = [customer_id, campaign_id]
    yield* write(database, customer_id, `${unindex} and ${ofKind[kind]}`, [...key, id])
    for (const [name, value] of values) {
      yield* write(database, customer_id, sql.index, [name, value, id, ...key])
    }
  })

  /** Row by row: fifty rows a statement took as long, since what takes time is the indexes. */
  const insert = Effect.fnUntraced(function* (entries: Arr.NonEmptyReadonlyArray<Recipient>) {
    const { campaign_id, customer_id } = entries[0]
    const list = yield* numberedList(customer_id, campaign_id)
    const rows = entries.map((recipient) => [
      list,
      queueOf(recipient.timezone),
      numberOf(recipient.phone_number),
      ...pick(recipient, columns)
    ])
    const changed = yield* database.runEach(customer_id, sql.insert, rows)
    const answers: Array<string | null> = []
    for (const [i, { phone_number }] of entries.entries()) {
      answers.push(changed[i] === 1 ? null : yield* holderOf(customer_id, list, phone_number))
    }
    return answers
  })
  const insertAll = Effect.fnUntraced(function* (entries: ReadonlyArray<Recipient>) {
    const answers: Array<string | null> = []
    if (!Arr.isNonEmptyReadonlyArray(entries)) return answers
    for (const some of Arr.groupWith(entries, isOfOneCampaign)) answers.push(...(yield* insert(some)))
    return answers
  })

  return {
    insert: (entries) => database.unit(ownersOf(entries), insertAll(entries)),
    get: (workspace_id, campaign_id, id) =>
      Effect.map(readAll(sql.get, workspace_id, campaign_id, id), first(asIs)),
    many: (workspace_id, campaign_id, ids) =>
      // One by one: with an `in`, SQLite reads a whole list.
      Effect.map(
        database.allEach<RecipientRow>(
          workspace_id,
          sql.get,
          ids.map((id) => [workspace_id, campaign_id, id])
        ),
        (found) => found.flat().map(fromRow(workspace_id, campaign_id))
      ),
    list: (workspace_id, campaign_id, filter, page, total) => {
      const { params, texts } = listOf(workspace_id, campaign_id, filter)
      const recipientOf = fromRow(workspace_id, campaign_id)
      return total === undefined
        ? readPage(
            database,
            workspace_id,
            texts,
            params,
            page,
            recipientOf,
            filter.status === undefined ? { totals, noted: changedRecipients(campaign_id) } : undefined
          )
        : Effect.map(readSlice<RecipientRow>(database, workspace_id, texts, params, page), (rows) => ({
            data: rows.map(recipientOf),
            total
          }))
    },
    index: (recipient, kind, values) =>
      database.unit(
        recipient.customer_id,
        kind === "variables"
          ? index(recipient, kind, values)
          : Effect.zipRight(index(recipient, kind, values), note(recipient))
      ),
    after: (workspace_id, campaign_id, after, limit) =>
      readAll(sql.after, workspace_id, campaign_id, after, limit),
    pending: (workspace_id, campaign_id, timezone, limit) =>
      readAll(sql.pending, workspace_id, campaign_id, queueOf(timezone), limit),
    zones: (workspace_id, campaign_id) =>
      Effect.map(
        database.all<{ readonly queue: string }>(workspace_id, sql.queues, [
          workspace_id,
          campaign_id,
          workspace_id,
          campaign_id
        ]),
        (rows) => rows.map(({ queue }) => timezoneOf(queue))
      ),
    open: open(database),
    update: (...all) =>
      writeEach(
        database,
        all[0].customer_id,
        sql.update,
        all.map((recipient) => [
          ...pick(recipient, mutable),
          recipient.customer_id,
          recipient.campaign_id,
          recipient.id
        ])
      ),
    change: ({ campaign_id, customer_id, id, timezone, updated_at, variables }) =>
      database.unit(
        customer_id,
        Effect.zipRight(
          write(database, customer_id, sql.change, [
            variables,
            queueOf(timezone),
            updated_at,
            customer_id,
            campaign_id,
            id
          ]),
          note({ campaign_id, customer_id, id })
        )
      ),
    removeOne: (workspace_id, campaign_id, id) =>
      database.unit(
        workspace_id,
        Effect.zipRight(
          Effect.forEach([unindex, sql.removeOne], (text) =>
            write(database, workspace_id, text, [workspace_id, campaign_id, id])
          ),
          note({ campaign_id, customer_id: workspace_id, id })
        )
      ),
    heard: (workspace_id, from_phone_number_id, phone_number, at, text) =>
      write(database, workspace_id, sql.heard, [
        at,
        text,
        numberOf(phone_number),
        at,
        workspace_id,
        from_phone_number_id
      ]),
    remove: (workspace_id, campaign_id, limit) =>
      database.unit(
        workspace_id,
        Effect.zipRight(
          Effect.zipRight(
            database.run(workspace_id, sql.unindexOldest, [workspace_id, campaign_id, limit]),
            noteChange(database, workspace_id, changedRecipients(campaign_id))
          ),
          database.run(workspace_id, sql.remove, [workspace_id, campaign_id, limit])
        )
      ),
    skip: (workspace_id, campaign_id, at, limit) =>
      database.run(workspace_id, sql.skip, [at, workspace_id, campaign_id, limit])
  }
}
