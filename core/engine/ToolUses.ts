import { Cause, Clock, Effect } from "effect"
import type { AgentTool } from "../model/agents/Talk.ts"
import type { ConversationState, ToolCall, ToolUse } from "../model/conversations/Conversation.ts"
import { RawJson } from "../model/json/RawJson.ts"
import { secretsAt } from "../model/webhooks/SigningSecret.ts"
import { ToolRunner } from "../ports/ToolRunner.ts"
import { faultOf } from "./Faults.ts"
import type { JournalWriter } from "./JournalWriter.ts"
import * as Metrics from "./Metrics.ts"
import { makeToolSecret } from "./ToolSecret.ts"

/** Where tools are used: in a session of a call or a trial, or in a play of a test. */
export interface ToolUser {
  readonly agent: { readonly tools: ReadonlyArray<AgentTool> }
  readonly session: {
    readonly customer_id: string
    readonly session_id: string
    readonly call_id: string | null
  }
  readonly metadata: RawJson | null
}

export const refused = (error: string): string => JSON.stringify({ ok: false, error })

/** What a model is told of a tool whose answer is lost, and which may not be asked again. */
const unknown = JSON.stringify({
  ok: null,
  error: "it is not known whether this was carried out: do not use it again"
})

const objectIn = (text: string): RawJson | null => {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text)
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? RawJson(text === "" ? "{}" : text)
      : null
  } catch {
    return null
  }
}

/** Carries out the own tools of an agent: each use once, under a key of its own, when it is stored. */
export const makeToolUses = Effect.gen(function* () {
  const runner = yield* ToolRunner
  const toolSecret = yield* makeToolSecret

  const prepare = ({ agent, metadata, session }: ToolUser, journal: Pick<JournalWriter, "flush">) => {
    const toolOf = (name: string) => agent.tools.find((tool) => tool.name === name)

    const run = Effect.fnUntraced(
      function* (call: ToolCall) {
        const tool = toolOf(call.name)
        if (tool === undefined) return refused("there is no tool of this name")
        const given = objectIn(call.arguments)
        if (given === null) return refused("the arguments must be one JSON object")
        yield* journal.flush
        return yield* runner
          .run({
            workspace_id: session.customer_id,
            tool,
            secrets: secretsAt(yield* toolSecret.get(session.customer_id), yield* Clock.currentTimeMillis),
            idempotency_key: `${session.session_id}/${call.id}`,
            session_id: session.session_id,
            call_id: session.call_id,
            arguments: given,
            metadata
          })
          .pipe(
            Effect.catchTag("ToolFailed", ({ message }) =>
              Effect.as(Metrics.count(Metrics.toolFailures), refused(message))
            )
          )
      },
      (work, { name }) =>
        Effect.withSpan(work, "Conversation.tool", {
          attributes: { session_id: session.session_id, tool: name }
        })
    )

    /** Uses that were under way when the process that held the conversation died: to be sent again, or given up. */
    const unfinished = (state: ConversationState): ReadonlyArray<ToolUse> =>
      Object.values(state.tools)
        .filter(({ result }) => result === null)
        .map((use) => (toolOf(use.name)?.repeatable === true ? use : { ...use, result: unknown }))

    return {
      run: (call: ToolCall): Effect.Effect<string> =>
        Effect.catchAllCause(run(call), (cause) =>
          // What failed may repeat the arguments: its kind and place alone are told.
          Effect.as(
            Effect.logError("a tool could not be carried out", faultOf(Cause.squash(cause))),
            refused("the tool failed")
          )
        ),
      unfinished
    }
  }

  return { prepare }
})
