import { Schema } from "effect"

export class AgentNotFound extends Schema.TaggedError<AgentNotFound>()("AgentNotFound", {
  agent_id: Schema.String
}) {
  override get message() {
    return "no such agent"
  }
}
