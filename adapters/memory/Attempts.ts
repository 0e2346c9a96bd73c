import { Option } from "effect"
import { type Attempt, fixed, type Spent } from "../../core/model/calls/Attempt.ts"
import type { AttemptFilter, AttemptRows } from "../../core/ports/AttemptRows.ts"
import { observedOf } from "./Observed.ts"
import { byText } from "./SortedSet.ts"
import type { Store } from "./Store.ts"
import { sliceOf, take, withFixed } from "./Table.ts"

const isOf = (campaign_id: string) => (attempt: Attempt) => attempt.campaign_id === campaign_id

const admitsOf = (filter: AttemptFilter) => {
  const { channel, created_after, created_before, outcome, recipient_id, status } = filter
  if (Object.values(filter).every((value) => value === undefined)) return undefined
  return (attempt: Attempt): boolean =>
    (recipient_id === undefined || attempt.recipient_id === recipient_id) &&
    (status === undefined || attempt.status === status) &&
    (outcome === undefined || attempt.outcome === outcome) &&
    (created_after === undefined || attempt.created_at >= created_after) &&
    (created_before === undefined || attempt.created_at < created_before) &&
    (channel === undefined || attempt.channel === channel)
}

export const attempts = ({ undo, read, write }: Store): AttemptRows => ({
  insert: (...all) =>
    undo.verb(() => {
      for (const attempt of all) write(attempt.customer_id).attempts.table.insert(attempt)
    }),
  get: (workspace_id, id) => undo.verb(() => Option.fromNullable(read(workspace_id).attempts.table.get(id))),
  many: (workspace_id, ids) =>
    undo.verb(() => ids.flatMap((id) => read(workspace_id).attempts.table.get(id) ?? [])),
  accept: (workspace_id, ...accepted) =>
    undo.verb(() => {
      const { table } = read(workspace_id).attempts
      for (const { at, carrier_call_id, id } of accepted) {
        const stored = table.get(id)
        if (stored?.carrier_call_id === null) table.set({ ...stored, carrier_call_id, updated_at: at })
      }
    }),
  update: (...all) =>
    undo.verb(() => {
      for (const attempt of all) {
        const { table } = read(attempt.customer_id).attempts
        const stored = table.get(attempt.id)
        if (stored !== undefined) table.set(withFixed(stored, attempt, fixed))
      }
    }),
  ofCall: (workspace_id, call_id) =>
    undo.verb(() =>
      take(
        read(workspace_id).attempts.ofCall.ascending((attempt) => byText(attempt.call_id, call_id)),
        Infinity,
        (attempt) => attempt.call_id === call_id
      )
    ),
  spentOn: (workspace_id, call_ids) =>
    undo.verb(() => {
      const { ofCall } = read(workspace_id).attempts
      const spent = new Map<string, Spent>()
      for (const call_id of call_ids) {
        const made = take(
          ofCall.ascending((attempt) => byText(attempt.call_id, call_id)),
          Infinity,
          (attempt) => attempt.call_id === call_id
        )
        if (made.length === 0) continue
        spent.set(call_id, {
          attempts: made.length,
          duration_seconds: made.reduce((sum, { duration_seconds }) => sum + duration_seconds, 0),
          credits: made.reduce((sum, { credits }) => sum + credits, 0)
        })
      }
      return spent
    }),
  startedSince: (workspace_id, campaign_id, since) =>
    undo.verb(() => {
      const begun = Array.from(
        read(workspace_id).attempts.started.ascending((attempt) => (attempt.started_at! > since ? 0 : -1))
      )
      return begun
        .filter((attempt) => campaign_id === null || attempt.campaign_id === campaign_id)
        .map((attempt) => attempt.started_at!)
    }),
  ofCampaign: (workspace_id, campaign_id, filter, page) =>
    undo.verb(() => {
      const { ofCampaign, table } = read(workspace_id).attempts
      const newestFirst = ofCampaign.descending(0, (attempt) => byText(attempt.campaign_id!, campaign_id))
      const admits = admitsOf(filter) ?? (() => true)
      const found = take(newestFirst, Infinity, isOf(campaign_id)).filter(admits)
      return sliceOf(found, page, (id) => {
        const at = table.get(id)?.created_at ?? 0
        return (attempt) => attempt.created_at - at || byText(attempt.id, id)
      })
    }),
  countOfCampaign: (workspace_id, campaign_id, filter) =>
    undo.verb(() => {
      const { ofCampaign } = read(workspace_id).attempts
      const all = take(
        ofCampaign.ascending((attempt) => byText(attempt.campaign_id!, campaign_id)),
        Infinity,
        isOf(campaign_id)
      )
      return all.filter(admitsOf(filter) ?? (() => true)).length
    }),
  observed: (workspace_id, campaign_id, since, limit) =>
    undo.verb(() => observedOf(read(workspace_id), campaign_id, since, limit))
})
