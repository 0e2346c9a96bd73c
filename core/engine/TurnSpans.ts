import { Context, Effect, Exit, FiberRef, identity, type Tracer } from "effect"
import type { ConversationState, Turn } from "../model/conversations/Conversation.ts"

/** Spans of what is said in a conversation. They tell who spoke and how quickly, and no word of it. */
export interface TurnSpans {
  /** Has work done as a part of the turn that the agent is about to make. */
  readonly within: <A>(work: Effect.Effect<A>) => Effect.Effect<A>
  /** Ends a span for each turn that was added. */
  readonly changed: (after: ConversationState, before: ConversationState) => void
  /** Ends what is left when the conversation leaves this process. */
  readonly end: () => void
}

const none: TurnSpans = { within: identity, changed: () => undefined, end: () => undefined }

const nanos = (millis: number): bigint => BigInt(Math.round(millis)) * 1_000_000n

const attributesOf = (turn: Exclude<Turn, { readonly role: "note" }>): Readonly<Record<string, unknown>> => {
  if (turn.role === "callee") return { digits: turn.digits }
  const since = (at: number | null) =>
    at === null || turn.requested_at === null ? null : Math.max(0, at - turn.requested_at)
  return {
    interrupted: turn.interrupted,
    tools: turn.segments.reduce((sum, { tools }) => sum + tools.length, 0),
    first_token_ms: since(turn.first_token_at),
    first_sound_ms: since(turn.first_sound_at)
  }
}

/**
 * One span a turn, from the request to the model (or the beginning of what is said) to its end; what was generated and
 * the tools that were used for it are its children.
 */
export const makeTurnSpans = Effect.fnUntraced(function* (session_id: string) {
  if (!(yield* FiberRef.get(FiberRef.currentTracerEnabled))) return none
  const tracer = yield* Effect.tracer
  const clock = yield* Effect.clock
  const parent = yield* Effect.option(Effect.currentParentSpan)
  let open: Tracer.Span | null = null

  const begin = (at: number) =>
    tracer.span("Conversation.turn", parent, Context.empty(), [], nanos(at), "internal")

  const finish = (span: Tracer.Span, at: number, attributes: Readonly<Record<string, unknown>>) => {
    for (const [name, value] of Object.entries({ session_id, ...attributes })) {
      if (value !== null) span.attribute(name, value)
    }
    span.end(nanos(at), Exit.void)
  }

  return {
    within: (work) =>
      Effect.suspend(() => {
        open ??= begin(clock.unsafeCurrentTimeMillis())
        return Effect.withParentSpan(work, open)
      }),
    changed: (after, before) => {
      if (after.turns === before.turns) return
      for (const turn of after.turns.slice(before.turns.length)) {
        if (turn.role === "note") continue
        const isAgent = turn.role === "agent"
        const span = (isAgent ? open : null) ?? begin(turn.started_at)
        if (isAgent) open = null
        finish(span, turn.ended_at, { role: turn.role, ...attributesOf(turn) })
      }
    },
    end: () => {
      if (open !== null) finish(open, clock.unsafeCurrentTimeMillis(), { role: "agent" })
      open = null
    }
  } satisfies TurnSpans
})
