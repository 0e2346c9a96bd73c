import { ConfigProvider, Deferred, Effect, Fiber, Layer, Ref, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as AgentSimulator from "../../../adapters/simulated/SimulatedConversation.ts"
import * as ScenarioGenerator from "../../../adapters/simulated/SimulatedScenarios.ts"
import type { Scenario } from "../../../core/model/suites/Suite.ts"
import { AgentModel } from "../../../core/ports/AgentModel.ts"
import { AgentSimulator as Simulator, type Play, type Turn } from "../../../core/ports/AgentSimulator.ts"
import {
  ModelBusy,
  type ModelFailure,
  ModelTimedOut,
  ModelUnavailable,
  ModelUnusable
} from "../../../core/ports/ModelFailure.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { ScenarioGenerator as Generator } from "../../../core/ports/ScenarioGenerator.ts"
import { Agents } from "../../../core/usecases/Agents.ts"
import { Credits } from "../../../core/usecases/Credits.ts"
import { Runs } from "../../../core/usecases/Runs.ts"
import { Suites } from "../../../core/usecases/Suites.ts"
import * as Platform from "../../Platform.ts"

const none = { input_tokens: 0, output_tokens: 0 }

const says = (text: string, hangs_up = false): Turn => ({ text, hangs_up, usage: none })

/** A persona that says what it is told to, and judges that pass everything. */
const speaking = (turn: (play: Play) => Effect.Effect<Turn, ModelFailure>) =>
  Layer.succeed(Simulator, {
    name: "scripted",
    personaTurn: turn,
    judge: () => Effect.succeed({ verdict: "pass" as const, reasoning: "as wished", usage: none })
  })

/** An agent that says the same each time, as `before` lets it. */
const agentSaying = (text: string, before: Effect.Effect<unknown, ModelFailure> = Effect.void) =>
  Layer.succeed(AgentModel, {
    name: "scripted",
    reply: (_, hear) => Effect.map(before, () => hear({ _tag: "Text", text }))
  })

const platform = (
  simulator: Layer.Layer<Simulator> = AgentSimulator.layer,
  settings: Readonly<Record<string, string>> = {},
  generator: Layer.Layer<Generator> = ScenarioGenerator.layer,
  mind?: Layer.Layer<AgentModel>
) =>
  Platform.layerOf({
    ...(mind && { mind }),
    model: Layer.merge(simulator, generator),
    settings: ConfigProvider.fromMap(new Map(Object.entries(settings)))
  })

const scenario = (label: string, change: Partial<Scenario> = {}): Scenario => ({
  label,
  instructions: "You are in a hurry and want to know why you are called.",
  runs: 1,
  max_turns: 6,
  ...change
})

/** A suite of these scenarios. */
const suiteOf = Effect.fnUntraced(function* (tenant: Platform.Tenant, scenarios: ReadonlyArray<Scenario>) {
  const suites = yield* Suites
  const request = {
    agent_id: tenant.agent.id,
    count: 1,
    judges: ["safety", "relevancy"],
    hint: null,
    name: null
  }
  const { id } = yield* suites.generate(tenant.workspace.id, request, "key_1")
  return yield* suites.update(tenant.workspace.id, id, { scenarios })
})

const balance = ({ workspace }: Platform.Tenant) =>
  Effect.flatMap(Credits, ({ balance }) => balance(workspace.id))

const ended = Effect.fnUntraced(function* ({ workspace }: Platform.Tenant, run_id: string) {
  const runs = yield* Runs
  for (let i = 0; i < 400; i++) {
    const { plays, run } = yield* runs.get(workspace.id, run_id)
    if (run.completed_at !== null) return { run, plays }
    yield* TestClock.adjust("1 second")
  }
  return yield* Effect.dieMessage("the run does not end")
})

describe("a test run", () => {
  it.scoped("plays every scenario as often as it says, judges each play, and charges each turn once", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const suite = yield* suiteOf(tenant, [
        scenario("hurried", { runs: 3 }),
        scenario("curious", { max_turns: 3 })
      ])
      const before = yield* balance(tenant)
      const queued = yield* (yield* Runs).start(tenant.workspace.id, suite.id)
      assert.deepStrictEqual([queued.status, queued.counts.total], ["queued", 4])
      const { plays, run } = yield* ended(tenant, queued.id)
      assert.strictEqual(run.status, "completed")
      assert.deepStrictEqual(
        plays.map(({ run_index, scenario }) => [scenario.label, run_index]),
        [
          ["hurried", 1],
          ["hurried", 2],
          ["hurried", 3],
          ["curious", 1]
        ]
      )
      let turns = 0
      for (const play of plays) {
        turns += play.transcript.length
        assert.isAtMost(play.transcript.length, play.scenario.max_turns)
        assert.deepStrictEqual(
          play.transcript.map(({ role }) => role),
          play.transcript.map((_, i) => (i % 2 === 0 ? "agent" : "persona"))
        )
        assert.deepStrictEqual(Object.keys(play.judgments).sort(), ["relevancy", "safety"])
        assert.include(["pass", "fail"], play.status)
      }
      assert.deepStrictEqual([run.credits_used, before - (yield* balance(tenant))], [turns, turns])
      const { failed, passed } = run.counts
      assert.strictEqual(passed + failed, 4)
      assert.isTrue(run.score !== null && run.score >= 0 && run.score <= 1)
      assert.deepStrictEqual(yield* (yield* Repository).workspaces.withWork, [])
    }).pipe(Effect.provide(platform()))
  )

  it.scoped("goes on with what it was started with, whatever becomes of suite and agent", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const suite = yield* suiteOf(tenant, [scenario("a")])
      const { id } = yield* (yield* Runs).start(tenant.workspace.id, suite.id)
      yield* (yield* Suites).remove(tenant.workspace.id, suite.id)
      yield* (yield* Agents).update(tenant.workspace.id, tenant.agent.id, { prompt: "Say nothing." })
      const { plays, run } = yield* ended(tenant, id)
      assert.strictEqual(run.subject.agent.prompt, "Call {{name}}")
      assert.strictEqual(plays.length, 1)
    }).pipe(Effect.provide(platform()))
  )

  it.scoped("a scenario whose model answers nothing of use does not sink the others", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const suite = yield* suiteOf(tenant, [scenario("good"), scenario("bad"), scenario("slow")])
      const { id } = yield* (yield* Runs).start(tenant.workspace.id, suite.id)
      const { plays, run } = yield* ended(tenant, id)
      assert.deepStrictEqual(run.counts, { total: 3, passed: 1, failed: 0, errored: 2 })
      assert.deepStrictEqual([run.status, run.score], ["completed", 1])
      assert.deepStrictEqual(
        plays.map(({ error, status }) => [status, error]),
        [
          ["pass", null],
          ["error", "nothing of use"],
          ["error", "no answer in time"]
        ]
      )
    }).pipe(
      Effect.provide(
        platform(
          speaking(({ scenario, transcript }) =>
            scenario.label === "bad" && transcript.length > 2
              ? Effect.fail(new ModelUnusable({ message: "nothing of use" }))
              : scenario.label === "slow"
                ? Effect.fail(new ModelTimedOut({ message: "no answer in time" }))
                : Effect.succeed(says("well", transcript.length > 2))
          )
        )
      )
    )
  )

  it.scoped("a model that is busy is asked again when it said so", () =>
    Effect.gen(function* () {
      const asked = yield* Ref.make(0)
      yield* Effect.gen(function* () {
        const tenant = yield* Platform.tenant()
        const suite = yield* suiteOf(tenant, [scenario("a", { max_turns: 2 })])
        const { id } = yield* (yield* Runs).start(tenant.workspace.id, suite.id)
        yield* TestClock.adjust("29 seconds")
        assert.strictEqual(yield* Ref.get(asked), 1)
        yield* TestClock.adjust("2 seconds")
        const { run } = yield* ended(tenant, id)
        assert.deepStrictEqual([run.status, run.counts.passed], ["completed", 1])
      }).pipe(
        Effect.provide(
          platform(
            speaking(() =>
              Effect.flatMap(
                Ref.updateAndGet(asked, (count) => count + 1),
                (count) =>
                  count === 1
                    ? Effect.fail(new ModelBusy({ message: "busy", retry_after: 30 }))
                    : Effect.succeed(says("hello"))
              )
            )
          )
        )
      )
    })
  )

  it.scoped("a run in which nothing can be played has failed", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const suite = yield* suiteOf(tenant, [scenario("a"), scenario("b")])
      const { id } = yield* (yield* Runs).start(tenant.workspace.id, suite.id)
      const { run } = yield* ended(tenant, id)
      assert.deepStrictEqual([run.status, run.counts.errored, run.error], ["failed", 2, "out of reach"])
    }).pipe(
      Effect.provide(platform(speaking(() => Effect.fail(new ModelUnavailable({ message: "out of reach" })))))
    )
  )

  it.scoped("cancelled, ends before the next turn, and pays for nothing more", () =>
    Effect.gen(function* () {
      const reached = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const waiting = yield* Ref.make(0)
      yield* Effect.gen(function* () {
        const tenant = yield* Platform.tenant()
        const suite = yield* suiteOf(tenant, [scenario("a", { runs: 5 })])
        const runs = yield* Runs
        const before = yield* balance(tenant)
        const { id } = yield* runs.start(tenant.workspace.id, suite.id)
        yield* Deferred.await(reached)
        const cancelled = yield* runs.cancel(tenant.workspace.id, id)
        assert.deepStrictEqual([cancelled.status, cancelled.counts.errored], ["cancelled", 5])
        yield* Deferred.succeed(gate, undefined)
        yield* TestClock.adjust("1 minute")
        const { plays, run } = yield* runs.get(tenant.workspace.id, id)
        const turns = plays.reduce((sum, { transcript }) => sum + transcript.length, 0)
        assert.deepStrictEqual(
          [run.status, run.credits_used, before - (yield* balance(tenant))],
          ["cancelled", turns, turns]
        )
        assert.strictEqual(turns, 5 * 2)
        const again = yield* Effect.flip(runs.cancel(tenant.workspace.id, id))
        assert.strictEqual(again._tag, "RunEnded")
      }).pipe(
        Effect.provide(
          platform(
            speaking(() => Effect.succeed(says("hello"))),
            {},
            ScenarioGenerator.layer,
            agentSaying(
              "late",
              Effect.zipRight(
                Effect.flatMap(
                  Ref.updateAndGet(waiting, (count) => count + 1),
                  (count) => (count === 5 ? Deferred.succeed(reached, undefined) : Effect.void)
                ),
                Deferred.await(gate)
              )
            )
          )
        )
      )
    })
  )

  it.scoped("gives up what is not finished by its deadline", () => {
    const late = Effect.unsafeMakeLatch()
    return Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const suite = yield* suiteOf(tenant, [scenario("a"), scenario("b")])
      const { id } = yield* (yield* Runs).start(tenant.workspace.id, suite.id)
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual((yield* (yield* Runs).get(tenant.workspace.id, id)).run.status, "running")
      yield* TestClock.adjust("2 seconds")
      const { run } = yield* (yield* Runs).get(tenant.workspace.id, id)
      assert.deepStrictEqual([run.status, run.error, run.counts.errored], ["failed", "deadline exceeded", 2])
      yield* late.open
    }).pipe(
      Effect.provide(
        platform(
          speaking(() => Effect.as(late.await, says("hello"))),
          { OUTDIAL_TEST_DEADLINE: "1 minute" }
        )
      )
    )
  })

  it.scoped("ends when credits run out, having charged no more than there were", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant({}, 10)
      const suite = yield* suiteOf(tenant, [scenario("a", { runs: 4, max_turns: 8 })])
      const { id } = yield* (yield* Runs).start(tenant.workspace.id, suite.id)
      const { run } = yield* ended(tenant, id)
      assert.deepStrictEqual([run.status, run.error, run.credits_used], ["failed", "insufficient credits", 9])
      assert.strictEqual(yield* balance(tenant), 0)
    }).pipe(
      Effect.provide(
        platform(
          speaking(() => Effect.succeed(says("hello"))),
          {},
          ScenarioGenerator.layer,
          agentSaying("and then?")
        )
      )
    )
  )

  it.scoped("keeps as many plays in flight as the cap allows, and no more", () =>
    Effect.gen(function* () {
      const flying = yield* Ref.make({ now: 0, most: 0 })
      const turn = Effect.acquireUseRelease(
        Ref.update(flying, ({ most, now }) => ({ now: now + 1, most: Math.max(most, now + 1) })),
        () => Effect.as(Effect.sleep("1 second"), says("hello")),
        () => Ref.update(flying, ({ most, now }) => ({ most, now: now - 1 }))
      )
      yield* Effect.gen(function* () {
        const tenant = yield* Platform.tenant({}, 10_000)
        const suite = yield* suiteOf(tenant, [
          scenario("a", { runs: 100, max_turns: 10 }),
          scenario("b", { runs: 50, max_turns: 4 })
        ])
        const { id } = yield* (yield* Runs).start(tenant.workspace.id, suite.id)
        yield* TestClock.adjust("1 millis")
        assert.strictEqual((yield* Ref.get(flying)).now, 50)
        for (let i = 0; i < 20; i++) {
          yield* TestClock.adjust("1 second")
          assert.strictEqual((yield* Ref.get(flying)).now, 50)
        }
        const { run } = yield* ended(tenant, id)
        assert.strictEqual(run.counts.passed, 150)
        assert.strictEqual((yield* Ref.get(flying)).most, 50)
      }).pipe(
        Effect.provide(
          platform(
            speaking(() => turn),
            {},
            ScenarioGenerator.layer,
            agentSaying("and then?", turn)
          )
        )
      )
    })
  )
})

describe("the generation of a suite", () => {
  it.scoped("holds what was asked for, and charges what was made", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant({}, 20)
      const suites = yield* Suites
      const request = { agent_id: tenant.agent.id, count: 8, judges: ["safety"], hint: null, name: null }
      const first = yield* suites.generate(tenant.workspace.id, request, "key_1")
      assert.deepStrictEqual(
        [first.scenarios.length, first.name, first.config.variables, first.created_by_user_id],
        [8, "Agent — generated", { name: "" }, "key_1"]
      )
      assert.strictEqual(yield* balance(tenant), 12)
      const refused = yield* Effect.flip(
        suites.generate(tenant.workspace.id, { ...request, count: 13 }, "key_1")
      )
      assert.strictEqual(refused._tag, "InsufficientCredits")
      assert.strictEqual(yield* balance(tenant), 12)
    }).pipe(Effect.provide(platform()))
  )

  it.scoped("charges nothing when it fails, or when no request waits for it any more", () =>
    Effect.gen(function* () {
      const held = yield* Deferred.make<void>()
      yield* Effect.gen(function* () {
        const tenant = yield* Platform.tenant({}, 20)
        const suites = yield* Suites
        const request = { agent_id: tenant.agent.id, count: 8, judges: ["safety"], hint: null, name: null }
        const failed = yield* Effect.flip(suites.generate(tenant.workspace.id, request, ""))
        assert.strictEqual(failed._tag, "ModelUnusable")
        assert.strictEqual(yield* balance(tenant), 20)
        const waiting = yield* Effect.fork(
          suites.generate(tenant.workspace.id, { ...request, hint: "wait" }, "")
        )
        yield* Deferred.await(held)
        assert.strictEqual(yield* balance(tenant), 12)
        yield* Fiber.interrupt(waiting)
        assert.strictEqual(yield* balance(tenant), 20)
      }).pipe(
        Effect.provide(
          platform(
            AgentSimulator.layer,
            {},
            Layer.succeed(Generator, {
              generate: ({ hint }) =>
                hint === "wait"
                  ? Effect.zipRight(Deferred.succeed(held, undefined), Effect.never)
                  : Effect.fail(new ModelUnusable({ message: "no usable scenarios" }))
            })
          )
        )
      )
    })
  )

  it.scoped("gives 50 racers for one name 50 distinct names", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const suites = yield* Suites
      const request = { agent_id: tenant.agent.id, count: 1, judges: ["safety"], hint: null, name: "Same" }
      const made = yield* Effect.all(
        Array.from({ length: 50 }, () => suites.generate(tenant.workspace.id, request, "")),
        { concurrency: "unbounded" }
      )
      const names = new Set(made.map(({ name }) => name))
      assert.strictEqual(names.size, 50)
      assert.isTrue(names.has("Same") && names.has("Same (50)"))
    }).pipe(Effect.provide(platform(AgentSimulator.layer, { OUTDIAL_GENERATION_LIMIT: "100" })))
  )

  it.scoped("what is held by a process that died is released", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant({}, 20)
      const { credits, holds, transaction } = yield* Repository
      const { id } = tenant.workspace
      yield* transaction(
        id,
        Effect.gen(function* () {
          yield* holds.insert({ id: "suite_lost", customer_id: id, amount: 5, expires_at: 600_000 })
          yield* credits.append(id, [
            { id: "led_1", customer_id: id, kind: "hold", amount: -5, reference: "suite_lost", created_at: 0 }
          ])
        })
      )
      // Something wakes the loop, as the start of a process does.
      yield* Platform.place(tenant, "0007")
      yield* TestClock.adjust("9 minutes")
      assert.strictEqual(yield* balance(tenant), 15)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(yield* balance(tenant), 20)
    }).pipe(Effect.provide(platform()))
  )
})
