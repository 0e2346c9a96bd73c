import { Schema } from "effect"
import { Outcome, SubStatus } from "../../../core/model/calls/Call.ts"
import type { CallProgress, Progress } from "../../../core/model/calls/CarrierProgress.ts"
import { Identifier } from "../../../core/model/Codecs.ts"
import type { Reply } from "../../../core/model/messages/Reply.ts"
import type { Lookup } from "../../../core/ports/CallDialer.ts"

// What carriers and providers of messages answer and tell, as a program of another's making has to give it.

const Moment = Schema.Finite
const Text = Schema.NullOr(Schema.String)

/** The carrier's or provider's own id. */
export const Id = Identifier("the id")

const ProgressSchema: Schema.Schema<Progress> = Schema.Union(
  Schema.Struct({ _tag: Schema.Literal("Ringing"), at: Moment }),
  Schema.Struct({ _tag: Schema.Literal("Answered"), at: Moment }),
  Schema.Struct({ _tag: Schema.Literal("Sent"), at: Moment }),
  Schema.Struct({
    _tag: Schema.Literal("Ended"),
    at: Moment,
    outcome: Outcome,
    sub_status: Schema.NullOr(SubStatus),
    duration_seconds: Schema.NonNegative,
    error_code: Text,
    error_message: Text,
    carrier_message: Schema.optionalWith(Text, { exact: true })
  }),
  Schema.Struct({
    _tag: Schema.Literal("RecordingReady"),
    at: Moment,
    recording: Schema.Struct({
      carrier_recording_id: Schema.String,
      track: Schema.Literal("mixed", "caller", "agent"),
      channels: Schema.Int,
      format: Schema.String,
      duration_seconds: Schema.NonNegative,
      size_bytes: Schema.NullOr(Schema.NonNegative),
      url: Text,
      started_at: Moment
    })
  })
)

export const CallProgressSchema: Schema.Schema<CallProgress> = Schema.Struct({
  workspace_id: Schema.String,
  key: Schema.String,
  progress: ProgressSchema
})

export const LookupSchema: Schema.Schema<Lookup> = Schema.Union(
  Schema.Struct({ _tag: Schema.Literal("NeverReceived") }),
  Schema.Struct({
    _tag: Schema.Literal("Known"),
    carrier_call_id: Id,
    progress: Schema.Array(ProgressSchema)
  })
)

export const ReplySchema: Schema.Schema<Reply> = Schema.Struct({
  from_number: Schema.String,
  to_number: Schema.String,
  at: Moment,
  text: Schema.optionalWith(Schema.String, { exact: true })
})
