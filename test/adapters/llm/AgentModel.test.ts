import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Queue, TestClock } from "effect"
import * as FastCheck from "effect/FastCheck"
import { AgentModel, type AgentRequest } from "../../../core/ports/AgentModel.ts"
import {
  agentModelContract,
  callsIn,
  histories,
  replyBy,
  requestOf,
  textIn
} from "../../contracts/AgentModel.ts"
import { inTurn, json } from "../../Listener.ts"
import { closedPort } from "../../programs/Processes.ts"
import {
  type Asked,
  type Behaviour,
  bytes,
  competent,
  connectTo,
  encode,
  events,
  head,
  layerAt,
  say,
  serve,
  stream
} from "./ChatStream.ts"
import { awaitSleepUntil, key } from "./Client.ts"
import { onceClosed } from "./OpenAiServer.ts"

agentModelContract("llm", Layer.unwrapScoped(Effect.map(serve(competent), ({ url }) => layerAt(url))), 30)

const partsOf = (model: AgentModel["Type"], request: AgentRequest = requestOf([])) => replyBy(model, request)

const answered = (behave: Behaviour, request?: AgentRequest) =>
  Effect.scoped(Effect.flatMap(connectTo(behave), ({ model }) => partsOf(model, request)))

const failing = (behave: Behaviour) =>
  Effect.scoped(Effect.flatMap(connectTo(behave), ({ model }) => Effect.flip(partsOf(model))))

const none = { input_tokens: 0, output_tokens: 0 }
const counted = { input_tokens: 11, output_tokens: 7 }
const used = (usage: typeof none) => ({ _tag: "Used", usage }) as const
const text = (text: string) => ({ _tag: "Text", text }) as const

describe("a streamed answer", () => {
  it.scopedLive("is told word by word, as it comes", () =>
    Effect.gen(function* () {
      let open: Asked | undefined
      const { model, received } = yield* connectTo((asked) => {
        open = asked
        head(asked).write(encode(events.text("Hel")))
      })
      const heard = yield* Queue.unbounded<unknown>()
      const reply = yield* Effect.fork(
        model.reply(requestOf([]), (part) => void Queue.unsafeOffer(heard, part))
      )
      yield* Queue.take(received)
      assert.deepStrictEqual(yield* Queue.take(heard), text("Hel"))
      open!.response.write(encode(events.text("lo.")))
      assert.deepStrictEqual(yield* Queue.take(heard), text("lo."))
      open!.response.end([events.finish(), events.usage, events.done].map(encode).join(""))
      assert.deepStrictEqual(yield* Queue.take(heard), used(counted))
      yield* Fiber.join(reply)
    })
  )

  it.live("is the same wherever its bytes are cut, with LF or CRLF, comments and other fields", () =>
    Effect.gen(function* () {
      const words = ["Zoë ", "☎ 🎉 ", "हाँ", ' "quoted"\n', "end."]
      const all = [...words.map(events.text), events.finish(), events.usage, events.done]
      const body = (line: string) =>
        `: a comment${line}${line}event: message${line}id: 7${line}` +
        all
          .map(
            (event) =>
              `data:${typeof event === "string" ? event : ` ${JSON.stringify(event)}`}${line}${line}: ping${line}${line}`
          )
          .join("")
      for (const line of ["\n", "\r\n"]) {
        const whole = Buffer.from(body(line), "utf8")
        yield* Effect.promise(() =>
          FastCheck.assert(
            FastCheck.asyncProperty(
              FastCheck.array(FastCheck.nat(whole.length), { maxLength: 30 }),
              async (at) => {
                const cuts = [0, ...at.toSorted((a, b) => a - b), whole.length]
                const pieces = cuts.slice(1).map((end, i) => whole.subarray(cuts[i], end))
                const parts = await Effect.runPromise(answered(bytes(...pieces)))
                assert.strictEqual(textIn(parts), words.join(""))
                assert.deepStrictEqual(parts.at(-1), used(counted))
              }
            ),
            { numRuns: 15 }
          )
        )
      }
    })
  )

  it.live("needs neither [DONE] nor usage, nor a last line end", () =>
    Effect.gen(function* () {
      const hello = [text("Hello."), used(none)]
      assert.deepStrictEqual(yield* answered(stream(events.text("Hello."), events.finish())), hello)
      assert.deepStrictEqual(yield* answered(stream(events.text("Hello."), events.done)), hello)
      const open = `${encode(events.text("Hello."))}data: ${JSON.stringify(events.finish())}`
      assert.deepStrictEqual(yield* answered(bytes(open)), hello)
      const odd = { choices: [], usage: { prompt_tokens: "many", completion_tokens: -1 } }
      assert.deepStrictEqual(yield* answered(stream(events.text("Hello."), events.finish(), odd)), hello)
    })
  )

  it.live("may end for any reason", () =>
    Effect.gen(function* () {
      for (const reason of ["stop", "length", "tool_calls", "function_call", "content_filter", "eos"]) {
        const parts = yield* answered(stream(events.text("Hello."), events.finish(reason), events.done))
        assert.deepStrictEqual(parts, [text("Hello."), used(none)])
      }
      const { _tag, message } = yield* failing(stream(events.finish("content_filter"), events.done))
      assert.deepStrictEqual([_tag, message], ["ModelUnusable", "the model refuses to answer"])
    })
  )

  it.live("may have no text, which is told by no text", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* answered(stream(events.text(""), events.text(null), events.finish(), events.done)),
        [used(none)]
      )
    })
  )

  it.live("may be long, but not longer than 64 KiB", () =>
    Effect.gen(function* () {
      const long = "word ".repeat(2_000)
      assert.strictEqual(textIn(yield* answered(say(long))).trim(), long.trim())
      const endless = Array.from({ length: 70 }, () => events.text("x".repeat(1_024)))
      const { _tag, message } = yield* failing(stream(...endless, events.finish(), events.done))
      assert.deepStrictEqual([_tag, message], ["ModelUnusable", "the model's answer is too long"])
      assert.strictEqual((yield* failing(bytes("data: ", "x".repeat(2 * 1024 * 1024))))._tag, "ModelUnusable")
    })
  )

  it.live("leaves out what a model thinks aloud before it", () =>
    Effect.gen(function* () {
      const thinking = ["<th", "ink>Let me", " see </thin", "k>\n\nHel", "lo."].map(events.text)
      const parts = yield* answered(stream(...thinking, events.finish(), events.done))
      assert.strictEqual(textIn(parts), "Hello.")
      const less = yield* answered(
        stream(events.text(" <"), events.text("3 you"), events.finish(), events.done)
      )
      assert.strictEqual(textIn(less), " <3 you")
    })
  )
})

describe("tools in a streamed answer", () => {
  it.live("come by index, with arguments in pieces, several at a time", () =>
    Effect.gen(function* () {
      const parts = yield* answered(
        stream(
          events.text("One moment."),
          events.tool(0, { id: "call_a", name: "order_status", arguments: "" }),
          events.tool(0, { arguments: `{"order` }),
          events.tool(1, { id: "call_b", name: "weather", arguments: `{"city":` }),
          events.tool(0, { arguments: `":1}` }),
          events.tool(1, { arguments: `"Rome"}` }),
          events.tool(2, { id: "call_c", name: "end_call" }),
          events.finish("tool_calls"),
          events.usage,
          events.done
        )
      )
      assert.deepStrictEqual(parts, [
        text("One moment."),
        {
          _tag: "ToolCalls",
          calls: [
            { name: "order_status", arguments: `{"order":1}` },
            { name: "weather", arguments: `{"city":"Rome"}` },
            { name: "end_call", arguments: "{}" }
          ]
        },
        used(counted)
      ])
    })
  )

  it.live("come in the forms of other servers: one index for all, none at all, arguments as an object", () =>
    Effect.gen(function* () {
      const sameIndex = stream(
        events.tool(0, { id: "a", name: "one", arguments: "{}" }),
        events.tool(0, { id: "b", name: "two", arguments: { n: 1 } }),
        events.finish("stop"),
        events.done
      )
      assert.deepStrictEqual(callsIn(yield* answered(sameIndex)), [
        { name: "one", arguments: "{}" },
        { name: "two", arguments: `{"n":1}` }
      ])
      const noIndex = stream(
        events.tool(undefined, { id: "a", name: "one", arguments: `{"n"` }),
        events.tool(undefined, { arguments: ":1}" }),
        events.tool(undefined, { id: "b", name: "two", arguments: "{}" }),
        events.finish("tool_calls")
      )
      assert.deepStrictEqual(callsIn(yield* answered(noIndex)), [
        { name: "one", arguments: `{"n":1}` },
        { name: "two", arguments: "{}" }
      ])
    })
  )

  it.live("are told as they are: unknown names, and arguments that are no JSON", () =>
    Effect.gen(function* () {
      const parts = yield* answered(
        stream(
          events.tool(0, { id: "a", name: "no_such_tool", arguments: `{"n":` }),
          events.tool(1, { id: "b" }),
          events.finish("tool_calls")
        )
      )
      assert.deepStrictEqual(callsIn(parts), [{ name: "no_such_tool", arguments: `{"n":` }])
    })
  )

  it.live("without end are given up", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 200 }, (_, i) =>
        events.tool(i, { id: `${i}`, name: "again", arguments: "{}" })
      )
      assert.strictEqual((yield* failing(stream(...many, events.finish("tool_calls"))))._tag, "ModelUnusable")
      const long = Array.from({ length: 70 }, () => events.tool(0, { arguments: "x".repeat(1_024) }))
      assert.strictEqual((yield* failing(stream(...long, events.finish("tool_calls"))))._tag, "ModelUnusable")
    })
  )
})

const hangUp: Behaviour = ({ response }) => void response.socket?.destroy()
const halfAStream: Behaviour = (asked) => {
  head(asked).write(encode(events.text("Hel")), () => asked.response.socket?.destroy())
}
const endsEarly = stream(events.text("Hel"))
const error =
  (status: number, headers: Record<string, string> = {}, code: string | null = null): Behaviour =>
  (asked) =>
    json(asked, status, { error: { message: "no", code } }, headers)

describe("a model that fails", () => {
  it.live.each([
    ["breaks the connection off", hangUp, "ModelUnavailable"],
    ["breaks off within its answer", halfAStream, "ModelUnavailable"],
    ["ends before its answer does", endsEarly, "ModelUnavailable"],
    [
      "tells of an error within its answer",
      stream(events.text("Hel"), { error: { message: "secret" } }),
      "ModelUnavailable"
    ],
    ["answers what is no event", stream("{"), "ModelUnusable"],
    ["answers a page", ((asked) => asked.response.end("<html>")) satisfies Behaviour, "ModelUnavailable"],
    ["answers 400", error(400), "ModelUnusable"],
    ["answers 401", error(401), "ModelUnavailable"],
    ["answers 404", error(404), "ModelUnavailable"],
    ["answers 500", error(500), "ModelUnavailable"],
    ["answers a redirect", error(307, { location: "http://127.0.0.1:1/" }), "ModelUnavailable"],
    ["has used up its account", error(429, {}, "insufficient_quota"), "ModelUnavailable"],
    ["asks to slow down", error(429), "ModelBusy"]
  ] as const)("has failed when it %s, and is not asked again", ([, behave, expected]) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { asked, model } = yield* connectTo(behave)
        const failure = yield* Effect.flip(partsOf(model))
        assert.strictEqual(failure._tag, expected)
        assert.notMatch(failure.message, /secret|127\.0\.0\.1/)
        assert.strictEqual(asked.length, asked[0]!.response.statusCode === 400 ? 2 : 1)
      })
    )
  )

  it.live("says how long to wait, in seconds", () =>
    Effect.gen(function* () {
      const wait = (header: string) =>
        Effect.map(failing(error(429, { "retry-after": header })), (failure) =>
          failure._tag === "ModelBusy" ? failure.retry_after : null
        )
      assert.strictEqual(yield* wait("7"), 7)
      assert.strictEqual(yield* wait("0.2"), 1)
      assert.strictEqual(yield* wait("soon"), 1)
    })
  )

  it.scopedLive("and cannot be reached says so", () =>
    Effect.gen(function* () {
      const port = yield* closedPort
      const failure = yield* Effect.flip(replied(`http://127.0.0.1:${port}/v1`))
      assert.deepStrictEqual(
        [failure._tag, failure.message],
        ["ModelUnavailable", "the model cannot be reached (ECONNREFUSED)"]
      )
    })
  )

  it.scoped("is given up when no token comes in 8 seconds, whatever else it sends", () =>
    Effect.gen(function* () {
      const { model, received } = yield* connectTo((asked) => {
        head(asked).write(`: processing\n\n${encode(events.text(""))}`)
      })
      const reply = yield* Effect.fork(Effect.flip(partsOf(model)))
      const asked = yield* Queue.take(received)
      const closed = onceClosed(asked as never)
      yield* awaitSleepUntil(8_000)
      yield* TestClock.adjust("7999 millis")
      assert.isNull(reply.unsafePoll())
      yield* TestClock.adjust("1 millis")
      const { _tag, message } = yield* Fiber.join(reply)
      assert.deepStrictEqual([_tag, message], ["ModelTimedOut", "the model did not answer in time"])
      yield* closed
    })
  )

  it.scoped("is given up when 5 seconds lie between two tokens", () =>
    Effect.gen(function* () {
      let open: Asked | undefined
      const { model } = yield* connectTo((asked) => {
        open = asked
        head(asked).write(encode(events.text("Hel")))
      })
      const heard = yield* Queue.unbounded<unknown>()
      const reply = yield* Effect.fork(
        Effect.flip(model.reply(requestOf([]), (part) => void Queue.unsafeOffer(heard, part)))
      )
      yield* Queue.take(heard)
      yield* TestClock.adjust("4 seconds")
      open!.response.write(encode(events.text("lo")))
      yield* Queue.take(heard)
      yield* TestClock.adjust("4 seconds")
      assert.isNull(reply.unsafePoll())
      yield* TestClock.adjust("1 seconds")
      const { _tag, message } = yield* Fiber.join(reply)
      assert.deepStrictEqual([_tag, message], ["ModelTimedOut", "the model's answer stalled"])
    })
  )

  it.scoped("to close an answer that had come to its end does no harm", () =>
    Effect.gen(function* () {
      const { model } = yield* connectTo((asked) => {
        head(asked).write(encode(events.text("Hello.")) + encode(events.finish()))
      })
      const heard = yield* Queue.unbounded<unknown>()
      const reply = yield* Effect.fork(
        model.reply(requestOf([]), (part) => void Queue.unsafeOffer(heard, part))
      )
      yield* Queue.take(heard)
      yield* TestClock.adjust("8 seconds")
      yield* Fiber.join(reply)
      assert.deepStrictEqual(yield* Queue.take(heard), used(none))
    })
  )

  it.scopedLive("that does not know how to be asked for the usage is not asked for it again", () =>
    Effect.gen(function* () {
      const { asked, model } = yield* connectTo((asked) =>
        asked.body.stream_options === undefined
          ? stream(events.text("Hello."), events.finish(), events.done)(asked)
          : error(400)(asked)
      )
      for (const _ of [1, 2]) assert.strictEqual(textIn(yield* partsOf(model)), "Hello.")
      assert.deepStrictEqual(
        asked.map(({ body }) => body.stream_options !== undefined),
        [true, false, false]
      )
    })
  )
})

const replied = (url: string, options = {}) =>
  Effect.scoped(
    Effect.flatMap(Layer.build(layerAt(url, options)), (context) => partsOf(Context.get(context, AgentModel)))
  )

describe("requests to the model", () => {
  it.scopedLive("end when the answer is not wanted any more", () =>
    Effect.gen(function* () {
      const { model, received } = yield* connectTo((asked) => {
        head(asked).write(encode(events.text("Hel")))
      })
      const reply = yield* Effect.fork(partsOf(model))
      const closed = onceClosed((yield* Queue.take(received)) as never)
      yield* Fiber.interrupt(reply)
      yield* closed
      // So does the one whose reader has heard enough.
      const enough = yield* Deferred.make<void>()
      const first = yield* Effect.fork(
        Effect.raceFirst(
          model.reply(requestOf([]), () => void Deferred.unsafeDone(enough, Effect.void)),
          Deferred.await(enough)
        )
      )
      const again = onceClosed((yield* Queue.take(received)) as never)
      yield* Fiber.join(first)
      yield* again
    })
  )

  it.scopedLive(
    "go over connections that are kept, and over a new one when the server has closed those",
    () =>
      Effect.gen(function* () {
        const { connections, model } = yield* connectTo(competent)
        for (const _ of [1, 2, 3]) yield* partsOf(model)
        assert.strictEqual(connections(), 1)
        const seen = new WeakSet<object>()
        const closing = yield* connectTo((asked) => {
          if (seen.has(asked.request.socket)) return asked.request.socket.destroy()
          seen.add(asked.request.socket)
          return competent(asked)
        })
        for (const _ of [1, 2, 3]) assert.notStrictEqual(textIn(yield* partsOf(closing.model)), "")
      })
  )

  it.scopedLive("are refused as busy when there are too many, and taken again when one has ended", () =>
    Effect.gen(function* () {
      const { model, received } = yield* connectTo(
        inTurn(
          () => {},
          () => {},
          competent
        ),
        { streams: 2 }
      )
      const replies = yield* Effect.forEach([1, 2], () => Effect.fork(partsOf(model)))
      yield* Queue.takeN(received, 2)
      assert.strictEqual((yield* Effect.flip(partsOf(model)))._tag, "ModelBusy")
      yield* Fiber.interrupt(replies[0]!)
      assert.notStrictEqual(textIn(yield* partsOf(model)), "")
    })
  )

  it.scopedLive(
    "carry the key, the agent's model and temperature before the deployment's, and the tools",
    () =>
      Effect.gen(function* () {
        const { asked, model } = yield* connectTo(competent)
        yield* partsOf(model)
        yield* partsOf(model, requestOf([], { agent: { model: "better", temperature: 0.3 }, tools: [] }))
        const [first, second] = asked
        assert.strictEqual(first!.headers.authorization, `Bearer ${key}`)
        assert.strictEqual(first!.path, "/v1/chat/completions")
        assert.deepInclude(first!.body, {
          model: "test",
          stream: true,
          stream_options: { include_usage: true }
        })
        assert.isFalse("temperature" in first!.body)
        assert.include(
          first!.body.tools!.map((tool) => tool.function.name),
          "end_call"
        )
        assert.deepInclude(second!.body, { model: "better", temperature: 0.3 })
        assert.isFalse("tools" in second!.body)
      })
  )

  it.scopedLive("tell the talk as a chat: what was said, done and noted", () =>
    Effect.gen(function* () {
      const { asked, model } = yield* connectTo(competent)
      yield* partsOf(
        model,
        requestOf([
          { role: "agent", text: "Hello.", calls: [] },
          { role: "agent", text: "This is Mia.", calls: [] },
          { role: "callee", text: "Where is my" },
          { role: "callee", text: "order 7?" },
          { role: "agent", text: "", calls: [{ id: "tool_1_1", name: "order_status", arguments: "{oops" }] },
          { role: "tool", id: "tool_1_1", name: "order_status", result: "shipped" },
          { role: "agent", text: "It was shipped.", calls: [] },
          { role: "note", text: "The call may last a few seconds more." }
        ])
      )
      const [system, ...rest] = asked[0]!.body.messages
      assert.strictEqual(system!.role, "system")
      assert.isTrue(system!.content!.startsWith("You are Mia, calling for Acme Dental."))
      assert.include(system!.content!, `Speak "en-US"`)
      assert.deepStrictEqual(rest, [
        { role: "user", content: "[The call is connected.]" },
        { role: "assistant", content: "Hello. This is Mia." },
        { role: "user", content: "Where is my\norder 7?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "tool_1_1", type: "function", function: { name: "order_status", arguments: "{}" } }
          ]
        },
        { role: "tool", tool_call_id: "tool_1_1", content: "shipped" },
        { role: "assistant", content: "It was shipped." },
        { role: "user", content: "[The call may last a few seconds more.]" }
      ])
    })
  )

  it.scopedLive("have the callee first and last, in turn with the agent, whatever was said", () =>
    Effect.gen(function* () {
      const { model, received } = yield* connectTo(competent)
      yield* Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(histories, async (messages) => {
            await Effect.runPromise(partsOf(model, requestOf(messages)))
            const { body } = await Effect.runPromise(Queue.take(received))
            const roles = body.messages.map(({ role }) => role)
            assert.deepStrictEqual(roles.slice(0, 2), ["system", "user"])
            assert.include(["user", "tool"], roles.at(-1))
            for (const [i, role] of roles.entries()) {
              if (role === "user") assert.notStrictEqual(roles[i - 1], "user")
              if (role === "tool") assert.isDefined(body.messages[i - 1]!.tool_calls)
            }
          }),
          { numRuns: 50 }
        )
      )
    })
  )
})
