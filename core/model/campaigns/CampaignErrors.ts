import { Data, Schema } from "effect"
import { describe, type Issue } from "../Issues.ts"

export class CampaignNotFound extends Schema.TaggedError<CampaignNotFound>()("CampaignNotFound", {
  campaign_id: Schema.String
}) {
  override get message() {
    return "no such campaign"
  }
}

/** Only a campaign that dials no more can be deleted. */
export class CampaignUnderWay extends Schema.TaggedError<CampaignUnderWay>()("CampaignUnderWay", {}) {
  override get message() {
    return "the campaign is not over: cancel it first, and wait until its calls have ended"
  }
}

export class ImportNotFound extends Schema.TaggedError<ImportNotFound>()("ImportNotFound", {
  import_id: Schema.String
}) {
  override get message() {
    return "no such import"
  }
}

/** What a campaign may not do in its status. */
export class CampaignRefused extends Schema.TaggedError<CampaignRefused>()("CampaignRefused", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/** A recipient of this number is in the campaign already; nothing of the request was stored. */
export class RecipientTaken extends Schema.TaggedError<RecipientTaken>()("RecipientTaken", {
  index: Schema.Int,
  recipient_id: Schema.String
}) {
  override get message() {
    return `recipients[${this.index}] has the phone number of a recipient that the campaign has already`
  }
}

export class RecipientNotFound extends Schema.TaggedError<RecipientNotFound>()("RecipientNotFound", {
  recipient_id: Schema.String
}) {
  override get message() {
    return "no such recipient"
  }
}

/** Its call is under way, or waits for a retry: it is neither changed nor removed meanwhile. */
export class RecipientUnderWay extends Schema.TaggedError<RecipientUnderWay>()("RecipientUnderWay", {}) {
  override get message() {
    return "the recipient's call is not over yet"
  }
}

/** A change that breaks rules: every field that does, with its rule. */
export class ChangeRefused extends Data.TaggedError("ChangeRefused")<{
  readonly issues: ReadonlyArray<Issue>
}> {
  override get message() {
    return this.issues.map(describe).join("; ")
  }
}
