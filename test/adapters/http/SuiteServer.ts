import { Effect, Layer } from "effect"
import type { Scenario } from "../../../core/model/suites/Suite.ts"
import { ScenarioGenerator } from "../../../core/ports/ScenarioGenerator.ts"
import { type Options, start } from "./Harness.ts"

export const none = { input_tokens: 0, output_tokens: 0 }

export const generating = (generate: ScenarioGenerator["Type"]["generate"]) =>
  Layer.succeed(ScenarioGenerator, { generate })

export const scenario = (label: string, change: Partial<Scenario> = {}): Scenario => ({
  label,
  instructions: "You want to know who calls.",
  runs: 1,
  max_turns: 6,
  ...change
})

/** A server with an agent, and ways to have suites and runs. */
export const startSuites = Effect.fnUntraced(function* (options: Options = {}) {
  const server = yield* start(options)
  const newAgent = (over: object = {}) =>
    Effect.map(
      server.call("/agents", {
        json: {
          name: "Mia",
          prompt: "You call {{name}} for {{company}} to confirm an appointment. Ask {{name}} if it suits.",
          first_message: "Hello {{name}}, this is Mia.",
          ...over
        }
      }),
      ({ json }) => json.id as string
    )
  const agent_id = yield* newAgent()
  const generate = (over: object = {}) =>
    server.call("/agent-test-suites/generate", { json: { agent_id, ...over } })
  const patch = (id: string, json: unknown) =>
    server.call(`/agent-test-suites/${id}`, { method: "PATCH", json })
  /** The id of a suite of these scenarios. */
  const suite = (
    scenarios: ReadonlyArray<Scenario>,
    config: object = { judges: ["safety"], variables: {} }
  ) =>
    Effect.gen(function* () {
      const { id } = (yield* generate({ count: 1 })).json
      yield* patch(id, { scenarios, config })
      return id as string
    })
  const balance = server.credits.balance(server.workspace.id)
  /** Kinds and amounts of a workspace's movements of credits, oldest first. */
  const movements = (reference: string) =>
    Effect.map(
      server.call(`/credits/ledger?reference=${reference}`),
      ({ json }): ReadonlyArray<readonly [string, number]> =>
        json.data
          .map(({ amount, kind }: { kind: string; amount: number }) => [kind, amount] as const)
          .reverse()
    )
  const held = server.repository.holds.nextExpiry(server.workspace.id)
  const suites = Effect.map(server.call("/agent-test-suites"), ({ json }) => json)
  const run = (suite_id: string) => server.call("/agent-test-runs", { json: { suite_id } })
  const detail = (id: string) => server.call(`/agent-test-runs/${id}`)
  /** The run, once it has ended. */
  const ended = (id: string) =>
    detail(id).pipe(
      Effect.delay("10 millis"),
      Effect.repeat({ until: ({ json }) => json.completed_at !== null })
    )
  const cancel = (id: string) => server.call(`/agent-test-runs/${id}/cancel`, { method: "POST" })
  return {
    ...server,
    newAgent,
    agent_id,
    generate,
    patch,
    suite,
    balance,
    movements,
    held,
    suites,
    run,
    detail,
    ended,
    cancel
  }
})
