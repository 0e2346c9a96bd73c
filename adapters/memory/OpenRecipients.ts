import { minute } from "../../core/model/Codecs.ts"
import type { OpenRecipients, WaitingRecipients } from "../../core/model/forecasts/OpenRecipients.ts"
import { byText } from "./SortedSet.ts"
import { take } from "./Table.ts"
import type { TenantTables } from "./TenantTables.ts"

/** The recipients of a campaign who are not done. */
export const openOf = ({ attempts, calls, lists }: TenantTables, campaign_id: string): OpenRecipients => {
  const { pending, recipients } = lists.read(campaign_id)
  const zoneOf = (recipient_id: string | null) => recipients.get(recipient_id ?? "")?.timezone ?? null
  const groups = new Map<string, { group: WaitingRecipients; count: number; sum: number }>()
  const add = (timezone: string | null, attempts: number, due_at: number | null) => {
    const key = JSON.stringify([timezone, attempts, due_at === null ? null : Math.floor(due_at / minute)])
    const known = groups.get(key) ?? { group: { timezone, attempts, due_at, count: 0 }, count: 0, sum: 0 }
    groups.set(key, { ...known, count: known.count + 1, sum: known.sum + (due_at ?? 0) })
  }
  for (const { timezone } of pending.ascending()) add(timezone, 0, null)
  const isOf = (call: { readonly campaign_id: string | null }) => call.campaign_id === campaign_id
  const waiting = take(
    calls.waiting.ascending((call) => byText(call.campaign_id ?? "", campaign_id)),
    Infinity,
    isOf
  )
  for (const { attempt_count, due_at, recipient_id, redial } of waiting) {
    add(zoneOf(recipient_id), attempt_count - (redial ? 1 : 0), due_at)
  }
  const begun = take(
    attempts.ofCampaign.ascending((attempt) => byText(attempt.campaign_id!, campaign_id)),
    Infinity,
    isOf
  )
  return {
    waiting: [...groups.values()].map(({ count, group, sum }) => ({
      ...group,
      count,
      due_at: group.due_at === null ? null : Math.floor(sum / count)
    })),
    calls: begun
      .filter(({ status }) => status === "in_progress")
      .map(({ answered_at, attempt_number, recipient_id, started_at }) => ({
        timezone: zoneOf(recipient_id),
        attempts: attempt_number,
        started_at: started_at!,
        answered_at
      }))
  }
}
