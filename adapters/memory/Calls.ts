import { Option } from "effect"
import { type Call, type CallStatus, fixed } from "../../core/model/calls/Call.ts"
import type { CallFilter, CallRows } from "../../core/ports/CallRows.ts"
import { byText } from "./SortedSet.ts"
import type { Store } from "./Store.ts"
import { take, withFixed } from "./Table.ts"

/** Messages are calls of another kind, and are not listed among them. */
const admits = (
  filter: CallFilter,
  messages: number,
  isOfSession: (call: Call, session_id: string) => boolean,
  hasValue: (call: Call, name: string, value: string) => boolean
) => {
  const { agent_id, campaign_id, created_after, created_before, idempotency_key, metadata, outcome } = filter
  const { any_metadata, from_phone_number_id, session_id, status, to_number } = filter
  const wanted = Object.entries(metadata ?? {})
  if (messages === 0 && Object.values(filter).every((value) => value === undefined)) return undefined
  return (call: Call): boolean =>
    call.channel === "voice" &&
    (status === undefined ||
      (typeof status === "string" ? call.status === status : status.includes(call.status))) &&
    (outcome === undefined || call.outcome === outcome) &&
    (from_phone_number_id === undefined || call.from_phone_number_id === from_phone_number_id) &&
    (to_number === undefined || call.to_number.endsWith(to_number)) &&
    (idempotency_key === undefined || call.idempotency_key === idempotency_key) &&
    (session_id === undefined || isOfSession(call, session_id)) &&
    wanted.every(([name, value]) => hasValue(call, name, value)) &&
    (any_metadata === undefined ||
      any_metadata.keys.some((name) => hasValue(call, name, any_metadata.value))) &&
    (agent_id === undefined || call.agent_id === agent_id) &&
    (campaign_id === undefined || call.campaign_id === campaign_id) &&
    (created_after === undefined || call.created_at >= created_after) &&
    (created_before === undefined || call.created_at < created_before)
}

/** The new call with what is fixed as it was: itself, as a rule. */
const updated = (stored: Call, call: Call): Call => withFixed(stored, call, fixed)

export const calls = ({ undo, read, write }: Store): CallRows => {
  const findKey = (workspace_id: string, key: string) =>
    Option.map(
      Option.fromNullable(read(workspace_id).calls.byKey.find((call) => byText(call.idempotency_key!, key))),
      (call) => call.call_id
    )

  const ofCampaign = (campaign_id: string | null) => (call: Call) =>
    byText(call.campaign_id ?? "", campaign_id ?? "")

  const insert = (call: Call): Option.Option<string> => {
    const taken =
      call.idempotency_key === null ? Option.none<string>() : findKey(call.customer_id, call.idempotency_key)
    if (Option.isNone(taken)) write(call.customer_id).calls.table.insert(call)
    return taken
  }

  const update = (call: Call): boolean => {
    const { table } = read(call.customer_id).calls
    const stored = table.get(call.call_id)
    if (stored === undefined || stored.version !== call.version - 1) return false
    table.set(updated(stored, call))
    return true
  }

  return {
    insert: (call) => undo.verb(() => insert(call)),
    insertMany: (all) =>
      undo.verb(() => {
        const owners = new Map<string, string>()
        for (const call of all) {
          const taken = insert(call)
          if (Option.isSome(taken)) owners.set(call.idempotency_key!, taken.value)
        }
        return owners
      }),
    countByStatus: (workspace_id, call_ids) =>
      undo.verb(() => {
        const { table } = read(workspace_id).calls
        const counts = new Map<CallStatus, number>()
        for (const { status } of call_ids.flatMap((id) => table.get(id) ?? [])) {
          counts.set(status, (counts.get(status) ?? 0) + 1)
        }
        return counts
      }),
    index: ({ call_id, customer_id }, values) =>
      undo.verb(() => {
        const { indexed } = write(customer_id).calls
        for (const [name, value] of values) indexed.insert({ call_id, name, value })
      }),
    get: (workspace_id, call_id) =>
      undo.verb(() => Option.fromNullable(read(workspace_id).calls.table.get(call_id))),
    many: (workspace_id, call_ids) =>
      undo.verb(() => call_ids.flatMap((id) => read(workspace_id).calls.table.get(id) ?? [])),
    byKey: (workspace_id, key) => undo.verb(() => findKey(workspace_id, key)),
    list: (workspace_id, filter, page) =>
      undo.verb(() => {
        const { attempts, calls } = read(workspace_id)
        const admitted = admits(
          filter,
          calls.messages.size,
          ({ call_id }, session_id) =>
            attempts.table.get(session_id.replace(/^sess_/, "att_"))?.call_id === call_id,
          ({ call_id }, name, value) => calls.indexed.get(`${call_id} ${name}`)?.value === value
        )
        return calls.table.page(page, admitted)
      }),
    update: (...all) => undo.verb(() => all.map(update).every(Boolean)),
    dialable: (workspace_id, campaign_id, now, limit) =>
      undo.verb(() =>
        take(
          read(workspace_id).calls.waiting.ascending(ofCampaign(campaign_id)),
          limit,
          (call) => call.campaign_id === campaign_id && call.due_at! <= now
        )
      ),
    overdue: (workspace_id, now, limit) =>
      undo.verb(() =>
        take(read(workspace_id).calls.overdue.ascending(), limit, (call) => call.due_at! <= now)
      ),
    live: (workspace_id, after, limit) =>
      undo.verb(() =>
        take(
          read(workspace_id).calls.live.ascending((call) => (call.call_id > after ? 0 : -1)),
          limit
        )
      ),
    countLive: (workspace_id) =>
      undo.verb(() => {
        const { live, liveMessages } = read(workspace_id).calls
        return live.size - liveMessages.size
      }),
    nextWaiting: (workspace_id, campaign_id) =>
      undo.verb(() =>
        Option.fromNullable(read(workspace_id).calls.waiting.find(ofCampaign(campaign_id))?.due_at)
      ),
    nextOverdue: (workspace_id) =>
      undo.verb(() => Option.fromNullable(read(workspace_id).calls.overdue.first()?.due_at))
  }
}
