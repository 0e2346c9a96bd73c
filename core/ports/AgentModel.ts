import { Context, type Effect } from "effect"
import type { Message } from "../model/conversations/History.ts"
import type { ModelFailure, Usage } from "./ModelFailure.ts"

/** A tool as a model is told of it. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** What an agent says next is asked for with this. */
export interface AgentRequest {
  /** The same for each request of one conversation. */
  readonly session_id: string
  readonly agent: {
    readonly name: string
    /** With its variables filled in. */
    readonly prompt: string
    readonly language: string
    /** Null: the deployment's own. */
    readonly model: string | null
    readonly temperature: number | null
  }
  /** The talk so far, oldest first. */
  readonly messages: ReadonlyArray<Message>
  /** Empty when no tool may be used. */
  readonly tools: ReadonlyArray<ToolDefinition>
}

export type AgentPart =
  /** What is said, in pieces as they come; never empty. */
  | { readonly _tag: "Text"; readonly text: string }
  /** The last part of an answer that uses tools. Arguments are the model's own text. */
  | {
      readonly _tag: "ToolCalls"
      readonly calls: ReadonlyArray<{ readonly name: string; readonly arguments: string }>
    }
  | { readonly _tag: "Used"; readonly usage: Usage }

/** The mind of an agent that talks. */
export class AgentModel extends Context.Tag("outdial/AgentModel")<
  AgentModel,
  {
    /** What is shown as the model's name, where no agent names one. */
    readonly name: string
    /**
     * Asks once, and never again. Each part is heard as it comes, and the answer is whole when this completes.
     * Interruption ends the request. `hear` does not throw.
     */
    readonly reply: (
      request: AgentRequest,
      hear: (part: AgentPart) => void
    ) => Effect.Effect<void, ModelFailure>
  }
>() {}
