import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Schema, Struct } from "effect"
import type * as http from "node:http"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { junit } from "../../../../apps/cli/suite/JUnit.ts"
import { report } from "../../../../apps/cli/suite/Report.ts"
import { Run } from "../../../../apps/cli/suite/Run.ts"
import { folder } from "../commandLine.ts"
import { type Got, json, refusal, screenOf, serving } from "../serving.ts"
import { good, mixed, suite, summary } from "./record.ts"
import { parse } from "./xml.ts"

const decode = Schema.decodeUnknownSync(Run)

type State = ReturnType<typeof summary>
type Answer = (response: http.ServerResponse) => void

interface Rules {
  /** The run as the list has it, one question after the other; the last from then on. */
  readonly states?: ReadonlyArray<State | Answer>
  /** The run with its results. */
  readonly record?: unknown
  readonly start?: Answer
  readonly cancel?: Answer
}

const queued = summary({ status: "queued", started_at: null })
/** A run as the list has it. */
const ended = (record: typeof good): State => Struct.omit(record, "results")

const told = ({ method, path }: Got) => `${method} ${path.replace("/v0", "").replace(/\?.*/, "")}`

/** A server on which a run goes its way. */
const running = (rules: Rules, options: Parameters<typeof serving>[1] = {}) => {
  const record = rules.record ?? good
  const states = rules.states ?? [ended(good)]
  let asked = 0
  return serving((got, response) => {
    switch (told(got)) {
      case "GET /agent-test-suites/suite_1":
        return json(response, suite())
      case "POST /agent-test-runs":
        return rules.start === undefined ? json(response, queued) : rules.start(response)
      case "GET /agent-test-runs": {
        const state = states[Math.min(asked++, states.length - 1)]!
        return typeof state === "function"
          ? state(response)
          : json(response, { data: [summary({ id: "run_2" }), state], pagination: { total: 2 } })
      }
      case "GET /agent-test-runs/run_1":
        return json(response, record)
      case "POST /agent-test-runs/run_1/cancel":
        return rules.cancel === undefined
          ? json(response, summary({ status: "cancelled" }))
          : rules.cancel(response)
      default:
        return json(response, refusal("not_found", "no such test suite"), 404)
    }
  }, options)
}

const command = ["suite", "run", "suite_1", "--interval", "0.1"]

describe("suite run", () => {
  it.scopedLive("starts a run, watches it to its end, and ends with 0 when every play passed", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* running({
        states: [queued, summary(), summary({}, { passed: 2 }), ended(good)]
      })
      const ran = yield* run(...command)
      assert.strictEqual(ran.code, 0)
      assert.strictEqual(ran.out, `${report("Before the release", decode(good))}\n`)
      assert.match(
        ran.err,
        /^Run run_1 has begun: 3 plays\.\n\S+ \S+ {2}queued {2}0\/3 done {2}0 passed {2}0 failed {2}0 errored\n\S+ \S+ {2}completed {2}3\/3 done {2}3 passed {2}0 failed {2}0 errored {2}score 1\.00\n$/
      )
      assert.deepStrictEqual(requests.map(told), [
        "GET /agent-test-suites/suite_1",
        "POST /agent-test-runs",
        ...Array.from({ length: 4 }, () => "GET /agent-test-runs"),
        "GET /agent-test-runs/run_1"
      ])
      assert.deepStrictEqual(JSON.parse(requests[1]!.body.toString()), { suite_id: "suite_1" })
      assert.strictEqual(requests[2]!.path, "/v0/agent-test-runs?limit=10&offset=0&suite_id=suite_1")
    })
  )

  it.scopedLive(
    "ends with 1 when a play failed, and writes the JUnit file all the same, whole or not at all",
    () =>
      Effect.gen(function* () {
        const { run } = yield* running({ states: [ended(mixed)], record: mixed })
        const file = join(yield* folder, "reports", "agent.xml")
        const ran = yield* run(...command, "--junit", file)
        assert.strictEqual(ran.code, 1)
        assert.strictEqual(ran.out, `${report("Before the release", decode(mixed))}\n`)
        const xml = yield* Effect.promise(() => readFile(file, "utf8"))
        assert.strictEqual(xml, junit("Before the release", decode(mixed)))
        assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(file, ".."))), ["agent.xml"])
      })
  )

  it.scopedLive("ends with 1 when the run failed, was cancelled or is not all passed", () =>
    Effect.gen(function* () {
      for (const [status, counts] of [
        ["failed", { errored: 3 }],
        ["cancelled", { passed: 2, errored: 1 }],
        ["completed", { passed: 2, errored: 1 }]
      ] as const) {
        const state = summary({ status: status }, counts)
        const { run } = yield* running({ states: [state], record: { ...state, results: [] } })
        const ran = yield* run(...command)
        assert.strictEqual(ran.code, 1)
        assert.match(ran.out, new RegExp(`\n${status}\\. 3 plays: `))
      }
    })
  )

  it.scopedLive("writes the XML alone to stdout when it is asked to, and the report beside it", () =>
    Effect.gen(function* () {
      const { run } = yield* running({ states: [ended(mixed)], record: mixed })
      const ran = yield* run(...command, "--junit", "-")
      assert.strictEqual(ran.code, 1)
      assert.strictEqual(ran.out, junit("Before the release", decode(mixed)))
      assert.strictEqual(parse(ran.out).name, "testsuites")
      assert.include(ran.err, report("Before the release", decode(mixed)))
    })
  )

  it.scopedLive("with --json answers the run as the server sent it, and nothing else", () =>
    Effect.gen(function* () {
      const raw = JSON.stringify(mixed, null, 1).replace('"score": 0.625', '"score": 0.6250')
      const { run } = yield* running({ states: [ended(mixed)], record: raw })
      const ran = yield* run(...command, "--json")
      assert.strictEqual(ran.code, 1)
      assert.strictEqual(ran.out, `${raw}\n`)
    })
  )

  it.scopedLive("refuses what cannot go together before it asks anything of the server", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* running({})
      for (const wrong of [
        ["--json", "--junit", "-"],
        ["--no-wait", "--junit", "x.xml"],
        ["--no-wait", "--timeout", "5m"],
        ["--timeout", "soon"],
        ["--interval", "0"]
      ]) {
        const ran = yield* run(...command, ...wrong)
        assert.strictEqual(ran.code, 2, wrong.join(" "))
        assert.match(ran.err, /^outdial: .*\(see outdial suite run --help\)\n$/)
      }
      assert.strictEqual(requests.length, 0)
    })
  )

  it.scopedLive("starts no run whose results could not be written", () =>
    Effect.gen(function* () {
      const path = yield* folder
      yield* Effect.promise(() => writeFile(join(path, "file"), ""))
      yield* Effect.promise(() => mkdir(join(path, "folder.xml")))
      const { requests, run } = yield* running({})
      for (const file of ["file/agent.xml", "folder.xml"]) {
        const ran = yield* run(...command, "--junit", join(path, file))
        assert.strictEqual(ran.code, 1)
        assert.match(ran.err, /^outdial: \S+ cannot be written: .+\n$/)
      }
      assert.isTrue(requests.every(({ method }) => method === "GET"))
    })
  )

  it.scopedLive("with --no-wait starts the run and ends", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* running({})
      const ran = yield* run(...command, "--no-wait")
      assert.deepStrictEqual(ran, { code: 0, out: "Run run_1 has begun: 3 plays.\n", err: "" })
      assert.deepStrictEqual(JSON.parse((yield* run(...command, "--no-wait", "--json")).out), queued)
      assert.deepStrictEqual(requests.map(told), ["POST /agent-test-runs", "POST /agent-test-runs"])
    })
  )

  it.scopedLive("reads a run that is not among the suite's newest by its id", () =>
    Effect.gen(function* () {
      const others = { data: [summary({ id: "run_3" })], pagination: { total: 90 } }
      const { requests, run } = yield* running({ states: [(response) => json(response, others)] })
      assert.strictEqual((yield* run(...command)).code, 0)
      assert.deepStrictEqual(requests.map(told).slice(2), [
        "GET /agent-test-runs",
        "GET /agent-test-runs/run_1",
        "GET /agent-test-runs/run_1"
      ])
    })
  )

  it.scopedLive("goes through an outage and says so once each way", () =>
    Effect.gen(function* () {
      const { run } = yield* running({
        states: [
          summary(),
          (response) => void response.socket!.destroy(),
          (response) => json(response, refusal("service_unavailable", "the server is starting"), 503),
          ended(good)
        ]
      })
      const ran = yield* run(...command)
      assert.strictEqual(ran.code, 0)
      assert.match(
        ran.err,
        /\nConnection lost, trying again: the connection to http:\S+ was lost\.\nConnected again\.\n/
      )
    })
  )

  it.scopedLive("draws a bar with verdicts, score and time on a terminal, and leaves it clean", () =>
    Effect.gen(function* () {
      const { awaitShown, screen, shown } = screenOf(110)
      const state = summary({ score: 0.5 }, { passed: 1, failed: 1 })
      const { run } = yield* running({ states: [state] }, { columns: 110, screen })
      const watching = yield* Effect.fork(run(...command))
      yield* awaitShown(
        /^running \[=+> +\] {2}66% {2}2\/3 {2}1 passed {2}1 failed {2}0 errored {2}score 0\.50 {2}\ds$/
      )
      yield* Fiber.interrupt(watching)
      assert.strictEqual(shown(), "")
    })
  )

  it.scopedLive("that is broken off cancels the run at the server", () =>
    Effect.gen(function* () {
      const { awaitShown, screen, shown } = screenOf(80)
      const { requests, run } = yield* running({ states: [summary()] }, { columns: 80, screen })
      const watching = yield* Effect.fork(run(...command))
      yield* awaitShown(/running/)
      yield* Fiber.interrupt(watching)
      assert.strictEqual(shown(), "")
      assert.strictEqual(requests.map(told).filter((request) => request.endsWith("/cancel")).length, 1)
      assert.strictEqual(told(requests.at(-1)!), "POST /agent-test-runs/run_1/cancel")
    })
  )

  it.scopedLive("that is broken off while the run starts cancels it as soon as it is known", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<http.ServerResponse>()
      const { requests, run } = yield* running({
        start: (response) => Deferred.unsafeDone(begun, Effect.succeed(response))
      })
      const watching = yield* Effect.fork(run(...command))
      const response = yield* Deferred.await(begun)
      const broken = yield* Effect.fork(Fiber.interrupt(watching))
      yield* Effect.yieldNow()
      json(response, queued)
      yield* Fiber.join(broken)
      assert.deepStrictEqual(requests.map(told).slice(1), [
        "POST /agent-test-runs",
        "POST /agent-test-runs/run_1/cancel"
      ])
    })
  )

  it.scopedLive(
    "cancels the run when it takes longer than it may, tells what came of it, and ends with 1",
    () =>
      Effect.gen(function* () {
        const cancelled = { ...mixed, status: "cancelled", error: "cancelled" }
        const { requests, run } = yield* running({ states: [summary()], record: cancelled })
        const file = join(yield* folder, "agent.xml")
        const ran = yield* run(...command, "--timeout", "1s", "--junit", file)
        assert.strictEqual(ran.code, 1)
        assert.match(ran.err, /\nIt has taken longer than --timeout allows\.\nRun run_1 is cancelled\.\n$/)
        assert.match(ran.out, /\ncancelled\. 3 plays: /)
        assert.deepStrictEqual(requests.map(told).slice(-2), [
          "POST /agent-test-runs/run_1/cancel",
          "GET /agent-test-runs/run_1"
        ])
        assert.strictEqual(
          parse(yield* Effect.promise(() => readFile(file, "utf8"))).attributes["errors"],
          "1"
        )
      })
  )

  it.scopedLive("says so when a run cannot be cancelled", () =>
    Effect.gen(function* () {
      const over = refusal("conflict", "the test run has ended and cannot be cancelled")
      const { run } = yield* running({ states: [summary()], cancel: (response) => json(response, over, 409) })
      const ran = yield* run(...command, "--timeout", "1s")
      assert.match(
        ran.err,
        /\nRun run_1 was not cancelled: the test run has ended and cannot be cancelled \(conflict\)\.\n$/
      )
      // It came to its end at the last moment.
      assert.strictEqual(ran.code, 0)
    })
  )

  it.scopedLive("says what there may be when the answer to the start is lost, and starts no second run", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* running({ start: (response) => void response.socket!.destroy() })
      const ran = yield* run(...command)
      assert.strictEqual(ran.code, 1)
      assert.match(
        ran.err,
        /^outdial: the connection to \S+ was lost; a run may have begun all the same: .+\n$/
      )
      assert.strictEqual(requests.filter(({ method }) => method === "POST").length, 1)
    })
  )

  it.scopedLive("says where the run is found when the server will not tell any more", () =>
    Effect.gen(function* () {
      const gone = refusal("unauthorized", "a valid credential is required")
      const { run } = yield* running({ states: [(response) => json(response, gone, 401)] })
      const ran = yield* run(...command)
      assert.strictEqual(ran.code, 1)
      assert.match(
        ran.err,
        /\nRun run_1 goes on: `outdial suite result run_1` shows it\.\noutdial: the server does not know this API key .+\n$/
      )
    })
  )

  it.scopedLive("of a suite that is not there says so", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* running({})
      const ran = yield* run("suite", "run", "suite_9")
      assert.deepStrictEqual(ran, { code: 1, out: "", err: "outdial: no such test suite (not_found)\n" })
      assert.strictEqual(requests.length, 1)
    })
  )
})

describe("suite result", () => {
  it.scopedLive("tells the same of an earlier run and what was said in it, with the same exit code", () =>
    Effect.gen(function* () {
      for (const [record, code] of [
        [good, 0],
        [mixed, 1]
      ] as const) {
        const { requests, run } = yield* running({ record })
        const file = join(yield* folder, "agent.xml")
        const ran = yield* run("suite", "result", "run_1", "--junit", file)
        assert.deepStrictEqual(ran, {
          code,
          out: `${report("Before the release", decode(record), undefined, "all")}\n`,
          err: ""
        })
        const failed = yield* run("suite", "result", "run_1", "--failed")
        assert.strictEqual(
          failed.out,
          `${report("Before the release", decode(record), undefined, "failed")}\n`
        )
        assert.strictEqual(
          yield* Effect.promise(() => readFile(file, "utf8")),
          junit("Before the release", decode(record))
        )
        assert.isTrue(requests.every(({ method }) => method === "GET"))
        assert.deepStrictEqual(JSON.parse((yield* run("suite", "result", "run_1", "--json")).out), record)
      }
    })
  )

  it.scopedLive("of a suite that is gone goes by the suite's id", () =>
    Effect.gen(function* () {
      const { run } = yield* running({ record: { ...good, suite_id: "suite_9" } })
      const ran = yield* run("suite", "result", "run_1", "--junit", "-")
      assert.strictEqual(ran.code, 0)
      assert.strictEqual(parse(ran.out).attributes["name"], "suite_9")
    })
  )

  it.scopedLive("of a run that goes on shows how it stands, and ends with 1", () =>
    Effect.gen(function* () {
      const { run } = yield* running({ record: { ...summary(), results: [] } })
      const ran = yield* run("suite", "result", "run_1")
      assert.strictEqual(ran.code, 1)
      assert.match(ran.out, /It has not ended yet\.\n$/)
    })
  )
})
