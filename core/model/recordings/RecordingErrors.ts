import { Schema } from "effect"

/** There is no such recording in the workspace, or no audio of it. */
export class RecordingNotFound extends Schema.TaggedError<RecordingNotFound>()("RecordingNotFound", {
  recording_id: Schema.String
}) {
  override get message() {
    return "no such recording"
  }
}

/** A link that opens nothing. */
export class LinkRefused extends Schema.TaggedError<LinkRefused>()("LinkRefused", {
  reason: Schema.Literal("expired", "forged")
}) {
  override get message() {
    return this.reason === "expired"
      ? "the link has expired: the list of the session's recordings has a new one"
      : "the link is not one that this service has made"
  }
}
