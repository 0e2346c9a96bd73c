import { Schema } from "effect"

export class WorkspaceNotFound extends Schema.TaggedError<WorkspaceNotFound>()("WorkspaceNotFound", {
  workspace_id: Schema.String
}) {
  override get message() {
    return "no such workspace"
  }
}

export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", {
  key_id: Schema.String
}) {
  override get message() {
    return "no such API key, or it is revoked already"
  }
}

/** The balance does not cover what was asked for. */
export class InsufficientCredits extends Schema.TaggedError<InsufficientCredits>()("InsufficientCredits", {
  required: Schema.Int,
  balance: Schema.Int
}) {
  override get message() {
    return `insufficient credits: ${this.required} needed, ${this.balance} available`
  }
}
