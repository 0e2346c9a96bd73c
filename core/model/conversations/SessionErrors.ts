import { Schema } from "effect"

export class SessionNotFound extends Schema.TaggedError<SessionNotFound>()("SessionNotFound", {
  session_id: Schema.String
}) {
  override get message() {
    return "no such session"
  }
}
