import { Effect, FiberRef, Metric, MetricBoundaries } from "effect"
import type { Turn } from "../model/conversations/Conversation.ts"

/** How often each of a few things happened: one counter a label, made once. */
const family = <Label extends string>(
  name: string,
  description: string,
  key: string,
  labels: ReadonlyArray<Label>
): Readonly<Record<Label, Metric.Metric.Counter<number>>> => {
  const counter = Metric.counter(name, { description, incremental: true })
  return Object.fromEntries(labels.map((label) => [label, Metric.tagged(counter, key, label)])) as Record<
    Label,
    Metric.Metric.Counter<number>
  >
}

/** `Metric.increment` in one step of the fiber runtime, where it takes five: each dial and each delivery is counted. */
export const count = (counter: Metric.Metric.Counter<number>): Effect.Effect<void> =>
  Effect.withFiberRuntime((fiber) => {
    counter.unsafeUpdate(1, fiber.getFiberRef(FiberRef.currentMetricLabels))
    return Effect.void
  })

export const callsPlaced = Metric.counter("outdial_calls_placed_total", {
  description: "Calls accepted",
  incremental: true
})

export const dials = family("outdial_dials_total", "Dials, by what the carrier answered", "result", [
  "accepted",
  "refused",
  "unreachable",
  "in_doubt"
])

export const deliveries = family(
  "outdial_webhook_deliveries_total",
  "Tries to deliver a webhook event, by what came of them",
  "result",
  ["acknowledged", "gone", "failed"]
)

export const modelFailures = Metric.counter("outdial_agent_model_failures_total", {
  description: "Answers of agents' models that failed in a conversation",
  incremental: true
})

export const toolFailures = Metric.counter("outdial_tool_failures_total", {
  description: "Uses of agents' own tools that failed",
  incremental: true
})

export const interruptions = Metric.counter("outdial_conversation_interruptions_total", {
  description: "Turns of agents that a callee has interrupted",
  incremental: true
})

export const reviews = family(
  "outdial_reviews_total",
  "Tries to review a call, by what came of them",
  "result",
  ["done", "retried", "failed"]
)

const latency = (name: string, description: string) =>
  Metric.histogram(
    name,
    MetricBoundaries.fromIterable([0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2, 3, 5, 8, 15]),
    description
  )

const latencies = {
  first_token_at: latency(
    "outdial_turn_first_token_seconds",
    "From a request to an agent's model to the first text of its answer, of conversations that are over"
  ),
  first_sound_at: latency(
    "outdial_turn_first_sound_seconds",
    "From a request to an agent's model to the first sound of its answer, of conversations that are over"
  )
}

/** Counts how quickly the agent answered in a conversation. */
export const observeTurns = (turns: ReadonlyArray<Turn>): Effect.Effect<void> =>
  Effect.forEach(
    turns,
    (turn) =>
      turn.role !== "agent" || turn.requested_at === null
        ? Effect.void
        : Effect.forEach(["first_token_at", "first_sound_at"] as const, (of) =>
            turn[of] === null
              ? Effect.void
              : Metric.update(latencies[of], Math.max(0, turn[of] - turn.requested_at!) / 1_000)
          ),
    { discard: true }
  )

const openConversations = Metric.gauge("outdial_conversations_open", {
  description: "Conversations that this process holds"
})

let open = 0

/** Counts a conversation as open while it is held. */
export const whileOpen = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const count = (change: number) =>
    Effect.suspend(() => {
      open += change
      return Metric.set(openConversations, open)
    })
  return Effect.acquireUseRelease(
    count(1),
    () => work,
    () => count(-1)
  )
}
