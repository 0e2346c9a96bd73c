import { Schema } from "effect"

export class AgentNotFound extends Schema.TaggedError<AgentNotFound>()("AgentNotFound", {
  agent_id: Schema.String
}) {
  override get message() {
    return "no such agent"
  }
}

/** Deleting it would leave what names it without an agent. */
export class AgentInUse extends Schema.TaggedError<AgentInUse>()("AgentInUse", {
  /** Which of its users there is, by its name in the interface, and that user's id. */
  user: Schema.Literal("campaign_id", "call_id", "suite_id"),
  id: Schema.String
}) {
  override get message() {
    return `the agent is in use: ${
      { campaign_id: "a campaign that has not ended", call_id: "a call under way", suite_id: "a test suite" }[
        this.user
      ]
    } names it`
  }

  get details() {
    return { [this.user]: this.id }
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
