import { join } from "node:path"
import { ConfigProvider, Context, Effect, Fiber, Layer, Redacted } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as HttpServer from "@effect/platform/HttpServer"
import { readFile } from "node:fs/promises"
import * as Http from "../../../../adapters/http/server/Http.ts"
import * as NodeServer from "../../../../adapters/http/server/NodeServer.ts"
import * as TokenVerifier from "../../../../adapters/jwt/TokenVerifier.ts"
import { CarrierCallbacks } from "../../../../adapters/shared/CarrierCallbacks.ts"
import * as MemorySimulator from "../../../../adapters/simulated/SimulatedConversation.ts"
import * as MemoryGenerator from "../../../../adapters/simulated/SimulatedScenarios.ts"
import type { RunRecord } from "../../../../core/model/suites/Run.ts"
import type { SuiteRecord } from "../../../../core/model/suites/Suite.ts"
import { allScopes } from "../../../../core/model/workspaces/Principal.ts"
import { AgentSimulator } from "../../../../core/ports/AgentSimulator.ts"
import { Workspaces } from "../../../../core/usecases/Workspaces.ts"
import * as Platform from "../../../Platform.ts"
import { commandLine, documentOf, folder } from "../commandLine.ts"
import { screenOf } from "../serving.ts"
import { parse } from "./xml.ts"

type SuiteJson = typeof SuiteRecord.Encoded
type RunJson = typeof RunRecord.Encoded

/** Personas that think for a second before they speak. */
const slow = Layer.merge(
  MemoryGenerator.layer,
  Layer.effect(
    AgentSimulator,
    Effect.map(AgentSimulator, (simulator) => ({
      ...simulator,
      personaTurn: (play) => Effect.delay(simulator.personaTurn(play), "1 second")
    }))
  ).pipe(Layer.provide(MemorySimulator.layer))
)

const settings = (values: Readonly<Record<string, string>>) => ({
  settings: ConfigProvider.fromMap(new Map(Object.entries(values)))
})

/** A server of this repository on a port of its own, over a store in memory, with the personas of this process. */
const running = Effect.fnUntraced(function* (options: Platform.Options = {}, credits = 1_000) {
  const platform = Platform.layerOf(options)
  const layer = Http.layer({ basePath: "/v0", logRequests: false }).pipe(
    Layer.provideMerge(NodeServer.layer({ host: "127.0.0.1", port: 0 })),
    Layer.provide(CarrierCallbacks.none),
    Layer.provide(TokenVerifier.layer({ secret: Redacted.make("a secret for tests, of at least 32 bytes") })),
    Layer.provideMerge(platform)
  )
  const context = yield* Layer.build(layer)
  const { agent, workspace } = yield* Effect.provide(Platform.tenant({}, credits), context)
  const { key } = yield* Context.get(context, Workspaces).createKey(workspace.id, {
    name: "cli",
    scopes: allScopes
  })
  const { address } = Context.get(context, HttpServer.HttpServer)
  const port = address._tag === "TcpAddress" ? address.port : 0
  const url = `http://127.0.0.1:${port}/v0`
  const environment = { OUTDIAL_URL: url, OUTDIAL_API_KEY: key }
  const run = commandLine(environment)
  return { agent, environment, run: (...args: ReadonlyArray<string>) => run("suite", ...args) }
})

describe("a test suite from the command line, on a real server", () => {
  it.scopedLive("is generated, shown, run and read again, and its JUnit file says the same", () =>
    Effect.gen(function* () {
      const { agent, run } = yield* running()
      const generated = yield* run("generate", "--agent", agent.id, "--count", "6", "--name", "CI", "--json")
      assert.strictEqual(generated.code, 0, generated.err)
      const suite = documentOf<SuiteJson>(generated)
      assert.strictEqual(suite.scenarios.length, 6)
      assert.match(
        (yield* run("list", "--agent", agent.id)).out,
        new RegExp(`^${suite.id} +CI +${agent.id} +6 `, "m")
      )
      const shown = (yield* run("show", suite.id)).out
      for (const { label } of suite.scenarios) assert.include(shown, label)

      const file = join(yield* folder, "reports", "agent.xml")
      const ran = yield* run("run", suite.id, "--interval", "0.1", "--junit", file, "--json")
      const record = documentOf<RunJson>(ran)
      assert.include(record, { suite_id: suite.id, agent_id: agent.id, status: "completed" })
      const { errored, failed, passed, total } = record.counts
      assert.deepStrictEqual([errored, passed + failed, total], [0, 6, 6])
      assert.strictEqual(ran.code, failed === 0 ? 0 : 1)

      const [cases, root] = yield* Effect.promise(async () => {
        const root = parse(await readFile(file, "utf8"))
        return [root.children[0]!.children.filter(({ name }) => name === "testcase"), root] as const
      })
      assert.include(root.attributes, { name: "CI", tests: "6", failures: String(failed), errors: "0" })
      assert.deepStrictEqual(
        cases.map(({ attributes, children }) => [attributes["name"], children.at(0)!.name === "failure"]),
        record.results.map(({ label, status }) => [label, status === "fail"])
      )
      for (const [i, { transcript }] of record.results.entries()) {
        assert.strictEqual(
          cases[i]!.children.at(-1)!.text,
          transcript.map(({ role, text }) => `${role}: ${text}`).join("\n")
        )
      }

      const read = yield* run("result", record.id)
      assert.strictEqual(read.code, ran.code)
      assert.match(
        read.out,
        new RegExp(`\ncompleted\\. 6 plays: ${passed} passed, ${failed} failed, 0 errored; score `)
      )
      assert.match(
        (yield* run("runs", "--suite", suite.id)).out,
        new RegExp(`^${record.id} +${suite.id} +completed +6 `, "m")
      )
    })
  )

  it.scopedLive("that is broken off is cancelled at the server", () =>
    Effect.gen(function* () {
      const { agent, environment, run } = yield* running({ model: slow })
      const suite = documentOf<SuiteJson>(
        yield* run("generate", "--agent", agent.id, "--count", "4", "--json")
      )
      const { awaitShown, screen } = screenOf(80)
      const onTerminal = commandLine(environment, 80, screen)
      const watching = yield* Effect.fork(onTerminal("suite", "run", suite.id, "--interval", "0.1"))
      yield* awaitShown(/^running /)
      yield* Fiber.interrupt(watching)
      const { data } = documentOf<{ readonly data: ReadonlyArray<RunJson> }>(yield* run("runs", "--json"))
      assert.deepStrictEqual(
        data.map(({ counts, status }) => [status, counts.total]),
        [["cancelled", 4]]
      )
      const result = yield* run("result", data[0]!.id)
      assert.strictEqual(result.code, 1)
      assert.match(result.out, /\ncancelled\. 4 plays: 0 passed, 0 failed, 4 errored; /)
    })
  )

  it.scopedLive("that the workspace cannot pay for is refused, or fails, in words", () =>
    Effect.gen(function* () {
      const { agent, run } = yield* running({}, 5)
      const refused = yield* run("generate", "--agent", agent.id, "--count", "10")
      assert.deepStrictEqual(
        [refused.code, refused.out, refused.err],
        [1, "", "outdial: insufficient credits: 10 needed, 5 available (insufficient_credits)\n"]
      )
      const suite = documentOf<SuiteJson>(
        yield* run("generate", "--agent", agent.id, "--count", "3", "--json")
      )
      const ran = yield* run("run", suite.id, "--interval", "0.1")
      assert.strictEqual(ran.code, 1)
      assert.match(ran.out, /\nfailed: insufficient credits\. 3 plays: /)
    })
  )

  it.scopedLive("is generated no more often than it may be, and the refusal says when to try again", () =>
    Effect.gen(function* () {
      const { agent, run } = yield* running(
        settings({ OUTDIAL_GENERATION_LIMIT: "1", OUTDIAL_GENERATION_WINDOW: "1 minute" })
      )
      assert.strictEqual((yield* run("generate", "--agent", agent.id)).code, 0)
      const refused = yield* run("generate", "--agent", agent.id)
      assert.strictEqual(refused.code, 1)
      assert.match(refused.err, /^outdial: .*try again in \d+ seconds \(too_many_requests\)\n$/)
    })
  )
})
