import { Schema } from "effect"

export class SessionNotFound extends Schema.TaggedError<SessionNotFound>()("SessionNotFound", {
  session_id: Schema.String
}) {
  override get message() {
    return "no such session"
  }
}

/** What is being said is not deleted before the conversation is over. */
export class SessionUnderWay extends Schema.TaggedError<SessionUnderWay>()("SessionUnderWay", {
  session_id: Schema.String
}) {
  override get message() {
    return "the conversation is still under way"
  }
}
