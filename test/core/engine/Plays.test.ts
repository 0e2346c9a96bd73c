import { Effect, Layer, Ref, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as ScenarioGenerator from "../../../adapters/simulated/SimulatedScenarios.ts"
import * as SimulatedTools from "../../../adapters/simulated/SimulatedTools.ts"
import { type Play, resultOf } from "../../../core/model/suites/Play.ts"
import type { Scenario, SuiteConfig } from "../../../core/model/suites/Suite.ts"
import { AgentModel, type AgentPart, type AgentRequest } from "../../../core/ports/AgentModel.ts"
import { AgentSimulator, type Play as Asked } from "../../../core/ports/AgentSimulator.ts"
import { ModelBusy, type ModelFailure } from "../../../core/ports/ModelFailure.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import type { ToolRunner } from "../../../core/ports/ToolRunner.ts"
import { Agents } from "../../../core/usecases/Agents.ts"
import { Runs } from "../../../core/usecases/Runs.ts"
import { Suites } from "../../../core/usecases/Suites.ts"
import * as Platform from "../../Platform.ts"

const text = (said: string): ReadonlyArray<AgentPart> => [{ _tag: "Text", text: said }]
const use = (name: string, given = "{}"): ReadonlyArray<AgentPart> => [
  { _tag: "ToolCalls", calls: [{ name, arguments: given }] }
]

/** A platform whose agents think, and whose personas speak, as told. Judges pass everything. */
const platform = (
  think: (request: AgentRequest) => Effect.Effect<ReadonlyArray<AgentPart>, ModelFailure>,
  speak: (asked: Asked) => string,
  tools: Layer.Layer<ToolRunner> = SimulatedTools.layer(() => Effect.dieMessage("a tool was called"))
) =>
  Platform.layerOf({
    tools,
    mind: Layer.succeed(AgentModel, {
      name: "scripted",
      reply: (request, hear) => Effect.map(think(request), (parts) => parts.forEach(hear))
    }),
    model: Layer.merge(
      ScenarioGenerator.layer,
      Layer.succeed(AgentSimulator, {
        name: "scripted",
        personaTurn: (asked) =>
          Effect.sync(() => {
            const said = speak(asked)
            return {
              text: said.replace(/ BYE$/, ""),
              hangs_up: said.endsWith(" BYE"),
              usage: { input_tokens: 0, output_tokens: 0 }
            }
          }),
        judge: () =>
          Effect.succeed({
            verdict: "pass" as const,
            reasoning: "as wished",
            usage: { input_tokens: 0, output_tokens: 0 }
          })
      })
    )
  })

const order = {
  name: "order_status",
  description: "Looks up an order.",
  parameters: { type: "object" },
  url: "https://example.com/orders",
  timeout_seconds: 10,
  repeatable: false
}

/** Plays one scenario once, and answers what came of it. */
const played = Effect.fnUntraced(function* (
  change: Partial<Scenario> = {},
  config: Partial<SuiteConfig> = {}
) {
  const tenant = yield* Platform.tenant()
  const workspace_id = tenant.workspace.id
  yield* (yield* Agents).update(workspace_id, tenant.agent.id, { tools: [order] })
  const suites = yield* Suites
  const request = { agent_id: tenant.agent.id, count: 1, judges: ["safety"], hint: null, name: null }
  const suite = yield* suites.generate(workspace_id, request, "key_1")
  yield* suites.update(workspace_id, suite.id, {
    scenarios: [{ label: "A", instructions: "You are in a hurry.", runs: 1, max_turns: 8, ...change }],
    config: { ...suite.config, variables: { name: "Ada" }, ...config }
  })
  const runs = yield* Runs
  const { id } = yield* runs.start(workspace_id, suite.id)
  for (let i = 0; i < 100; i++) {
    const { plays, run } = yield* runs.get(workspace_id, id)
    if (run.completed_at !== null) {
      return { tenant, run, play: plays[0]!, result: resultOf(plays[0]!, run.subject.model) }
    }
    yield* TestClock.adjust("1 second")
  }
  return yield* Effect.dieMessage("the run does not end")
})

const linesOf = ({ transcript }: Pick<Play, "transcript">) =>
  transcript.map(({ role, text }) => `${role}: ${text}`)

const answersOnce = (request: AgentRequest) =>
  Effect.succeed(
    request.messages.some(({ role }) => role === "tool") ? text("It is on its way.") : use("order_status")
  )

describe("A play", () => {
  it.scoped("has tools answer what the scenario says, and shows their use", () =>
    Effect.gen(function* () {
      const tool_results = { order_status: { status: "sent", items: [1, null] } }
      const { result } = yield* played({ tool_results, max_turns: 3 })
      assert.deepStrictEqual(linesOf(result), [
        "agent: Hello Ada",
        "persona: Where is my order?",
        "agent: It is on its way."
      ])
      assert.deepStrictEqual(result.tool_calls, [
        { turn: 3, name: "order_status", arguments: "{}", result: JSON.stringify(tool_results.order_status) }
      ])
      assert.deepStrictEqual(Object.keys(result.transcript[2]!), ["role", "text", "at"])
    }).pipe(Effect.provide(platform(answersOnce, () => "Where is my order?")))
  )

  it.scoped("makes up what a tool answers of which the scenario says nothing", () =>
    Effect.gen(function* () {
      const { result } = yield* played({ max_turns: 3 })
      assert.deepStrictEqual(
        result.tool_calls.map(({ result }) => result),
        [`{"ok":true}`]
      )
    }).pipe(Effect.provide(platform(answersOnce, () => "Where is my order?")))
  )

  it.scoped("has the real tool called where the suite asks for it, and the scenario does not say more", () =>
    Effect.gen(function* () {
      const { result } = yield* played({ max_turns: 3 }, { real_tools: true })
      assert.deepStrictEqual(
        result.tool_calls.map(({ result }) => result),
        [`{"status":"real"}`]
      )
      const told = yield* played({ max_turns: 3, tool_results: { order_status: 1 } }, { real_tools: true })
      assert.deepStrictEqual(
        told.result.tool_calls.map(({ result }) => result),
        ["1"]
      )
    }).pipe(
      Effect.provide(
        platform(
          answersOnce,
          () => "Where is my order?",
          SimulatedTools.layer(() => Effect.as(Effect.sleep("1 second"), `{"status":"real"}`))
        )
      )
    )
  )

  it.scoped("refuses a tool that the agent does not have, and calls none of the platform's for good", () =>
    Effect.gen(function* () {
      const { result, tenant } = yield* played({ max_turns: 4 })
      assert.match(result.tool_calls[0]?.result ?? "", /there is no tool/)
      assert.strictEqual(result.tool_calls[1]?.name, "do_not_call")
      const { doNotCall } = yield* Repository
      const page = yield* doNotCall.list(tenant.workspace.id, { limit: 10, offset: 0 })
      assert.strictEqual(page.total, 0)
    }).pipe(
      Effect.provide(
        platform(
          ({ messages }) => {
            const uses = messages.filter(({ role }) => role === "tool").length
            return Effect.succeed(
              uses === 0 ? use("refund") : uses === 1 ? use("do_not_call") : text("Done.")
            )
          },
          () => "Never call me again."
        )
      )
    )
  )

  it.scoped("has the agent ask after a persona that falls silent, and end the call", () =>
    Effect.gen(function* () {
      const { result } = yield* played({ traits: { silent_after: 1 } })
      assert.deepStrictEqual(linesOf(result), [
        "agent: Hello Ada",
        "persona: Yes?",
        "agent: I am calling about your order.",
        "agent: Are you still there?",
        "agent: Thank you for your time. Goodbye."
      ])
      assert.isAtLeast(result.transcript[3]!.at - result.transcript[2]!.at, 10_000)
    }).pipe(
      Effect.provide(
        platform(
          () => Effect.succeed(text("I am calling about your order.")),
          () => "Yes?"
        )
      )
    )
  )

  it.scoped("shows of an agent that is interrupted what was heard", () =>
    Effect.gen(function* () {
      const { result } = yield* played({ traits: { interrupts: true }, max_turns: 5 })
      const said = "It is about your order. It was sent a week ago. It did not arrive. We are sorry."
      for (const { role, text } of result.transcript) {
        if (role === "agent") assert.isTrue(text === "Hello Ada" || said.startsWith(text), text)
      }
      const cut = result.transcript.filter(({ role, text }) => role === "agent" && text !== "Hello Ada")
      assert.isAbove(cut.length, 0)
      assert.isTrue(cut.every(({ text }) => text.length < said.length))
    }).pipe(
      Effect.provide(
        platform(
          () =>
            Effect.succeed(
              text("It is about your order. It was sent a week ago. It did not arrive. We are sorry.")
            ),
          () => "Wait, what order do you mean?"
        )
      )
    )
  )

  it.scoped("lets the persona press keys", () =>
    Effect.gen(function* () {
      const { result } = yield* played({ max_turns: 3 })
      assert.deepStrictEqual(linesOf(result), [
        "agent: Hello Ada",
        "persona: [keys pressed: 12#]",
        "agent: You pressed [keys pressed: 12#]."
      ])
    }).pipe(
      Effect.provide(
        platform(
          ({ messages }) => {
            const last = messages.findLast(({ role }) => role === "callee")
            return Effect.succeed(text(`You pressed ${last?.role === "callee" ? last.text : ""}.`))
          },
          () => "[press 12#]"
        )
      )
    )
  )

  it.scoped("ends when the persona hangs up, without asking the agent for more", () =>
    Effect.gen(function* () {
      const { result } = yield* played()
      assert.deepStrictEqual(linesOf(result), ["agent: Hello Ada", "persona: No."])
    }).pipe(
      Effect.provide(
        platform(
          () => Effect.dieMessage("asked"),
          () => "No. BYE"
        )
      )
    )
  )

  it.scoped("goes on where it stood after a model was busy, and pays for no turn twice", () =>
    Effect.gen(function* () {
      const asked = yield* Ref.make<ReadonlyArray<number>>([])
      const heard: Array<number> = []
      const think = ({ messages }: AgentRequest) =>
        Effect.flatMap(
          Ref.updateAndGet(asked, (before) => [...before, messages.length]),
          (all) =>
            all.length === 2
              ? Effect.fail(new ModelBusy({ message: "busy", retry_after: 20 }))
              : Effect.succeed(text(`Answer ${messages.length}.`))
        )
      yield* Effect.gen(function* () {
        const { play, run } = yield* played({ max_turns: 6 })
        assert.deepStrictEqual(linesOf(play), [
          "agent: Hello Ada",
          "persona: And 1?",
          "agent: Answer 2.",
          "persona: And 3?",
          "agent: Answer 4.",
          "persona: And 5?"
        ])
        assert.deepStrictEqual(
          [yield* Ref.get(asked), heard],
          [
            [2, 4, 4],
            [1, 3, 5]
          ]
        )
        assert.strictEqual(run.credits_used, 6)
      }).pipe(
        Effect.provide(
          platform(think, ({ transcript }) => {
            heard.push(transcript.length)
            return `And ${transcript.length}?`
          })
        )
      )
    })
  )
})
