import { Schema } from "effect"

export class AgentNotFound extends Schema.TaggedError<AgentNotFound>()("AgentNotFound", {
  agent_id: Schema.String
}) {
  override get message() {
    return "no such agent"
  }
}

export class AgentVersionNotFound extends Schema.TaggedError<AgentVersionNotFound>()("AgentVersionNotFound", {
  agent_id: Schema.String,
  version: Schema.Int
}) {
  override get message() {
    return "the agent has no such version"
  }
}
