import { Schema } from "effect"
import { Characters, JsonObject } from "../Codecs.ts"

const Number164 = Schema.String.pipe(
  Schema.pattern(/^\+[1-9]\d{6,14}$/, { message: () => "must be a phone number such as +14155550100" })
)

/** Names that the platform's own tools have. An agent's tools are called otherwise. */
export const builtInNames = ["end_call", "transfer", "send_digits", "voicemail", "do_not_call"] as const

/** A tool of the agent's own: the platform carries it out by a signed POST to `url`. */
export const AgentTool = Schema.Struct({
  name: Schema.String.pipe(
    Schema.pattern(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, {
      message: () => "must begin with a letter or _ and have at most 64 letters, digits and _"
    }),
    Schema.filter(
      (name) =>
        !(builtInNames as ReadonlyArray<string>).includes(name) ||
        `${name} is a tool of the platform: choose another name`
    )
  ),
  description: Characters(1, 2_000).annotations({
    description: "What it does and when to use it, for the model"
  }),
  parameters: JsonObject.annotations({ description: "JSON Schema of the arguments, of type object" }),
  url: Characters(1, 2_048).annotations({ description: "Where it is carried out, as a POST" }),
  timeout_seconds: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 30)).annotations({ default: 10 }), {
    default: () => 10
  }),
  repeatable: Schema.optionalWith(Schema.Boolean.annotations({ default: false }), {
    default: () => false
  }).annotations({
    description: "Whether it may be sent again, under the same idempotency key, when its answer was lost"
  })
}).annotations({ identifier: "AgentTool" })
export type AgentTool = typeof AgentTool.Type

/** A number that a call may be transferred to. */
export const Transfer = Schema.Struct({
  to_number: Number164,
  description: Characters(1, 500).annotations({
    description: "Who answers there and when to transfer, for the model"
  })
}).annotations({ identifier: "AgentTransfer" })
export type Transfer = typeof Transfer.Type

export const VoicemailPolicy = Schema.Struct({
  action: Schema.Literal("hang_up", "leave_message", "continue"),
  message: Schema.optionalWith(Characters(0, 2_000), { default: () => "" }).annotations({
    description: "What `leave_message` says; placeholders are filled in"
  })
}).annotations({ identifier: "AgentVoicemail" })
export type VoicemailPolicy = typeof VoicemailPolicy.Type

export const Interruptible = Schema.Literal("any", "speech", "none")
/** What of the callee's may cut the agent short: anything (speech and digits), speech alone, nothing. */
export type Interruptible = typeof Interruptible.Type

/** Something to be known after a call. */
export const ReviewQuestion = Schema.Struct({
  name: Schema.String.pipe(
    Schema.pattern(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, {
      message: () => "must begin with a letter or _ and have at most 64 letters, digits and _"
    })
  ),
  description: Characters(1, 1_000),
  type: Schema.Literal("string", "number", "boolean", "enum"),
  options: Schema.optionalWith(Schema.Array(Characters(1, 200)).pipe(Schema.maxItems(50)), {
    default: () => []
  }).annotations({ description: "The answers that an `enum` has" }),
  required: Schema.optionalWith(Schema.Boolean.annotations({ default: false }), { default: () => false })
}).annotations({ identifier: "ReviewQuestion" })
export type ReviewQuestion = typeof ReviewQuestion.Type

/** What is read out of a call's transcript once the call is over. */
export const ReviewPolicy = Schema.Struct({
  questions: Schema.Array(ReviewQuestion).pipe(Schema.maxItems(50)),
  qualified_when: Schema.optionalWith(Characters(0, 2_000), { default: () => "" }).annotations({
    description: "What makes a callee qualified; empty: the review leaves that unknown"
  })
}).annotations({ identifier: "AgentReview" })
export type ReviewPolicy = typeof ReviewPolicy.Type

const Line = Characters(1, 500)

/** How an agent holds a conversation. */
export const Talk = {
  model: Schema.NullOr(
    Schema.Struct({
      name: Schema.NullOr(Characters(1, 200)),
      temperature: Schema.NullOr(Schema.Number.pipe(Schema.between(0, 2)))
    }).annotations({ identifier: "AgentModelChoice" })
  ).annotations({ description: "The language model; null: the deployment's own" }),
  tools: Schema.Array(AgentTool).pipe(Schema.maxItems(32)),
  transfers: Schema.Array(Transfer).pipe(Schema.maxItems(32)),
  voicemail: VoicemailPolicy,
  nudge: Schema.Array(Line).pipe(Schema.maxItems(20)).annotations({
    description: "What the agent says after a silence, in turn; empty: lines in the agent's language"
  }),
  interruptible: Interruptible,
  backchannels: Schema.NullOr(Schema.Array(Characters(1, 50)).pipe(Schema.maxItems(200))).annotations({
    description: "Words that do not interrupt the agent when said alone; null: those of the agent's language"
  }),
  transcription: Schema.Struct({
    provider: Schema.NullOr(Characters(1, 100)),
    model: Schema.NullOr(Characters(1, 100)),
    hints: Schema.NullOr(Characters(1, 1_000))
  }).annotations({ identifier: "AgentTranscription" }),
  speech: Schema.Struct({ provider: Schema.NullOr(Characters(1, 100)) }).annotations({
    identifier: "AgentSpeech"
  }),
  review: ReviewPolicy
} as const

/** What an agent has of which nothing is said. */
export const standardTalk = {
  model: null,
  tools: [],
  transfers: [],
  voicemail: { action: "hang_up", message: "" },
  nudge: [],
  interruptible: "any",
  backchannels: null,
  transcription: { provider: null, model: null, hints: null },
  speech: { provider: null },
  review: { questions: [], qualified_when: "" }
} as const satisfies Schema.Schema.Type<Schema.Struct<typeof Talk>>
