import type { NewWebhook } from "outdial/client"

export type EventType = NonNullable<NewWebhook["event_types"]>[number]

/** The kinds of events that an endpoint may name, as the interface calls them. */
export const kinds: ReadonlyArray<readonly [EventType, string]> = [
  ["call_started", "Call answered"],
  ["call_completed", "Call ended"],
  ["recording_completed", "Recording ready"],
  ["call_reviewed", "Call reviewed"],
  ["message_status", "Message moved on"],
  ["campaign_started", "Campaign started"],
  ["campaign_paused", "Campaign paused"],
  ["campaign_completed", "Campaign completed"],
  ["import_completed", "Import completed"],
  ["test_run_completed", "Test run completed"]
]

export const kindsHint = "None: calls answered and ended, and recordings ready."

/** The kinds that an endpoint gets, in words. */
export const kindsOf = (event_types: ReadonlyArray<EventType>): string =>
  event_types.length === 0
    ? "Calls and recordings"
    : event_types.length === kinds.length
      ? "All"
      : kinds.flatMap(([kind, label]) => (event_types.includes(kind) ? [label] : [])).join(", ")
