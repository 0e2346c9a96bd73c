import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { getExpectedTwilioSignature } from "twilio/lib/webhooks/webhooks.js"
import { CarrierCallbacks } from "../../../adapters/shared/CarrierCallbacks.ts"
import * as Callbacks from "../../../adapters/twilio/Callbacks.ts"
import * as CallbackUrls from "../../../adapters/twilio/CallbackUrls.ts"
import * as Conversations from "../../../adapters/twilio/Conversations.ts"
import { mostConnections } from "../../../adapters/twilio/RelayErrors.ts"
import {
  type AfterLine,
  ConversationRunner,
  type OutsideEvent
} from "../../../core/engine/ConversationRunner.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { Calls } from "../../../core/usecases/Calls.ts"
import * as Platform from "../../Platform.ts"
import { authToken, credentials } from "./TwilioServer.ts"

const publicUrl = "https://voice.example/base/"
const options = { authToken: credentials.authToken, publicUrl, talk: () => Effect.void }

/** The platform in memory, whose conversations answer what a test sets, and a call that has been dialled. */
const rig = Effect.gen(function* () {
  const tenant = yield* Platform.tenant()
  const workspace_id = tenant.workspace.id
  const { call_id } = yield* Platform.place(tenant, "0008")
  yield* Effect.yieldNow()
  const { attempts } = yield* Repository
  const attempt = yield* attempts.ofCall(workspace_id, call_id).pipe(
    Effect.tap(() => Effect.yieldNow()),
    Effect.repeat({ until: ([first]) => first?.carrier_call_id != null }),
    Effect.map(([first]) => first!)
  )
  const session = { workspace_id, session_id: attempt.session_id }
  const told: Array<OutsideEvent> = []
  const tokens: Array<string | null> = []
  let next: AfterLine = { _tag: "HangUp" }
  const runner = Layer.succeed(ConversationRunner, {
    hold: () => Effect.void,
    tell: (name, event) => {
      assert.deepStrictEqual(name, session)
      return Effect.sync(() => void told.push(event))
    },
    after: (name, token) => {
      assert.deepStrictEqual(name, session)
      tokens.push(token)
      return Effect.sync(() => next)
    }
  })
  const conversations = yield* Effect.provide(Conversations.make(options), runner)
  const context = yield* Layer.build(Callbacks.layer({ ...options, conversations }))
  const { handle } = Context.get(context, CarrierCallbacks)
  const dialled = { workspace_id, key: attempt.id, dialled_at: attempt.started_at!, max_call_length: 600 }
  const send = (address: string, fields: Record<string, string>, token = authToken) => {
    const url = address.replace(/#.*$/, "")
    const headers = { "x-twilio-signature": getExpectedTwilioSignature(token, url, fields) }
    return handle({ method: "POST", url, headers, body: new URLSearchParams(fields).toString() })
  }
  return {
    attempt,
    call: Effect.flatMap(Calls, (calls) => calls.get(workspace_id, call_id)),
    conversations,
    dialled,
    session,
    told,
    tokens,
    decide: (to: AfterLine) => {
      next = to
    },
    detected: (AnsweredBy: string) =>
      send(CallbackUrls.detection(publicUrl, dialled, session.session_id), { CallSid: "CA1", AnsweredBy }),
    after: (fields: Record<string, string>, connection = CallbackUrls.firstConnection, token = authToken) =>
      send(
        CallbackUrls.after(publicUrl, dialled, session.session_id, connection),
        { CallSid: "CA1", CallStatus: "in-progress", SessionStatus: "ended", ...fields },
        token
      )
  }
})

const inner = (document: string) => /<Response>(.*)<\/Response>/s.exec(document)![1]!

describe("the request for a relay's socket", () => {
  const ask = Effect.fnUntraced(function* (url: string, signature: string | undefined) {
    const { conversations } = yield* rig
    return yield* conversations.accept({ url, headers: { "x-twilio-signature": signature } })
  })
  const session = { workspace_id: "ws_1", session_id: "sess_1" }
  const url = CallbackUrls.conversation(publicUrl, credentials.authToken, session)
  const path = url.replace("wss://voice.example/base", "")
  const signature = getExpectedTwilioSignature(authToken, url, {})

  it.scoped("is taken with Twilio's signature of the address as it was given out", () =>
    Effect.gen(function* () {
      assert.match(url, /^wss:\/\/voice\.example\/base\/callbacks\/twilio\/conversation\/[\w.-]+$/)
      for (const below of ["", "/base", "/a/proxy"]) {
        assert.deepInclude(yield* ask(`${below}${path}`, signature), { _tag: "Accepted", name: "sess_1" })
      }
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("is refused without a signature, with a wrong one, and at an address of no session", () =>
    Effect.gen(function* () {
      const another = CallbackUrls.conversation(publicUrl, credentials.authToken, {
        ...session,
        workspace_id: "ws_2"
      })
      for (const wrong of [
        undefined,
        "",
        getExpectedTwilioSignature("another token", url, {}),
        getExpectedTwilioSignature(authToken, another, {}),
        getExpectedTwilioSignature(authToken, url.replace("wss:", "https:"), {})
      ]) {
        assert.deepInclude(yield* ask(path, wrong), { _tag: "Refused", status: 403 })
      }
      for (const forged of [
        path.slice(0, -3),
        `${path}/more`,
        "/callbacks/twilio/conversation/",
        "/elsewhere"
      ]) {
        const signed = getExpectedTwilioSignature(authToken, `wss://voice.example/base${forged}`, {})
        assert.deepInclude(yield* ask(forged, signed), { _tag: "Refused", status: 404 })
      }
    }).pipe(Effect.provide(Platform.layer()))
  )
})

describe("what comes after a relay's session", () => {
  it.scoped("is what the conversation says: hang up, transfer, connect anew without a greeting", () =>
    Effect.gen(function* () {
      const { after, decide, dialled, session, tokens } = yield* rig
      const ended = { SessionStatus: "ended", HandoffData: "agent_hangup" }
      assert.strictEqual(inner((yield* after(ended)).body), "<Hangup/>")
      decide({ _tag: "Transfer", to_number: "+14155550199", from_number: "+14155550100" })
      const transferred = '<Dial callerId="+14155550100">+14155550199</Dial>'
      assert.strictEqual(inner((yield* after(ended)).body), transferred)
      assert.strictEqual(inner((yield* after(ended)).body), transferred, "the same when it comes twice")
      decide({ _tag: "Connect", answers: 0 })
      const { body, contentType } = yield* after({ SessionStatus: "failed", ErrorCode: "64105" })
      assert.strictEqual(contentType, "text/xml")
      const action = CallbackUrls.after(publicUrl, dialled, session.session_id, {
        number: 2,
        answers: 0
      }).replaceAll("&", "&amp;")
      assert.include(body, `<Connect action="${action}"><ConversationRelay url="wss://voice.example/base/`)
      assert.notInclude(body, "welcomeGreeting")
      assert.deepStrictEqual(tokens, ["agent_hangup", "agent_hangup", "agent_hangup", null])
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("is nothing for a call that is over", () =>
    Effect.gen(function* () {
      const { after, decide } = yield* rig
      decide({ _tag: "Connect", answers: 0 })
      const { body, status } = yield* after({ CallStatus: "completed", SessionStatus: "completed" })
      assert.deepStrictEqual([status, body], [200, "<Response/>"])
    }).pipe(Effect.provide(Platform.layer()))
  )

  for (const code of ["64101", "64102", "64104", "64106", "64107", "64108", "64109"]) {
    it.scoped(`is the end of the call as failed with ${code}`, () =>
      Effect.gen(function* () {
        const { after, call, decide } = yield* rig
        decide({ _tag: "Connect", answers: 0 })
        const ErrorMessage = "The relay of +14155550123 failed"
        const { body } = yield* after({ SessionStatus: "failed", ErrorCode: code, ErrorMessage })
        assert.strictEqual(inner(body), "<Hangup/>")
        const { error, outcome, status, sub_status } = yield* call
        assert.deepStrictEqual([status, outcome, sub_status], ["failed", "failed", "carrier_error"])
        assert.deepStrictEqual(error?.details, {
          carrier_code: code,
          carrier_message: "The relay of +*******0123 failed"
        })
      }).pipe(Effect.provide(Platform.layer()))
    )
  }

  it.scoped("is another connection after a broken one, until too many have broken without an answer", () =>
    Effect.gen(function* () {
      const { after, call, decide } = yield* rig
      const lost = { SessionStatus: "failed", ErrorCode: "64105" }
      decide({ _tag: "Connect", answers: 2 })
      for (let number = 1; number < mostConnections; number++) {
        const { body } = yield* after(lost, { number, answers: 2 })
        assert.include(body, `connection=${number + 1}&amp;answers=2`)
      }
      const last = { number: mostConnections, answers: 2 }
      decide({ _tag: "Connect", answers: 3 })
      assert.include((yield* after(lost, last)).body, "connection=1&amp;answers=3", "an answer was heard")
      decide({ _tag: "Connect", answers: 2 })
      assert.strictEqual(inner((yield* after(lost, last)).body), "<Hangup/>")
      assert.strictEqual((yield* call).error?.code, "carrier_error")
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("is answered to Twilio alone", () =>
    Effect.gen(function* () {
      const { after, decide } = yield* rig
      decide({ _tag: "Transfer", to_number: "+14155550199", from_number: "+14155550100" })
      assert.strictEqual((yield* after({}, CallbackUrls.firstConnection, "another token")).status, 403)
    }).pipe(Effect.provide(Platform.layer()))
  )
})

describe("what Twilio finds out of who has answered", () => {
  const machine = { _tag: "AnsweredBy", who: "machine" } as const
  const found: Readonly<Record<string, ReadonlyArray<OutsideEvent>>> = {
    human: [{ _tag: "AnsweredBy", who: "human" }],
    machine_start: [machine],
    fax: [machine],
    machine_end_beep: [machine, { _tag: "MessageEnded" }],
    machine_end_silence: [machine, { _tag: "MessageEnded" }],
    unknown: []
  }
  for (const [answeredBy, events] of Object.entries(found)) {
    it.scoped(`reaches the conversation: ${answeredBy}`, () =>
      Effect.gen(function* () {
        const { detected, told } = yield* rig
        assert.strictEqual((yield* detected(answeredBy)).status, 200)
        assert.deepStrictEqual(told, events)
      }).pipe(Effect.provide(Platform.layer()))
    )
  }
})
