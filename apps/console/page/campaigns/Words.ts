import type { Campaign, CampaignStats } from "outdial/client"
import { words } from "../data/Format.ts"

export const statuses = ["draft", "scheduled", "running", "paused", "completed", "failed", "cancelled"]

const reasons: Readonly<Record<string, string>> = {
  user: "A user paused it.",
  insufficient_credits: "The credits have run out. Add credits, then resume.",
  failure_rate: "Too many of its calls failed. Look at the attempts, then resume.",
  engine_unavailable: "Calls could not be placed. Resume to try again.",
  no_recipients: "It has no recipients.",
  agent_not_found: "Its agent was deleted.",
  agent_not_published: "Its agent is not published.",
  agent_not_voice: "Its agent does not make calls.",
  agent_not_msg: "Its agent does not write messages.",
  phone_number_not_found: "The number that it calls from was removed.",
  template_not_found: "Its message template was deleted.",
  template_not_approved: "Its message template is not approved."
}

/** Why a campaign does not run, as a sentence; null where there is nothing to say. */
export const reasonOf = ({ status_reason }: Pick<Campaign, "status_reason">): string | null =>
  status_reason === null ? null : (reasons[status_reason] ?? `${words(status_reason)}.`)

/** Recipients whose calls are over, for good. */
export const doneOf = ({ completed, failed, skipped }: CampaignStats): number => completed + failed + skipped

/** It is not over: it runs, or may yet. */
export const isOpen = ({ status }: Campaign): boolean =>
  status === "draft" || status === "scheduled" || status === "running" || status === "paused"
