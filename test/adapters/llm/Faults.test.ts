import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Queue, TestClock } from "effect"
import { inTurn } from "../../Listener.ts"
import { closedPort } from "../../programs/Processes.ts"
import { awaitSleepUntil, connect, connectTo, key } from "./Client.ts"
import { type Behaviour, competent, onceClosed, refuse, say, scenariosOf, turn } from "./OpenAiServer.ts"

const silence: Behaviour = () => {}
const malformed: Behaviour = (asked) => say(asked, '{"text": "Yes, th')
const wrongForm: Behaviour = (asked) => say(asked, { text: 7, hangs_up: "no" })
const noText: Behaviour = (asked) => say(asked, { text: "  \n", hangs_up: false })
const noCompletion: Behaviour = ({ response }) => response.end("<html>Welcome</html>")
const noChoice: Behaviour = ({ response }) => response.end('{"choices": []}')
const nothing: Behaviour = (asked) => say(asked, "")
const rightTurn: Behaviour = (asked) => say(asked, turn)

/** Claims a thousand bytes, sends a few and cuts the connection. */
const cutHalfWay: Behaviour = ({ response }) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
  response.write('{"choices": [', () => response.socket?.destroy())
}

const hangUp: Behaviour = ({ response }) => void response.socket?.destroy()

const endless: Behaviour = ({ response }) => {
  response.writeHead(200, { "content-type": "application/json" })
  const chunk = Buffer.alloc(256 * 1024, "x")
  const more = () => {
    if (!response.destroyed) response.write(chunk, more)
  }
  more()
}

describe("an answer that cannot be used", () => {
  it.scoped.each([
    ["is no JSON", malformed],
    ["has the wrong form", wrongForm],
    ["has no text", noText],
    ["is no chat completion", noCompletion],
    ["has no choice", noChoice],
    ["is empty", nothing],
    ["never ends", endless]
  ] as const)("is asked for once more when it %s, and the second answer counts", ([, behaviour]) =>
    Effect.gen(function* () {
      const model = yield* connectTo(inTurn(behaviour, rightTurn))
      assert.strictEqual((yield* model.personaTurn).text, turn.text)
      assert.strictEqual(yield* Queue.size(model.received), 2)
    })
  )

  it.scoped.each([malformed, wrongForm, noText, noCompletion, noChoice, nothing, endless])(
    "is ModelUnusable when it cannot be used twice, and no third is asked for: %o",
    (behaviour) =>
      Effect.gen(function* () {
        const model = yield* connectTo(behaviour)
        const failure = yield* Effect.flip(model.personaTurn)
        assert.strictEqual(failure._tag, "ModelUnusable")
        assert.strictEqual(yield* Queue.size(model.received), 2)
      })
  )

  it.scoped("is shown to the model with what was wrong", () =>
    Effect.gen(function* () {
      const model = yield* connectTo(inTurn(wrongForm, rightTurn))
      yield* model.personaTurn
      const first = yield* Queue.take(model.received)
      const second = yield* Queue.take(model.received)
      assert.deepStrictEqual(second.body.messages.slice(0, -2), first.body.messages)
      const [answer, repair] = second.body.messages.slice(-2)
      assert.deepStrictEqual(answer, { role: "assistant", content: '{"text":7,"hangs_up":"no"}' })
      assert.strictEqual(repair!.role, "user")
      assert.include(repair!.content, "text must be a string")
    })
  )

  it.scoped.each([
    ["stop", "is not a JSON object"],
    ["length", "breaks off before its end"]
  ] as const)("is told from one that was cut off (%s)", ([finish_reason, expected]) =>
    Effect.gen(function* () {
      const model = yield* connectTo((asked) => say(asked, '{"text": "Yes, th', { finish_reason }))
      const failure = yield* Effect.flip(model.personaTurn)
      assert.strictEqual(failure._tag, "ModelUnusable")
      assert.include(failure.message, expected)
      assert.notInclude(failure.message, "Yes")
      yield* Queue.take(model.received)
      assert.include((yield* Queue.take(model.received)).body.messages.at(-1)!.content, expected)
    })
  )

  it.scoped("counts its tokens along with those of the answer that is used", () =>
    Effect.gen(function* () {
      const model = yield* connectTo(inTurn(wrongForm, rightTurn))
      assert.deepStrictEqual((yield* model.personaTurn).usage, { input_tokens: 22, output_tokens: 14 })
    })
  )

  it.scoped.each([
    { scenarios: [] },
    { scenarios: [{ label: " ", instructions: "x", max_turns: 6 }] },
    { scenarios: [{ label: "x", instructions: "", max_turns: 6 }] }
  ])("is an empty list of scenarios: %j", (empty) =>
    Effect.gen(function* () {
      const repaired = yield* connectTo(
        inTurn(
          (asked) => say(asked, empty),
          (asked) => say(asked, scenariosOf(3))
        )
      )
      assert.strictEqual((yield* repaired.generate(3)).scenarios.length, 3)
      const hopeless = yield* connectTo((asked) => say(asked, empty))
      const failure = yield* Effect.flip(hopeless.generate(3))
      assert.strictEqual(failure._tag, "ModelUnusable")
    })
  )

  it.scoped.each([
    ["thought aloud before", `<think>Maybe {"text": 1}?</think>\n${JSON.stringify(turn)}`],
    ["fenced", `Here you are:\n\`\`\`json\n${JSON.stringify(turn)}\n\`\`\``],
    ["given more than was asked for", JSON.stringify({ ...turn, mood: "good" })]
  ])("is not one that is %s", ([, content]) =>
    Effect.gen(function* () {
      const model = yield* connectTo((asked) => say(asked, content))
      assert.strictEqual((yield* model.personaTurn).text, turn.text)
      assert.strictEqual(yield* Queue.size(model.received), 1)
    })
  )

  it.scoped.each([null, {}, { prompt_tokens: -4, completion_tokens: null }, { prompt_tokens: 1.5 }])(
    "is not one whose usage is odd: %j",
    (usage) =>
      Effect.gen(function* () {
        const model = yield* connectTo((asked) => say(asked, turn, { usage }))
        const told = (yield* model.personaTurn).usage
        assert.isTrue(Number.isInteger(told.input_tokens) && told.input_tokens >= 0)
        assert.strictEqual(told.output_tokens, 0)
      })
  )
})

describe("a model that cannot be reached", () => {
  it.scoped.each([500, 502, 503, 504, 529, 401, 403, 404, 301, 307])("answers %i", (status) =>
    Effect.gen(function* () {
      const model = yield* connectTo((asked) =>
        refuse(asked, status, { location: "http://127.0.0.1:9/stolen" })
      )
      const failure = yield* Effect.flip(model.personaTurn)
      assert.strictEqual(failure._tag, "ModelUnavailable")
      assert.include(failure.message, String(status))
      assert.strictEqual(yield* Queue.size(model.received), 1)
    })
  )

  it.scoped("has an account that is used up, which no waiting mends", () =>
    Effect.gen(function* () {
      const model = yield* connectTo((asked) =>
        refuse(asked, 429, { "retry-after": "1" }, "insufficient_quota")
      )
      assert.strictEqual((yield* Effect.flip(model.personaTurn))._tag, "ModelUnavailable")
    })
  )

  it.scoped.each([
    ["cuts the connection half way", cutHalfWay],
    ["hangs up without a word", hangUp]
  ] as const)("%s", ([, behaviour]) =>
    Effect.gen(function* () {
      const model = yield* connectTo(behaviour)
      assert.strictEqual((yield* Effect.flip(model.personaTurn))._tag, "ModelUnavailable")
    })
  )

  it.scoped(
    "refuses the connection, has no name, or speaks no TLS; the message has the system's code alone",
    () =>
      Effect.gen(function* () {
        const port = yield* closedPort
        const plain = yield* connectTo(competent)
        const urls = [
          `http://127.0.0.1:${port}/v1`,
          "http://no-such-host.invalid/v1",
          `https://127.0.0.1:${plain.port}/v1`
        ]
        for (const url of urls) {
          const model = yield* connect(url)
          const failure = yield* Effect.flip(model.personaTurn)
          assert.strictEqual(failure._tag, "ModelUnavailable")
          assert.match(failure.message, /^the model cannot be reached \([A-Z][A-Za-z0-9_]+\)$/)
        }
      })
  )

  it.scoped("is asked with a request that it refuses: nothing that can be used", () =>
    Effect.gen(function* () {
      const model = yield* connectTo((asked) => refuse(asked, 413))
      assert.strictEqual((yield* Effect.flip(model.personaTurn))._tag, "ModelUnusable")
    })
  )
})

describe("a model that does not answer in time", () => {
  const slowly: Behaviour = ({ response }) => {
    response.writeHead(200, { "content-type": "application/json" })
    response.write('{"choices": [')
  }

  it.scoped.each([
    ["says nothing", silence],
    ["drips", slowly]
  ] as const)("is ModelTimedOut after 60 seconds when it %s, and the request is given up", ([, behaviour]) =>
    Effect.gen(function* () {
      const model = yield* connectTo(behaviour)
      const verb = yield* Effect.fork(Effect.flip(model.personaTurn))
      const asked = yield* Queue.take(model.received)
      const closed = onceClosed(asked)
      yield* awaitSleepUntil(60_000)
      yield* TestClock.adjust("59 seconds")
      assert.isTrue((yield* Fiber.poll(verb))._tag === "None")
      yield* TestClock.adjust("1 second")
      const failure = yield* Fiber.join(verb)
      assert.strictEqual(failure._tag, "ModelTimedOut")
      assert.include(failure.message, "1m")
      yield* closed
    })
  )

  it.scoped("has one deadline for the answer and its repair together", () =>
    Effect.gen(function* () {
      const model = yield* connectTo(inTurn(silence, silence), { timeout: "10 seconds" })
      const verb = yield* Effect.fork(Effect.flip(model.judge))
      const first = yield* Queue.take(model.received)
      yield* awaitSleepUntil(10_000)
      yield* TestClock.adjust("9 seconds")
      malformed(first)
      yield* Queue.take(model.received)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(verb))._tag, "ModelTimedOut")
    })
  )

  it.scoped("an interrupted verb gives up its request at once", () =>
    Effect.gen(function* () {
      const model = yield* connectTo(silence)
      const verb = yield* Effect.fork(model.personaTurn)
      const asked = yield* Queue.take(model.received)
      const closed = onceClosed(asked)
      yield* Fiber.interrupt(verb)
      yield* closed
    })
  )
})

describe("a server that does not know the form of answers", () => {
  const old: Behaviour = (asked) =>
    asked.body.response_format === undefined && asked.body.seed === undefined
      ? say(asked, turn)
      : refuse(asked, 400)

  it.scoped("is asked without it, and at once so from then on", () =>
    Effect.gen(function* () {
      const model = yield* connectTo(old)
      assert.strictEqual((yield* model.personaTurn).text, turn.text)
      assert.strictEqual((yield* model.personaTurn).text, turn.text)
      assert.strictEqual(yield* Queue.size(model.received), 3)
    })
  )

  it.scoped("is not taken for one because it refused a single request in any form", () =>
    Effect.gen(function* () {
      const model = yield* connectTo(
        inTurn(
          (asked) => refuse(asked, 400),
          (asked) => refuse(asked, 400),
          rightTurn
        )
      )
      assert.strictEqual((yield* Effect.flip(model.personaTurn))._tag, "ModelUnusable")
      yield* model.personaTurn
      const asked = yield* Queue.takeAll(model.received)
      assert.isDefined([...asked].at(-1)!.body.response_format)
    })
  )
})

describe("what is sent", () => {
  it.scoped(
    "goes to /chat/completions below the base URL with the key, the model, the form and a seed of the play",
    () =>
      Effect.gen(function* () {
        const model = yield* connectTo(rightTurn)
        yield* model.personaTurn
        yield* model.personaTurn
        const [first, again] = [...(yield* Queue.takeAll(model.received))]
        assert.strictEqual(first!.path, "/v1/chat/completions")
        assert.strictEqual(first!.headers.authorization, `Bearer ${key}`)
        assert.isUndefined(first!.headers["traceparent"])
        assert.strictEqual(first!.body.model, "test")
        assert.isTrue(Number.isSafeInteger(first!.body.seed))
        assert.deepStrictEqual(again!.body, first!.body)
        assert.deepStrictEqual(first!.body.response_format, {
          type: "json_schema",
          json_schema: {
            name: "turn",
            strict: true,
            schema: {
              type: "object",
              required: ["text", "hangs_up"],
              properties: { text: { type: "string" }, hangs_up: { type: "boolean" } },
              additionalProperties: false
            }
          }
        } as never)
      })
  )

  it.scoped(
    "has no authorization where there is no key, and stands a base URL with a slash and a query",
    () =>
      Effect.gen(function* () {
        const model = yield* connectTo(rightTurn)
        const keyless = yield* connect(`${model.url}/?api-version=1`, { apiKey: undefined })
        yield* keyless.personaTurn
        const asked = yield* Queue.take(model.received)
        assert.strictEqual(asked.request.url, "/v1/chat/completions?api-version=1")
        assert.isUndefined(asked.headers.authorization)
      })
  )
})
