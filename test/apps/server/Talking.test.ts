import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Layer, Logger, Scope } from "effect"
import * as Server from "../../../apps/server/Server.ts"
import { temporaryFile } from "../../adapters/sql/TemporaryFile.ts"
import { connect, signed } from "../../adapters/twilio/RelayStand.ts"
import { accountSid, authToken, serve } from "../../adapters/twilio/TwilioServer.ts"
import { freePort } from "../../programs/Processes.ts"
import { until } from "../../Until.ts"

const key = "od_live_talk_0123456789abcdef0123456789abcdef"

/** The server as the settings make it, at a stand-in for Twilio, on a file. */
const serving = Effect.gen(function* () {
  const twilio = yield* serve()
  const port = yield* freePort
  const file = yield* temporaryFile
  const origin = `http://127.0.0.1:${port}`
  const settings = {
    PORT: String(port),
    OUTDIAL_DATABASE_URL: `sqlite:${file}`,
    OUTDIAL_BOOTSTRAP_API_KEY: key,
    OUTDIAL_CARRIER: "twilio",
    OUTDIAL_PUBLIC_URL: origin,
    OUTDIAL_TWILIO_URL: twilio.url,
    OUTDIAL_TWILIO_ACCOUNT_SID: accountSid,
    OUTDIAL_TWILIO_AUTH_TOKEN: authToken,
    OUTDIAL_LOG_LEVEL: "OFF"
  }
  const server = Layer.build(
    Server.layer.pipe(
      Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))),
      Layer.provide(Logger.remove(Logger.defaultLogger))
    )
  )
  const life = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
  yield* Scope.extend(server, life)
  const ask = (path: string, body?: object, method = body === undefined ? "GET" : "POST") =>
    Effect.promise(async () => {
      const response = await fetch(`${origin}/v0${path}`, {
        method,
        headers: { "x-api-key": key, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      const text = await response.text()
      assert.strictEqual(response.status, 200, text)
      return JSON.parse(text)
    })
  yield* ask("/phone-numbers", { number: "+14155550100" })
  const { data } = yield* ask("/agents")
  const agent = data.find(({ published }: { published: boolean }) => published)

  /** Places a call to a callee who answers, and of whom the stand-in does nothing by itself. */
  const placed = Effect.fnUntraced(function* (call_config: object = {}) {
    const before = twilio.calls.size
    const { call_id } = yield* ask("/calls", {
      agent_id: agent.id,
      to_number: "+14155550008",
      custom_variables: { name: "Ada", company: "Outdial", date: "Friday" },
      call_config
    })
    yield* until(
      "the call is dialled",
      Effect.sync(() => twilio.calls.size > before)
    )
    const call = [...twilio.calls.values()].at(-1)!
    const { session_id } = yield* ask(`/calls/${call_id}`)
    return {
      call,
      twiml: call.form.get("Twiml")!,
      session: ask(`/sessions/${session_id}`),
      transcript: Effect.map(
        ask(`/sessions/${session_id}/transcript`),
        ({ turns }) => turns as ReadonlyArray<Turn>
      )
    }
  })
  return { placed, restart: Effect.zipRight(Scope.close(life, Exit.void), server) }
})

interface Turn {
  readonly role: string
  readonly text: string
  readonly generated: string | null
  readonly interrupted: boolean
  readonly digits: boolean
}

const greeting = "Hello Ada, this is the assistant of Outdial. Do you have a minute?"
const lost = { SessionStatus: "failed", ErrorCode: "64105" }

/** A call whose greeting the relay is about to play. */
const greeted = Effect.fnUntraced(function* (config?: object) {
  const { placed, restart } = yield* serving
  const all = yield* placed(config)
  const relay = yield* Effect.orDie(connect(all.twiml, all.call))
  assert.strictEqual(yield* relay.said, greeting)
  return { ...all, relay, restart }
})

const textsOf = (turns: ReadonlyArray<Turn>) => turns.map(({ role, text }) => `${role}: ${text}`)

describe.concurrent("a server that talks on Twilio's calls", () => {
  it.scopedLive("greets, answers, and writes down what was heard", () =>
    Effect.gen(function* () {
      const { relay, session, transcript } = yield* greeted()
      yield* relay.play(greeting)
      yield* relay.say("Yes, I do.")
      const answer = yield* relay.said
      yield* relay.play(answer)
      yield* relay.hangUp
      assert.strictEqual(
        yield* relay.after({ SessionStatus: "completed", CallStatus: "completed" }),
        "<Response/>"
      )
      yield* until(
        "the session is over",
        Effect.map(session, ({ status }) => status === "over")
      )
      assert.deepInclude(yield* session, { reason: "user_hangup" })
      const turns = yield* transcript
      assert.deepStrictEqual(textsOf(turns).slice(0, 3), [
        `agent: ${greeting}`,
        "callee: Yes, I do.",
        `agent: ${answer.trim()}`
      ])
    })
  )

  it.scopedLive(
    "remembers of each interrupted sentence what was heard of it, once, and answers all the same",
    () =>
      Effect.gen(function* () {
        const { relay, session, transcript } = yield* greeted()
        yield* relay.send({ type: "info", name: "agentSpeaking", value: "on" })
        yield* relay.send({ type: "info", name: "clientSpeaking", value: "on" })
        yield* relay.send({ type: "info", name: "tokensPlayed", value: "Hello Ada," })
        yield* relay.send({
          type: "interrupt",
          utteranceUntilInterrupt: "Hello Ada,",
          durationUntilInterruptMs: "640"
        })
        yield* relay.send({ type: "prompt", voicePrompt: "Who is", lang: "en-US", last: false })
        yield* relay.send({ type: "info", name: "agentSpeaking", value: "off" })
        yield* relay.send({ type: "info", name: "clientSpeaking", value: "off" })
        yield* relay.send({ type: "prompt", voicePrompt: "Who is calling?", lang: "en-US", last: true })
        const questions = Array.from({ length: 6 }, (_, n) => `What is item ${n}?`)
        const heard: Array<string> = []
        for (const question of questions) {
          const answer = yield* relay.said
          const word = answer.trim().split(" ")[0]!
          heard.push(word)
          yield* relay.send({ type: "info", name: "agentSpeaking", value: "on" })
          yield* relay.send({ type: "info", name: "clientSpeaking", value: "on" })
          yield* relay.send({ type: "info", name: "tokensPlayed", value: word })
          yield* relay.send({
            type: "interrupt",
            utteranceUntilInterrupt: word,
            durationUntilInterruptMs: 300
          })
          yield* relay.send({ type: "info", name: "agentSpeaking", value: "off" })
          yield* relay.send({ type: "info", name: "clientSpeaking", value: "off" })
          yield* relay.send({ type: "prompt", voicePrompt: question, lang: "en-US", last: true })
        }
        const last = yield* relay.said
        yield* relay.play(last)
        yield* relay.hangUp
        yield* until(
          "the session is over",
          Effect.map(session, ({ status }) => status === "over")
        )
        const [first, second, ...rest] = yield* transcript
        assert.deepInclude(first, { text: "Hello Ada,", generated: greeting, interrupted: true })
        assert.deepInclude(second, { role: "callee", text: "Who is calling?" })
        const expected = questions.flatMap((question, n) => [`agent: ${heard[n]}`, `callee: ${question}`])
        assert.deepStrictEqual(textsOf(rest), [...expected, `agent: ${last.trim()}`])
        assert.deepInclude(yield* session, { reason: "user_hangup", interruptions: 7 })
      })
  )

  it.scopedLive("takes digits during the greeting, which come before their interrupt", () =>
    Effect.gen(function* () {
      const { relay, transcript } = yield* greeted()
      yield* relay.send({ type: "info", name: "agentSpeaking", value: "on" })
      yield* relay.send({ type: "info", name: "tokensPlayed", value: "Hello Ada," })
      yield* relay.send({ type: "dtmf", digit: "1" })
      yield* relay.send({
        type: "interrupt",
        utteranceUntilInterrupt: "Hello Ada,",
        durationUntilInterruptMs: 640
      })
      yield* relay.send({ type: "info", name: "agentSpeaking", value: "off" })
      yield* relay.send({ type: "dtmf", digit: "#" })
      yield* relay.play(yield* relay.said)
      yield* until(
        "three turns",
        Effect.map(transcript, ({ length }) => length >= 3)
      )
      assert.deepInclude((yield* transcript)[1], { role: "callee", text: "1#", digits: true })
    })
  )

  it.scopedLive("goes on over a fresh connection when the first breaks, without its greeting", () =>
    Effect.gen(function* () {
      const { call, relay, session, transcript } = yield* greeted()
      yield* relay.play(greeting)
      yield* relay.say("Yes, I do.")
      const answer = yield* relay.said
      yield* relay.play(answer)
      yield* relay.drop
      const again = yield* relay.after(lost)
      const second = yield* Effect.orDie(connect(again, call, { callStatus: "IN_PROGRESS" }))
      const resumed = yield* second.said
      assert.match(resumed, /lost you/)
      yield* second.play(resumed)
      yield* second.say("No problem.")
      yield* second.play(yield* second.said)
      yield* second.hangUp
      yield* until(
        "the session is over",
        Effect.map(session, ({ status }) => status === "over")
      )
      const texts = textsOf(yield* transcript)
      assert.deepStrictEqual(
        texts.filter((text) => text.includes(greeting)),
        [`agent: ${greeting}`]
      )
      assert.includeMembers(texts, [
        "callee: Yes, I do.",
        `agent: ${answer.trim()}`,
        `agent: ${resumed}`,
        "callee: No problem."
      ])
    })
  )

  it.scopedLive("leaves when neither side speaks, and goes on where it stood once it is there again", () =>
    Effect.gen(function* () {
      const { call, relay, restart, transcript } = yield* greeted()
      yield* relay.play(greeting)
      yield* relay.say("Yes, I do.")
      const answer = yield* relay.said
      yield* relay.play(answer)
      yield* restart
      assert.strictEqual(yield* relay.closed, 1_006)
      const second = yield* Effect.orDie(
        connect(yield* relay.after(lost), call, { callStatus: "IN_PROGRESS" })
      )
      const resumed = yield* second.said
      assert.match(resumed, /lost you/)
      yield* second.play(resumed)
      yield* second.say("No problem.")
      yield* second.play(yield* second.said)
      const said = [
        "callee: Yes, I do.",
        `agent: ${answer.trim()}`,
        `agent: ${resumed}`,
        "callee: No problem."
      ]
      yield* until(
        "all of it is written down",
        Effect.map(transcript, (turns) => said.every((each) => textsOf(turns).includes(each)))
      )
    })
  )

  it.scopedLive(
    "ignores frames that are none, ten in a row, one for which it has no use, and one of a megabyte",
    () =>
      Effect.gen(function* () {
        const { call, relay, transcript } = yield* greeted()
        yield* relay.play(greeting)
        for (let i = 0; i < 10; i++)
          yield* relay.send(["", "nonsense", "[]", '{"type":"prompt"}', "{}"][i % 5]!)
        yield* relay.send({ type: "unheard_of", value: 1 })
        yield* relay.say("Yes, I do.")
        assert.isNotEmpty(yield* relay.said)
        yield* relay.send({ type: "prompt", voicePrompt: "x".repeat(1_000_000), lang: "en-US", last: true })
        assert.strictEqual(yield* relay.closed, 1_009)
        const second = yield* Effect.orDie(
          connect(yield* relay.after(lost), call, { callStatus: "IN_PROGRESS" })
        )
        yield* second.play(yield* second.said)
        yield* second.say("What is it about?")
        assert.isNotEmpty(yield* second.said)
        const ofCallee = Effect.map(transcript, (turns) => turns.filter(({ role }) => role === "callee"))
        yield* until(
          "what the callee said is written down",
          Effect.map(ofCallee, ({ length }) => length >= 2)
        )
        assert.deepStrictEqual(
          (yield* ofCallee).map(({ text }) => text),
          ["Yes, I do.", "What is it about?"]
        )
      })
  )

  it.scopedLive("nudges a callee who is silent, says goodbye, ends its line, and hangs up", () =>
    Effect.gen(function* () {
      const { relay, session } = yield* greeted({ idle_timeout_warning: 1, idle_timeout_end: 2 })
      yield* relay.play(greeting)
      const nudge = yield* relay.said
      assert.match(nudge, /still there/)
      yield* relay.play(nudge)
      const goodbye = yield* relay.said
      assert.match(goodbye, /Goodbye/)
      yield* relay.play(goodbye)
      const HandoffData = yield* relay.ended
      assert.strictEqual(yield* relay.closed, 1_000)
      yield* until(
        "the session is over",
        Effect.map(session, ({ status }) => status === "over")
      )
      assert.include(yield* relay.after({ SessionStatus: "ended", HandoffData }), "<Hangup/>")
      assert.include(yield* relay.after({ SessionStatus: "ended", HandoffData }), "<Hangup/>")
      assert.deepInclude(yield* session, { reason: "idle_timeout" })
    })
  )

  it.scopedLive("says what comes next when it is asked before the socket is closed", () =>
    Effect.gen(function* () {
      const { relay } = yield* greeted({ idle_timeout_warning: 1, idle_timeout_end: 2 })
      yield* relay.play(greeting)
      let told = yield* relay.said
      while (!told.includes("Goodbye")) {
        yield* relay.play(told)
        told = yield* relay.said
      }
      yield* relay.play(told)
      const HandoffData = yield* relay.ended
      assert.include(yield* relay.after({ SessionStatus: "ended", HandoffData }), "<Hangup/>")
    })
  )

  it.scopedLive("refuses a socket that Twilio did not sign for, and one for a session that is over", () =>
    Effect.gen(function* () {
      const { call, relay, session, twiml } = yield* greeted()
      assert.strictEqual(yield* Effect.flip(connect(twiml, call, { headers: () => ({}) })), 403)
      const forged = (url: string) => signed(`${url}x`)
      assert.strictEqual(yield* Effect.flip(connect(twiml, call, { headers: forged })), 403)
      const elsewhere = twiml.replace(/(conversation\/)[^"]+/, "$1made-up")
      assert.strictEqual(yield* Effect.flip(connect(elsewhere, call)), 404)
      yield* relay.play(greeting)
      yield* relay.hangUp
      yield* until(
        "the session is over",
        Effect.map(session, ({ status }) => status === "over")
      )
      const late = yield* Effect.orDie(connect(twiml, call))
      assert.strictEqual(yield* late.closed, 1_008)
    })
  )

  it.scopedLive("lets the later of two sockets of a session have it, and closes the earlier", () =>
    Effect.gen(function* () {
      const { call, relay, twiml } = yield* greeted()
      yield* relay.play(greeting)
      const second = yield* Effect.orDie(connect(twiml, call, { callStatus: "IN_PROGRESS" }))
      assert.match(yield* second.said, /lost you/)
      yield* relay.closed
    })
  )
})
