import type { Call } from "../calls/Call.ts"
import type { CampaignState } from "../campaigns/Campaign.ts"
import type { Run } from "../suites/Run.ts"
import type { Delivery } from "../webhooks/Webhook.ts"

/** A record of a workspace that is new or has changed, as it stands now; `ready` comes first: all others follow it. */
export type Change =
  | { readonly type: "ready" }
  | { readonly type: "call"; readonly record: Call }
  | { readonly type: "campaign"; readonly record: CampaignState }
  | { readonly type: "run"; readonly record: Run }
  | { readonly type: "delivery"; readonly record: Delivery }
