import { Either, Schema } from "effect"
import type { Channel } from "../agents/Channel.ts"
import { configOf } from "../calls/Call.ts"
import { CallConfig } from "../calls/CallConfig.ts"
import { hasAtMost, Identifier, minute, Text, Timestamp, timestampRule } from "../Codecs.ts"
import type { Issue } from "../Issues.ts"
import { type Body, reader } from "../json/Body.ts"
import type { RawJson } from "../json/RawJson.ts"
import { CampaignTemplate } from "../messages/CampaignTemplate.ts"
import { RecipientTimezone } from "./Campaign.ts"
import { FailureBreakerBody } from "./FailureBreaker.ts"

const Name = Text.pipe(
  Schema.filter(
    (name) => (name.trim() !== "" && hasAtMost(name, 200)) || "name must have 1 to 200 characters",
    {
      jsonSchema: { minLength: 1, maxLength: 200 }
    }
  )
)

const cap = (field: string, max: number) =>
  Schema.NullOr(
    Schema.Int.pipe(
      Schema.between(1, max, { message: () => `${field} must be an integer from 1 to ${max}, or null` })
    )
  ).annotations({
    message: () => ({ message: `${field} must be an integer from 1 to ${max}, or null`, override: true })
  })

const Metadata = Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown })).annotations({
  description:
    "Opaque JSON, at most 16,384 bytes; on every webhook event of the campaign's calls, byte for byte"
})

const Config = CallConfig.annotations({
  description: "As for a single call",
  parseOptions: { onExcessProperty: "ignore" }
})

const Schedule = Schema.NullOr(Timestamp).annotations({
  description: "When the campaign starts by itself, not in the past; null: when it is started",
  message: () => ({ message: `scheduled_for ${timestampRule}, or null`, override: true })
})

const optionalFields = {
  from_phone_number_id: Schema.optional(Identifier("from_phone_number_id")).annotations({
    description: "The caller ID of all its calls; by default the workspace's first phone number"
  }),
  call_config: Schema.optional(Config),
  max_concurrency: Schema.optional(cap("max_concurrency", 100_000)),
  calls_per_minute: Schema.optional(cap("calls_per_minute", 60_000)),
  failure_breaker: Schema.optional(FailureBreakerBody).annotations({
    description:
      "When the campaign is paused because its dials fail: when, of the last `window` dials in the order in which " +
      "they were placed, more than `share` have failed and at least `least` have ended. Dials under way count as not " +
      "failed; a busy line or no answer is no failure. Until a first dial succeeds, at most `window` dials are placed. " +
      "What is left out has its default."
  }),
  scheduled_for: Schema.optional(Schedule),
  metadata: Schema.optional(Metadata)
}

const closed = { parseOptions: { onExcessProperty: "error", errors: "all" } } as const

/** The body that creates a campaign. */
export const CreateCampaignBody = Schema.Struct({
  name: Name,
  agent_id: Identifier("agent_id").annotations({ description: "Who speaks, or writes" }),
  channel: Schema.optional(
    Schema.Literal("voice", "msg").annotations({
      message: () => ({ message: "channel must be voice or msg", override: true })
    })
  ).annotations({ description: "Default voice; a campaign of channel msg sends a template" }),
  template: Schema.optional(Schema.NullOr(CampaignTemplate)).annotations({
    description: "What a campaign of channel msg sends; it needs one, and no other has one"
  }),
  recipient_timezone: Schema.optional(
    Schema.NullOr(RecipientTimezone).annotations({
      message: () => ({ message: "recipient_timezone must be by_number, or null", override: true })
    })
  ).annotations({
    description:
      "`by_number`: the calling window holds in the local time of each recipient, by the country or area code of its " +
      "number. Where a number may be in several zones, only hours that are inside the window in all of them. A " +
      "recipient's own timezone goes first. It stays as it is once the campaign is made"
  }),
  skip_public_holidays: Schema.optional(
    Schema.NullOr(Schema.Boolean).annotations({
      message: () => ({ message: "skip_public_holidays must be true, false or null", override: true })
    })
  ).annotations({
    description:
      "Calls no recipient on a nationwide public holiday of the country of its number, by the date where the calling " +
      "window holds for it; default false. It needs `call_config.call_time`. It stays as it is once the campaign is made"
  }),
  ...optionalFields
}).annotations({ identifier: "CreateCampaign", ...closed })

/** The body that changes a campaign. */
export const UpdateCampaignBody = Schema.Struct({
  name: Schema.optional(Name),
  agent_id: Schema.optional(Identifier("agent_id")),
  template: Schema.optional(CampaignTemplate),
  status: Schema.optional(
    Schema.Literal("paused", "cancelled").annotations({
      message: () => ({
        message: "status must be paused or cancelled: a campaign is started by its own operation",
        override: true
      })
    })
  ),
  ...optionalFields
}).annotations({ identifier: "UpdateCampaign", ...closed })

export interface CampaignDraft {
  readonly name: string
  readonly agent_id: string
  readonly channel: Channel
  readonly from_phone_number_id: string | null
  readonly template: RawJson | null
  readonly call_config: RawJson | null
  readonly recipient_timezone: RecipientTimezone | null
  readonly skip_public_holidays: boolean
  readonly max_concurrency: number | null
  readonly calls_per_minute: number | null
  readonly failure_breaker: RawJson | null
  readonly scheduled_for: number | null
  readonly metadata: RawJson | null
}

/** What is to change; what is not named stays as it is. */
export type CampaignChange = Partial<
  Omit<CampaignDraft, "channel" | "from_phone_number_id" | "recipient_timezone" | "skip_public_holidays">
> & {
  readonly from_phone_number_id?: string
  readonly status?: "paused" | "cancelled"
}

const kept = { call_config: null, failure_breaker: null, metadata: 16_384, template: 16_384 }
const readCreate = reader(CreateCampaignBody, kept)
const readUpdate = reader(UpdateCampaignBody, kept)

/** JSON null is the absence of it. */
const rawOf = ({ raw }: Pick<Body<unknown>, "raw">, field: string): RawJson | null => {
  const text = raw(field)
  return text === "null" ? null : text
}

/** The rule that a channel and a template break together; null if they go together. */
export const templateRule = (channel: Channel, template: RawJson | null): string | null => {
  if (channel === "msg" && template === null) return "template is required for channel msg"
  return channel === "voice" && template !== null ? "template is not for channel voice" : null
}

/** The rule that a campaign without a window breaks; null if it breaks none. The window's zone tells the date. */
export const holidayRule = (
  draft: Pick<CampaignDraft, "call_config" | "skip_public_holidays">
): string | null =>
  draft.skip_public_holidays && configOf(draft).call_time === undefined
    ? "skip_public_holidays needs call_config.call_time"
    : null

/** The rule that a campaign's start breaks at a moment; null if it breaks none. A client's clock may be a minute behind. */
export const scheduleRule = (scheduled_for: number | null | undefined, now: number): string | null =>
  typeof scheduled_for === "number" && scheduled_for <= now - minute
    ? "scheduled_for must not be in the past"
    : null

type Checked<A> = Either.Either<A, ReadonlyArray<Issue>>

const draftOf = (checked: Checked<Body<typeof CreateCampaignBody.Type>>): Checked<CampaignDraft> =>
  Either.flatMap(checked, (body) => {
    const draft: CampaignDraft = {
      name: body.fields.name,
      agent_id: body.fields.agent_id,
      channel: body.fields.channel ?? "voice",
      from_phone_number_id: body.fields.from_phone_number_id ?? null,
      template: rawOf(body, "template"),
      call_config: rawOf(body, "call_config"),
      recipient_timezone: body.fields.recipient_timezone ?? null,
      skip_public_holidays: body.fields.skip_public_holidays ?? false,
      max_concurrency: body.fields.max_concurrency ?? null,
      calls_per_minute: body.fields.calls_per_minute ?? null,
      failure_breaker: rawOf(body, "failure_breaker"),
      scheduled_for: body.fields.scheduled_for ?? null,
      metadata: rawOf(body, "metadata")
    }
    const rule = templateRule(draft.channel, draft.template)
    if (rule !== null) return Either.left([{ path: ["template"], message: rule }])
    const message = holidayRule(draft)
    return message === null ? Either.right(draft) : Either.left([{ path: ["skip_public_holidays"], message }])
  })

const changeOf = (checked: Checked<Body<typeof UpdateCampaignBody.Type>>): Checked<CampaignChange> =>
  Either.map(checked, (body) => {
    const { call_config, failure_breaker, metadata, template, ...fields } = body.fields
    return {
      ...(fields as Omit<CampaignChange, "call_config" | "failure_breaker" | "metadata" | "template">),
      ...(template === undefined ? {} : { template: rawOf(body, "template") }),
      ...(call_config === undefined ? {} : { call_config: rawOf(body, "call_config") }),
      ...(failure_breaker === undefined ? {} : { failure_breaker: rawOf(body, "failure_breaker") }),
      ...(metadata === undefined ? {} : { metadata: rawOf(body, "metadata") })
    }
  })

/** Reads the text of a body that creates a campaign; the issues are those of all its fields. */
export const draftFromJson = (text: string) => draftOf(readCreate.text(text))
/** The same of a body that is a value. */
export const draftFromValue = (body: unknown) => draftOf(readCreate.value(body))

/** Reads the text of a body that changes a campaign; the issues are those of all its fields. */
export const changeFromJson = (text: string) => changeOf(readUpdate.text(text))
/** The same of a body that is a value. */
export const changeFromValue = (body: unknown) => changeOf(readUpdate.value(body))
