import { Schema } from "effect"
import { Channel } from "../../../core/model/agents/Channel.ts"
import { AttemptStatus } from "../../../core/model/calls/Attempt.ts"
import { CallStatus, Outcome } from "../../../core/model/calls/Call.ts"
import { CampaignStatus } from "../../../core/model/campaigns/Campaign.ts"
import { Interval, maxPoints } from "../../../core/model/campaigns/CampaignProgress.ts"
import { RecipientStatus } from "../../../core/model/campaigns/Recipient.ts"
import { Qualification, Sentiment } from "../../../core/model/conversations/Review.ts"
import { RunStatus } from "../../../core/model/suites/Run.ts"
import { Category, TemplateStatus } from "../../../core/model/templates/Template.ts"
import { DeliveryStatus } from "../../../core/model/webhooks/Webhook.ts"
import { EntryKind } from "../../../core/model/workspaces/Ledger.ts"
import { UsageBy } from "../../../core/model/workspaces/Usage.ts"
import { Id } from "./Operation.ts"
import { Moment, Paging, query } from "./Paging.ts"
import { OneOrMore, TextOrValues, Values } from "./Values.ts"

// The parameters of lists. Users of the library have their types, and @effect/platform has not to be installed for them.

export const AgentQuery = query({
  ...Paging,
  published: Schema.optional(
    Schema.BooleanFromString.annotations({
      message: () => "published must be true or false",
      jsonSchema: {
        type: "boolean",
        description: "Only agents that are published, or only those that are not"
      }
    })
  )
})

/** At least as many digits as a masked number shows. */
const number = /^(\+[1-9][0-9]{1,14}|[0-9]{4,15})$/

const numberOrEnd = (name: string, description: string) =>
  Schema.optional(
    Schema.String.pipe(
      Schema.pattern(number, {
        message: () => `${name} must be an E.164 number, or the last 4 digits of one or more`
      })
    ).annotations({ description })
  )

export const CallQuery = query(
  {
    ...Paging,
    status: Schema.optional(
      OneOrMore("status", CallStatus, "Only calls of this status, or of any of several")
    ),
    agent_id: Schema.optional(Id("Only calls of this agent")),
    campaign_id: Schema.optional(Id("Only calls of this campaign")),
    outcome: Schema.optional(Outcome.annotations({ description: "Only calls that came out so" })),
    from_phone_number_id: Schema.optional(Id("Only calls from this caller ID")),
    to_number: numberOrEnd("to_number", "Only calls to this number, or to numbers that end in these digits"),
    idempotency_key: Schema.optional(Id("Only the call of this key")),
    session_id: Schema.optional(Id("Only the call of this session")),
    metadata: TextOrValues(
      "metadata",
      "Only calls with this value at the top of their metadata: `metadata.order=17`. The workspace's " +
        "`indexed_metadata_keys` had to name the key when the call was placed. `metadata=17` finds the calls that have " +
        "this value, whole and in the same case, under any key that the workspace names now"
    ),
    created_after: Moment("created_after", "Only calls created at this moment or later"),
    created_before: Moment("created_before", "Only calls created before this moment")
  },
  ["metadata"]
)

export const CampaignQuery = query({
  ...Paging,
  status: Schema.optional(CampaignStatus.annotations({ description: "Only campaigns of this status" })),
  agent_id: Schema.optional(Id("Only campaigns of this agent")),
  created_after: Moment("created_after", "Only campaigns created at this moment or later"),
  created_before: Moment("created_before", "Only campaigns created before this moment")
})

export const AttemptQuery = query({
  ...Paging,
  recipient_id: Schema.optional(Id("Only attempts for this recipient")),
  status: Schema.optional(AttemptStatus.annotations({ description: "Only attempts of this status" })),
  outcome: Schema.optional(Outcome.annotations({ description: "Only attempts that came out so" })),
  channel: Schema.optional(Channel.annotations({ description: "Only attempts on this channel" })),
  created_after: Moment("created_after", "Only attempts begun at this moment or later"),
  created_before: Moment("created_before", "Only attempts begun before this moment")
})

export const ProgressQuery = query({
  interval: Schema.optionalWith(
    Interval.annotations({ description: "How long each point of the series is; default hour" }),
    { default: () => "hour" as const }
  ),
  from: Moment("from", `By default as long before \`until\` as ${maxPoints} points reach`),
  until: Moment("until", "Exclusive; by default now")
})

export const CalleesQuery = query({
  campaign_id: Schema.optional(Id("Only calls of this campaign; by default all calls of the workspace")),
  since: Moment("since", "Only calls begun at this moment or later")
})

export const AuditQuery = query({
  ...Paging,
  actor: Schema.optional(Id("Only what this API key, by its id, or this token's subject has done")),
  operation: Schema.optional(Id("Only this operation, such as `updateCampaign`")),
  object_id: Schema.optional(Id("Only changes of this record"))
})

export const UsageQuery = query({
  by: Schema.optionalWith(UsageBy.annotations({ description: "What one row stands for; default day" }), {
    default: () => "day" as const
  }),
  from: Moment("from", "By default the first of the month of `until`"),
  until: Moment("until", "Exclusive; by default now")
})

export const LedgerQuery = query({
  ...Paging,
  kind: Schema.optional(EntryKind.annotations({ description: "Only movements of this kind" })),
  created_after: Moment("created_after", "Only movements made at this moment or later"),
  created_before: Moment("created_before", "Only movements made before this moment"),
  reference: Schema.optional(Id("Only movements for this call, suite or run"))
})

export const RecipientQuery = query(
  {
    ...Paging,
    status: Schema.optional(RecipientStatus.annotations({ description: "Only recipients of this status" })),
    phone_number: numberOrEnd(
      "phone_number",
      "Only the recipient of this number, or recipients whose numbers end in these digits"
    ),
    qualification_status: Schema.optional(
      Qualification.annotations({ description: "Only recipients of whom a conversation has shown this" })
    ),
    sentiment: Schema.optional(
      Sentiment.annotations({ description: "Only recipients whose last conversation was of this tone" })
    ),
    answers: Values(
      "answers",
      "Only recipients who gave this answer in a conversation: `answers.budget=high`"
    ),
    variables: Values(
      "variables",
      "Only recipients with this value of a variable: `variables.city=Paris`. The workspace's " +
        "`indexed_metadata_keys` had to name the variable when the recipient was added"
    )
  },
  ["answers", "variables"]
)

export const DoNotCallQuery = query({
  ...Paging,
  phone_number: Schema.optional(
    Schema.String.pipe(
      Schema.pattern(/^\+[1-9][0-9]{1,14}$/, { message: () => "phone_number must be an E.164 number" })
    ).annotations({ description: "Only this number, where it is on the list" })
  )
})

export const RunQuery = query({
  ...Paging,
  suite_id: Schema.optional(Id("Only runs of this test suite")),
  agent_id: Schema.optional(Id("Only runs with this agent")),
  status: Schema.optional(RunStatus.annotations({ description: "Only runs of this status" }))
})

export const SuiteQuery = query({ ...Paging, agent_id: Schema.optional(Id("Only suites for this agent")) })

export const TemplateQuery = query({
  ...Paging,
  name: Schema.optional(Id("Only templates of this name, in whatever language")),
  language: Schema.optional(Id("Only templates in this language")),
  status: Schema.optional(TemplateStatus.annotations({ description: "Only templates of this status" })),
  category: Schema.optional(Category.annotations({ description: "Only templates of this category" }))
})

export const DeliveryQuery = query({
  ...Paging,
  status: Schema.optional(DeliveryStatus.annotations({ description: "Only deliveries of this status" })),
  call_id: Schema.optional(Id("Only deliveries of this call's, or this message's, events"))
})
