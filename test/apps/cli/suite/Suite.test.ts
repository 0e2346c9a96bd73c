import { Effect, Fiber, Struct } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { defaultJudges } from "../../../../core/model/suites/Suite.ts"
import { json, key, refusal, screenOf, serving } from "../serving.ts"
import { good, mixed, suite, summary } from "./record.ts"

const body = (buffer: Buffer) => JSON.parse(buffer.toString()) as unknown

const page = (data: ReadonlyArray<unknown>, total = data.length) => ({
  data,
  pagination: { limit: 100, offset: 0, total }
})

describe("suite generate", () => {
  const generate = ["suite", "generate", "--agent", "agent_1"]

  it.scopedLive("asks for what was given, and for nothing else", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* serving((_, response) => json(response, suite()))
      assert.strictEqual((yield* run(...generate)).code, 0)
      const wishes = [
        "--count",
        "7",
        "--judge",
        "safety",
        "--judge",
        "politeness",
        "--hint",
        "Be odd",
        "--name",
        "N"
      ]
      assert.strictEqual((yield* run(...generate, ...wishes)).code, 0)
      assert.deepStrictEqual(
        requests.map(({ body: sent, headers, method, path }) => [
          method,
          path,
          headers["x-api-key"],
          body(sent)
        ]),
        [
          ["POST", "/v0/agent-test-suites/generate", key, { agent_id: "agent_1" }],
          [
            "POST",
            "/v0/agent-test-suites/generate",
            key,
            { agent_id: "agent_1", count: 7, judges: ["safety", "politeness"], hint: "Be odd", name: "N" }
          ]
        ]
      )
    })
  )

  it.scopedLive("shows the suite with its scenarios, and how it is run", () =>
    Effect.gen(function* () {
      const { run } = yield* serving((_, response) => json(response, suite()))
      assert.deepStrictEqual(yield* run(...generate), {
        code: 0,
        out: [
          "ID    suite_1",
          "NAME  Before the release",
          "",
          "SCENARIO     PLAYS  MAX TURNS",
          "In a hurry       1         10",
          "Another day      2         12",
          ""
        ].join("\n"),
        err: "\nRun it with: outdial suite run suite_1\n"
      })
    })
  )

  it.scopedLive("with --json answers the record as the server sent it, and nothing else", () =>
    Effect.gen(function* () {
      const raw = JSON.stringify(suite(), null, 1).replace('"max_turns": 10', '"max_turns": 10.0')
      const { run } = yield* serving((_, response) => json(response, raw))
      assert.deepStrictEqual(yield* run(...generate, "--json"), { code: 0, out: `${raw}\n`, err: "" })
    })
  )

  it.scopedLive("says in a sentence why there is no suite, and when to try again", () =>
    Effect.gen(function* () {
      for (const [status, code, message, headers, said] of [
        [402, "insufficient_credits", "insufficient credits: 5 needed, 2 available", {}, ""],
        [
          429,
          "too_many_requests",
          "scenario generation is rate-limited",
          { "retry-after": "7" },
          "; try again in 7 seconds"
        ],
        [429, "too_many_requests", "rate-limited: try again in 7 seconds", { "retry-after": "7" }, ""],
        [502, "bad_gateway", "the generator returned no usable scenarios", {}, ""],
        [503, "service_unavailable", "the test runner is unreachable", {}, ""],
        [504, "gateway_timeout", "scenario generation timed out", {}, ""]
      ] as const) {
        const { requests, run } = yield* serving((_, response) => {
          for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
          json(response, refusal(code, message), status)
        })
        const ran = yield* run(...generate)
        assert.deepStrictEqual(ran, { code: 1, out: "", err: `outdial: ${message} (${code})${said}\n` })
        // What costs credits is never asked for twice.
        assert.strictEqual(requests.length, 1)
      }
    })
  )

  it.scopedLive("says that there may be a suite when the answer is lost, and only then", () =>
    Effect.gen(function* () {
      const { run } = yield* serving((_, response) => void response.socket!.destroy())
      assert.match(
        (yield* run(...generate)).err,
        /^outdial: the connection to \S+ was lost; the suite may have been made all the same: .*\n$/
      )
      const unanswered = yield* run(...generate, "--url", "http://127.0.0.1:1/v0")
      assert.match(
        unanswered.err,
        /^outdial: no server answers at http:\/\/127\.0\.0\.1:1\/v0; start it with npm start\n$/
      )
    })
  )

  it.scopedLive("shows on a terminal that it waits, and for how long", () =>
    Effect.gen(function* () {
      const { awaitShown, screen, shown } = screenOf(60)
      const answers: Array<() => void> = []
      const { run } = yield* serving((_, response) => void answers.push(() => json(response, suite())), {
        screen
      })
      const running = yield* Effect.fork(run(...generate))
      yield* awaitShown(/^Generating \[.*<=>.*\] 1s$/)
      for (const answer of answers) answer()
      assert.strictEqual((yield* Fiber.join(running)).code, 0)
      assert.strictEqual(shown(), "")
    })
  )
})

describe("suite", () => {
  it.scopedLive("list shows every page as one table, of one agent where that is asked for", () =>
    Effect.gen(function* () {
      const all = Array.from({ length: 130 }, (_, i) => suite({ id: `suite_${i}` }))
      const { requests, run } = yield* serving(({ path }, response) => {
        const offset = Number(new URL(path, "http://x").searchParams.get("offset"))
        json(response, page(all.slice(offset, offset + 100), all.length))
      })
      const ran = yield* run("suite", "list", "--agent", "agent_1")
      const lines = ran.out.trimEnd().split("\n")
      assert.strictEqual(lines.length, 131)
      assert.match(lines[0]!, /^ID +NAME +AGENT +SCENARIOS +PLAYS +CREATED$/)
      assert.match(lines[130]!, /^suite_129 +Before the release +agent_1 +2 +3 +2026-02-03 04:05:06Z$/)
      assert.deepStrictEqual(
        requests.map(({ path }) => path),
        [0, 100].map((offset) => `/v0/agent-test-suites?limit=100&offset=${offset}&agent_id=agent_1`)
      )
      const { out } = yield* run("suite", "list", "--json")
      assert.deepStrictEqual(JSON.parse(out), { data: all })
    })
  )

  it.scopedLive("show names judges, variables and every scenario with its instructions, wrapped", () =>
    Effect.gen(function* () {
      const hostile = JSON.stringify(suite({ name: "N\u001b[2J" })).replace('"city":""', '"__proto__":"x"')
      const { requests, run } = yield* serving((_, response) => json(response, hostile), { columns: 42 })
      const { out } = yield* run("suite", "show", "suite/1")
      assert.strictEqual(requests[0]!.path, "/v0/agent-test-suites/suite%2F1")
      assert.strictEqual(
        out,
        [
          "ID        suite_1",
          "NAME      N\\u001b[2J",
          "AGENT     agent_1",
          "JUDGES    task_completion, safety",
          'VARIABLE  name = "Ada"',
          'VARIABLE  __proto__ = "x"',
          "CREATED   2026-02-03 04:05:06Z",
          "CHANGED   2026-02-03 04:05:07Z",
          "PLAYS     3",
          "",
          "1. In a hurry (played once, at most 10 turns)",
          "    You are between two meetings.",
          "",
          "2. Another day (played 2 times, at most 12 turns)",
          "    You cannot come.",
          "    You ask for another day.",
          ""
        ].join("\n")
      )
      assert.strictEqual((yield* run("suite", "show", "suite_1", "--json")).out, `${hostile}\n`)
    })
  )

  it.scopedLive("runs lists the newest, of one suite where that is asked for", () =>
    Effect.gen(function* () {
      const listed = Struct.omit(mixed, "results")
      const { requests, run } = yield* serving((_, response) =>
        json(response, page([listed, summary({ id: "run_2" })], 500))
      )
      const { out } = yield* run("suite", "runs", "--suite", "suite_1", "--limit", "2")
      assert.strictEqual(
        out,
        [
          "ID     SUITE    STATUS     PLAYS  PASSED  FAILED  ERRORED  SCORE  BEGAN",
          "run_1  suite_1  completed      3       1       1        1  0.63   2026-02-03 04:05:05Z",
          "run_2  suite_1  running        3       0       0        0         2026-02-03 04:05:05Z",
          ""
        ].join("\n")
      )
      assert.strictEqual(requests[0]!.path, "/v0/agent-test-runs?limit=2&offset=0&suite_id=suite_1")
      yield* run("suite", "runs")
      assert.strictEqual(requests[1]!.path, "/v0/agent-test-runs?limit=20&offset=0")
      assert.strictEqual((yield* run("suite", "runs", "--limit", "0")).code, 2)
    })
  )

  it.scopedLive("help of generate names the five known judges", () =>
    Effect.gen(function* () {
      const { run } = yield* serving((_, response) => json(response, good))
      const help = (yield* run("suite", "generate", "--help")).out.replace(/\s+/g, " ")
      assert.include(help, defaultJudges.join(", "))
    })
  )
})
