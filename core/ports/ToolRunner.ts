import { Context, Data, type Effect } from "effect"
import type { AgentTool } from "../model/agents/Talk.ts"
import type { RawJson } from "../model/json/RawJson.ts"

/** A use of a tool of an agent's own. */
export interface ToolRequest {
  readonly workspace_id: string
  readonly tool: AgentTool
  /** `whsec_…`, what the request is signed with: two of them for 24 hours after a rotation, the newest first. */
  readonly secrets: ReadonlyArray<string>
  /** The same for each try of one use: the receiver tells repetitions by it. */
  readonly idempotency_key: string
  readonly session_id: string
  /** Null where no call is made. */
  readonly call_id: string | null
  /** The model's own text: an object of JSON. */
  readonly arguments: RawJson
  /** As supplied with the call. */
  readonly metadata: RawJson | null
}

/** The tool did not answer as it should; the message is for the model. */
export class ToolFailed extends Data.TaggedError("ToolFailed")<{
  readonly reason: "refused" | "timeout" | "unreachable" | "status" | "too_long"
  readonly message: string
}> {}

/** Carries out agents' own tools. */
export class ToolRunner extends Context.Tag("outdial/ToolRunner")<
  ToolRunner,
  {
    /** Sends the use once. Answers what the tool has answered: text of at most 32 KiB. */
    readonly run: (request: ToolRequest) => Effect.Effect<string, ToolFailed>
    /** Fails with a reason for people when a tool's address may not be called, as far as its text tells. */
    readonly vet: (url: string) => Effect.Effect<void, ToolFailed>
  }
>() {}
