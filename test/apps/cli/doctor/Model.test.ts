import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Fiber, TestClock } from "effect"
import { model } from "../../../../apps/cli/doctor/Model.ts"
import { type Answer, asText, listen } from "../../../Listener.ts"
import { commandLine, documentOf } from "../commandLine.ts"

const secret = "sk-hunter2"

/** What is found of the model under these settings, in a line. */
const found = (settings: Readonly<Record<string, string>>) =>
  model.pipe(
    Effect.map(({ message, status }) => `${status}: ${message}`),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))
  )

/** A model's server that answers with one status, and what it was asked. */
const serving = Effect.fnUntraced(function* (answer: Answer) {
  const asked: Array<string> = []
  const { port } = yield* listen(asText, (arrived) => {
    asked.push(`${arrived.method} ${arrived.path} ${arrived.headers.authorization ?? "-"}`)
    answer(arrived)
  })
  const host = `127.0.0.1:${port}`
  const settings = { OUTDIAL_LLM_URL: `http://${host}/v1/`, OUTDIAL_LLM_MODEL: "small" }
  return { asked, host, settings }
})

const answering = (status: number) => serving(({ response }) => void response.writeHead(status).end("{}"))

describe("the doctor on the model", () => {
  it.effect("says that none is asked when no address is set", () =>
    Effect.gen(function* () {
      for (const settings of [{}, { OUTDIAL_LLM_URL: "" }]) {
        assert.match(yield* found(settings), /^ok: .*no model is asked$/)
      }
    })
  )

  it.scopedLive("takes any answer but a refusal of the key for a model that is there", () =>
    Effect.gen(function* () {
      for (const status of [200, 302, 404, 405, 429, 500]) {
        const { asked, host, settings } = yield* answering(status)
        assert.strictEqual(
          yield* found({ ...settings, OUTDIAL_LLM_API_KEY: secret }),
          `ok: agents talk and test suites are played by the model small at ${host}, which answers`
        )
        assert.deepStrictEqual(asked, [`GET /v1/models Bearer ${secret}`])
      }
    })
  )

  it.scopedLive("asks without a key where there is none", () =>
    Effect.gen(function* () {
      const { asked, settings } = yield* answering(200)
      assert.match(yield* found(settings), /^ok: /)
      assert.deepStrictEqual(asked, ["GET /v1/models -"])
    })
  )

  it.scopedLive("says that the key is refused", () =>
    Effect.gen(function* () {
      for (const status of [401, 403]) {
        const { settings } = yield* answering(status)
        const said = yield* found({ ...settings, OUTDIAL_LLM_API_KEY: secret })
        assert.match(said, new RegExp(`^broken: .* refuses the key of OUTDIAL_LLM_API_KEY \\(${status}\\)$`))
        assert.notInclude(said, secret)
        assert.match(
          yield* found(settings),
          new RegExp(`wants a key: set OUTDIAL_LLM_API_KEY \\(${status}\\)$`)
        )
      }
    })
  )

  it.scopedLive("says that the model does not answer", () =>
    Effect.gen(function* () {
      const settings = { OUTDIAL_LLM_URL: "http://127.0.0.1:1/v1", OUTDIAL_LLM_MODEL: "small" }
      assert.match(yield* found(settings), /^broken: .* at 127\.0\.0\.1:1, which does not answer$/)
      const cut = yield* serving(({ response }) => void response.socket!.destroy())
      assert.match(yield* found(cut.settings), /^broken: .*, which does not answer$/)
    })
  )

  it.scoped("waits for five seconds, and no longer", () =>
    Effect.gen(function* () {
      const asked: Array<() => void> = []
      const { settings } = yield* serving(() => asked.forEach((wake) => wake()))
      const waiting = Effect.async<void>((resume) => void asked.push(() => resume(Effect.void)))
      const arrived = yield* Effect.fork(waiting)
      yield* Effect.yieldNow()
      const checked = yield* Effect.fork(found(settings))
      yield* Fiber.join(arrived)
      yield* TestClock.adjust("4900 millis")
      assert.strictEqual((yield* checked.poll)._tag, "None")
      yield* TestClock.adjust("100 millis")
      assert.match(yield* Fiber.join(checked), /^broken: .*, which does not answer$/)
    })
  )

  it.effect("names a setting that is missing or not valid, and repeats nothing of it", () =>
    Effect.gen(function* () {
      const url = "https://api.example.com/v1"
      for (const [settings, message] of [
        [{ OUTDIAL_LLM_URL: url }, /^broken: OUTDIAL_LLM_MODEL is not set$/],
        [
          { OUTDIAL_LLM_URL: `https://me:${secret}@api.example.com/v1`, OUTDIAL_LLM_MODEL: "m" },
          /^broken: OUTDIAL_LLM_URL must be /
        ],
        [{ OUTDIAL_LLM_URL: secret, OUTDIAL_LLM_MODEL: "m" }, /^broken: OUTDIAL_LLM_URL /],
        [
          { OUTDIAL_LLM_URL: url, OUTDIAL_LLM_MODEL: "m", OUTDIAL_LLM_TIMEOUT: secret },
          /^broken: OUTDIAL_LLM_TIMEOUT /
        ],
        [
          { OUTDIAL_LLM_URL: url, OUTDIAL_LLM_MODEL: "m", OUTDIAL_LLM_CONCURRENCY: "0" },
          /^broken: OUTDIAL_LLM_CONCURRENCY must be at least 1$/
        ]
      ] as const) {
        const said = yield* found(settings)
        assert.match(said, message)
        assert.notInclude(said, secret)
      }
    })
  )

  it.scopedLive("is part of every report", () =>
    Effect.gen(function* () {
      const { settings } = yield* answering(401)
      const ran = yield* commandLine({ ...settings, OUTDIAL_DATABASE_URL: "memory:", PORT: "0" })(
        "doctor",
        "--json"
      )
      const { checks } = documentOf<{
        readonly checks: ReadonlyArray<{ readonly check: string; readonly status: string }>
      }>(ran)
      assert.deepStrictEqual(
        checks.filter(({ check }) => check === "model").map(({ status }) => status),
        ["broken"]
      )
      assert.strictEqual(ran.code, 1)
    })
  )
})
