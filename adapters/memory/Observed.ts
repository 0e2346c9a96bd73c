import type { Attempt } from "../../core/model/calls/Attempt.ts"
import { grain } from "../../core/model/simulation/LocalHour.ts"
import {
  finalReasons,
  type Observed,
  type ObservedAttempts,
  type ObservedTalks
} from "../../core/model/simulation/Observed.ts"
import { byText } from "./SortedSet.ts"
import { take } from "./Table.ts"
import type { TenantTables } from "./TenantTables.ts"

type Counted = { count: number; rang?: number }

/** Things that are the same but for how many they are, counted together. */
const counting = <A extends Counted>() => {
  const groups = new Map<string, A>()
  return {
    add: (one: A) => {
      const key = JSON.stringify({ ...one, rang: 0 })
      const known = groups.get(key)
      if (known === undefined) return void groups.set(key, { ...one })
      known.count += one.count
      if (known.rang !== undefined) known.rang += one.rang ?? 0
    },
    all: (): ReadonlyArray<A> => [...groups.values()]
  }
}

const newest = ({ attempts }: TenantTables, campaign_id: string | null, since: number, limit: number) =>
  campaign_id === null
    ? take(attempts.started.descending(0), limit, ({ started_at }) => started_at! >= since)
    : take(
        attempts.ofCampaign.descending(0, (attempt) => byText(attempt.campaign_id!, campaign_id)),
        limit,
        (attempt) => attempt.campaign_id === campaign_id && attempt.created_at >= since
      )

const rangOf = ({ completed_at, duration_seconds, started_at }: Attempt): number =>
  completed_at === null ? 0 : completed_at - started_at! - duration_seconds * 1_000

/** Counts what the newest calls came to. */
export const observedOf = (
  tables: TenantTables,
  campaign_id: string | null,
  since: number,
  limit: number
): Observed => {
  const attempts = counting<ObservedAttempts & Counted>()
  const talks = counting<ObservedTalks & Counted>()
  for (const attempt of newest(tables, campaign_id, since, limit)) {
    const { campaign_id: campaign, outcome, started_at, status, sub_status } = attempt
    if (attempt.channel !== "voice" || started_at === null || status === "scheduled") continue
    const recipient =
      campaign === null ? undefined : tables.lists.read(campaign).recipients.get(attempt.recipient_id ?? "")
    attempts.add({
      campaign_id: campaign,
      timezone: recipient?.timezone ?? null,
      call_config: campaign === null ? (tables.calls.table.get(attempt.call_id)?.call_config ?? null) : null,
      at: started_at - (started_at % grain),
      is_retry: attempt.attempt_number > 1,
      outcome,
      is_final: finalReasons.includes(sub_status ?? ""),
      started_at: outcome === null ? started_at : null,
      answered_at: outcome === null ? attempt.answered_at : null,
      count: 1,
      rang: rangOf(attempt)
    })
    if (outcome !== "answered" && outcome !== "voicemail") continue
    talks.add({
      outcome,
      seconds: Math.round(attempt.duration_seconds),
      is_cut: sub_status === "max_call_length",
      count: 1
    })
  }
  return { attempts: attempts.all(), talks: talks.all() }
}
