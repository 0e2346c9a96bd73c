import { Schema } from "effect"
import { Characters, Timestamp } from "../Codecs.ts"
import { Channel } from "./Channel.ts"
import { Talk } from "./Talk.ts"

const seconds = (field: string) =>
  Schema.Int.pipe(Schema.between(1, 3600)).annotations({
    message: () => `${field} must be an integer from 1 to 3600`
  })

/** A voice (or message) agent: what it says and how it listens. Timeouts are seconds. */
export const Agent = Schema.Struct({
  id: Schema.String,
  customer_id: Schema.String,
  name: Characters(1, 200),
  channel: Channel,
  prompt: Characters(0, 100_000),
  first_message: Characters(0, 10_000),
  voice: Characters(0, 200),
  language: Characters(0, 35),
  published: Schema.Boolean,
  version: Schema.NullOr(Schema.Int).annotations({
    description: "The version that calls talk with; null before the first publication"
  }),
  unpublished_changes: Schema.Boolean.annotations({
    description: "Whether it has been changed since that version"
  }),
  idle_timeout_warning: seconds("idle_timeout_warning"),
  idle_timeout_end: seconds("idle_timeout_end"),
  max_call_length: seconds("max_call_length"),
  ...Talk,
  created_at: Timestamp,
  updated_at: Timestamp
}).annotations({ identifier: "AgentFields" })
export type Agent = typeof Agent.Type

/** What a customer says of an agent: what a version keeps. The rest is set by the platform. */
export const AgentDraft = Agent.omit(
  "id",
  "customer_id",
  "published",
  "version",
  "unpublished_changes",
  "created_at",
  "updated_at"
)
export type AgentDraft = typeof AgentDraft.Type

const ofDraft = Object.keys(AgentDraft.fields) as ReadonlyArray<keyof AgentDraft>

export const draftOf = (agent: AgentDraft): AgentDraft =>
  Object.fromEntries(ofDraft.map((field) => [field, agent[field]])) as unknown as AgentDraft

/** An agent as it was when it was published. */
export const AgentVersion = Schema.Struct({
  agent_id: Schema.String,
  version: Schema.Int,
  published_at: Timestamp,
  agent: AgentDraft
}).annotations({ identifier: "AgentVersion" })
export interface AgentVersion extends Schema.Schema.Type<typeof AgentVersion> {
  readonly customer_id: string
}

/** An agent as the REST interface shows it. */
export const AgentRecord = Schema.Struct({
  ...Agent.fields,
  placeholders: Schema.Array(Schema.String).annotations({
    description: "The names that the prompt asks for; a call's `custom_variables` fill them in"
  })
}).annotations({ identifier: "Agent" })
