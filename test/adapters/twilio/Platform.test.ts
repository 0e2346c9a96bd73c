import { Effect, Layer, Option, TestClock, TestContext } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { getExpectedTwilioSignature } from "twilio/lib/webhooks/webhooks.js"
import * as MemoryRecordings from "../../../adapters/memory/RecordingStore.ts"
import { type CallbackRequest, CarrierCallbacks } from "../../../adapters/shared/CarrierCallbacks.ts"
import * as Inbox from "../../../adapters/simulated/WebhookInbox.ts"
import * as Callbacks from "../../../adapters/twilio/Callbacks.ts"
import * as CallbackUrls from "../../../adapters/twilio/CallbackUrls.ts"
import * as Twilio from "../../../adapters/twilio/CallDialer.ts"
import * as Inventory from "../../../adapters/twilio/NumberInventory.ts"
import { inMemory } from "../../../apps/platform/InMemory.ts"
import { platform } from "../../../apps/platform/Platform.ts"
import { standardTalk } from "../../../core/model/agents/Talk.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { Calls } from "../../../core/usecases/Calls.ts"
import { json } from "../../Listener.ts"
import * as Platform from "../../Platform.ts"
import { listenForCallbacks } from "../CallbackListener.ts"
import { inventoryOf } from "./NumberServer.ts"
import { optionsOf, Stand } from "./Rig.ts"
import { authToken, credentials, failure, type Fault, serve } from "./TwilioServer.ts"

const eventTypes = (entries: ReadonlyArray<Inbox.InboxEntry>) =>
  entries.map(({ message }) => (JSON.parse(message.body) as { event_type: string }).event_type)

/** The whole platform with a stand-in for Twilio as its carrier, callbacks over HTTP, and real time. */
const liveBut = (isLost: (callback: CallbackRequest) => boolean) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const twilio = yield* serve()
      const { handleBy, url } = yield* listenForCallbacks
      const options = optionsOf(twilio, url, { circuit: { probeAfter: "50 millis" } })
      const lost = Effect.succeed({ status: 200, body: "", contentType: "text/plain" })
      return Layer.effectDiscard(
        Effect.map(CarrierCallbacks, ({ handle }) =>
          handleBy((callback) => (isLost(callback) ? lost : handle(callback)))
        )
      ).pipe(
        Layer.provideMerge(Callbacks.layer(options)),
        Layer.provideMerge(
          platform({
            ...inMemory,
            carrier: Twilio.layer(options),
            inventory: Inventory.layer(inventoryOf(twilio)),
            audio: MemoryRecordings.layer()
          })
        ),
        Layer.provideMerge(Layer.merge(Inbox.layer, Layer.succeed(Stand, twilio)))
      )
    })
  )
const live = liveBut(() => false)

const refused =
  (status: number, code: number): Fault =>
  (asked) =>
    failure(asked, status, code)

describe("the platform with Twilio as its carrier", () => {
  it.scopedLive("places a call, hears of it, and has its recording", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const { call_id } = yield* Platform.place(tenant, "0123")
      const inbox = yield* Inbox.WebhookInbox
      const entries = yield* inbox.awaitEntries(3)
      assert.deepStrictEqual(eventTypes(entries), ["call_started", "call_completed", "recording_completed"])
      const { data } = JSON.parse(entries[2]!.message.body)
      assert.match(data.url, /\/v0\/recordings\/rec_\w+\/audio\?workspace=ws_\w+&expires=\d+&signature=/)
      assert.isNotNull(data.url_expires_at)
      const call = yield* (yield* Calls).get(tenant.workspace.id, call_id)
      assert.deepInclude(call, { status: "completed", outcome: "answered", sub_status: null })
      const [attempt] = yield* (yield* Repository).attempts.ofCall(tenant.workspace.id, call_id)
      const { calls } = yield* Stand
      assert.deepStrictEqual([...calls.keys()], [attempt!.carrier_call_id])
      assert.strictEqual(attempt!.duration_seconds, 20)
      const { answered_at, completed_at, started_at } = attempt!
      assert.isTrue(started_at! <= answered_at! && answered_at! <= completed_at!)
    }).pipe(Effect.provide(live))
  )

  const faults: Readonly<Record<string, Fault>> = {
    "whose answer comes after it is over": (asked, take) => {
      const call = take()
      call.finished.then(
        () => setImmediate(() => json(asked, 201, { sid: call.sid, status: call.status })),
        () => {}
      )
    },
    "whose answer is lost": ({ response }, take) => {
      take()
      response.destroy()
    },
    "that Twilio takes and then answers 500": (asked, take) => {
      take()
      failure(asked, 500, 20_500)
    },
    "that Twilio first turns away for our credentials": refused(401, 20_003),
    "that Twilio first has no room for": refused(429, 20_429)
  }
  for (const [what, fault] of Object.entries(faults)) {
    it.scopedLive(`makes a call ${what} once, in one attempt`, () =>
      Effect.gen(function* () {
        const tenant = yield* Platform.tenant()
        const { calls, next } = yield* Stand
        next(fault)
        const { call_id } = yield* Platform.place(tenant, "0001")
        const entries = yield* (yield* Inbox.WebhookInbox).awaitEntries(1)
        assert.deepStrictEqual(eventTypes(entries), ["call_completed"])
        const call = yield* (yield* Calls).get(tenant.workspace.id, call_id)
        assert.deepInclude(call, { status: "failed", outcome: "busy", attempt_count: 1 })
        assert.strictEqual(calls.size, 1)
      }).pipe(Effect.provide(live))
    )
  }

  for (const code of [21_215, 21_219]) {
    it.scopedLive(`tells what Twilio said with ${code} on the attempt, the call and the webhook`, () =>
      Effect.gen(function* () {
        const tenant = yield* Platform.tenant()
        const { next } = yield* Stand
        next(refused(400, code))
        const { call_id } = yield* Platform.place(tenant, "0001")
        const [entry] = yield* (yield* Inbox.WebhookInbox).awaitEntries(1)
        const { error } = JSON.parse(entry!.message.body).data
        assert.strictEqual(error.code, "destination_blocked")
        assert.strictEqual(error.details.carrier_code, String(code))
        assert.match(error.details.carrier_message, /^refused \+\*+0001$/)
        const call = yield* (yield* Calls).get(tenant.workspace.id, call_id)
        assert.deepStrictEqual(call.error, error)
        const [attempt] = yield* (yield* Repository).attempts.ofCall(tenant.workspace.id, call_id)
        assert.deepInclude(attempt, {
          error_code: String(code),
          error_message: error.details.carrier_message
        })
      }).pipe(Effect.provide(live))
    )
  }

  it.scopedLive("cancels a call that is being talked on", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const inbox = yield* Inbox.WebhookInbox
      const { call_id } = yield* Platform.place(tenant, "0006")
      yield* inbox.awaitEntries(1)
      const calls = yield* Calls
      yield* calls.cancel(tenant.workspace.id, call_id)
      yield* inbox.awaitEntries(2)
      const call = yield* calls.get(tenant.workspace.id, call_id)
      assert.deepInclude(call, { status: "cancelled", outcome: "cancelled" })
      const [stored] = [...(yield* Stand).calls.values()]
      assert.strictEqual(stored?.status, "completed")
    }).pipe(Effect.provide(live))
  )
})

const publicUrl = "https://voice.example"

/** The whole platform in the test's own time; its carrier takes calls to 0008 and tells nothing. */
const silent = Callbacks.layer({ ...credentials, publicUrl }).pipe(Layer.provideMerge(Platform.layer()))

const rfc2822 = (at: number) => new Date(at).toUTCString().replace("GMT", "+0000")

/** Places a call whose carrier is silent; `send` sends one of its callbacks, seconds after the dial by the name. */
const silentCall = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 2, 7, 12))
  const tenant = yield* Platform.tenant()
  const workspace_id = tenant.workspace.id
  const { call_id } = yield* Platform.place(tenant, "0008")
  yield* TestClock.adjust("100 seconds")
  const attempt = (yield* (yield* Repository).attempts.ofCall(workspace_id, call_id))[0]!
  const { handle } = yield* CarrierCallbacks
  const dialled_at = attempt.started_at!
  const status = (seconds: number, CallStatus: string, more = {}) => ({
    place: "status" as const,
    fields: {
      CallSid: "CA1",
      CallStatus,
      Timestamp: rfc2822(dialled_at + 1_000 * seconds),
      ...more
    }
  })
  const send = (
    { fields, place }: { place: "status" | "recording"; fields: Record<string, string> },
    key = attempt.id
  ) => {
    const dialled = { workspace_id, key, dialled_at, max_call_length: 600 }
    const url = CallbackUrls.callback(publicUrl, place, dialled).replace(/#.*$/, "")
    const signature = getExpectedTwilioSignature(authToken, url, fields)
    return handle({
      method: "POST",
      url,
      headers: { "x-twilio-signature": signature },
      body: new URLSearchParams(fields).toString()
    })
  }
  return { attempt, call_id, dialled_at, send, status, workspace_id }
})

const recording = {
  place: "recording" as const,
  fields: { CallSid: "CA1", RecordingSid: "RE1", RecordingStatus: "completed", RecordingDuration: "20" }
}

describe("callbacks to the platform", () => {
  it.effect("come out the same in any order, however often each is sent", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(
          FastCheck.shuffledSubarray([0, 1, 2, 3, 4, 0, 1, 2, 3, 4], { minLength: 10 }),
          (order) =>
            Effect.gen(function* () {
              const { call_id, dialled_at, send, status, workspace_id } = yield* silentCall
              const all = [
                status(0, "initiated"),
                status(1, "ringing"),
                status(5, "in-progress"),
                status(25, "completed", { CallDuration: "20" }),
                recording
              ]
              for (const i of order) assert.strictEqual((yield* send(all[i]!)).status, 200)
              const repository = yield* Repository
              const call = yield* (yield* Calls).get(workspace_id, call_id)
              assert.deepInclude(call, { status: "completed", outcome: "answered" })
              const [attempt] = yield* repository.attempts.ofCall(workspace_id, call_id)
              assert.deepInclude(attempt, {
                duration_seconds: 20,
                answered_at: dialled_at + 5_000,
                completed_at: dialled_at + 25_000
              })
              yield* TestClock.adjust("1 minute")
              const inbox = yield* Inbox.WebhookInbox
              assert.deepStrictEqual(eventTypes(yield* inbox.entries).sort(), [
                "call_completed",
                "call_started",
                "recording_completed"
              ])
              assert.strictEqual(yield* repository.credits.balance(workspace_id), 999)
            }).pipe(
              Effect.provide(Layer.provideMerge(silent, TestContext.TestContext)),
              Effect.scoped,
              Effect.runPromise
            )
        ),
        { numRuns: 25 }
      )
    )
  )

  it.scoped("for unknown attempts are taken and change nothing", () =>
    Effect.gen(function* () {
      const { call_id, send, status, workspace_id } = yield* silentCall
      const calls = yield* Calls
      const before = yield* calls.get(workspace_id, call_id)
      const completed = status(25, "completed", { CallDuration: "20" })
      for (const each of [completed, recording]) {
        assert.strictEqual((yield* send(each, "att_unknown")).status, 200)
      }
      assert.deepStrictEqual(yield* calls.get(workspace_id, call_id), before)
    }).pipe(Effect.provide(silent))
  )

  it.scoped("for a call that has ended change nothing but its recordings", () =>
    Effect.gen(function* () {
      const { call_id, send, status, workspace_id } = yield* silentCall
      const calls = yield* Calls
      yield* send(status(9, "busy", { SipResponseCode: "486" }))
      const ended = yield* calls.get(workspace_id, call_id)
      yield* send(status(5, "in-progress"))
      yield* send(status(25, "completed", { CallDuration: "20" }))
      assert.deepStrictEqual(yield* calls.get(workspace_id, call_id), ended)
    }).pipe(Effect.provide(silent))
  )
})

describe("a recording whose callback is lost", () => {
  it.scopedLive("is looked for ten minutes after the call, by whichever process has its workspace then", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const workspace_id = tenant.workspace.id
      const twilio = yield* Stand
      twilio.others.push((asked) => {
        if (!asked.path.endsWith("/Recordings.json")) return false
        json(asked, 200, { recordings: [{ sid: "RE1", status: "completed", duration: "20", channels: 2 }] })
        return true
      })
      const { calls, recordings, transaction } = yield* Repository
      const inbox = yield* Inbox.WebhookInbox
      const placed = yield* Platform.place(tenant, "0123")
      yield* inbox.awaitEntries(2)
      const ended = yield* Effect.flatten(calls.get(workspace_id, placed.call_id))
      assert.strictEqual(ended.due_at! - ended.completed_at!, 600_000)
      const list = recordings.ofSession(workspace_id, ended.session_id!, { limit: 9, offset: 0 })
      assert.deepStrictEqual((yield* list).data, [])
      // The time has come, and another call wakes the loop.
      yield* transaction(workspace_id, calls.update({ ...ended, due_at: 1, version: ended.version + 1 }))
      yield* Platform.place(tenant, "0001")
      const entries = yield* inbox.awaitEntries(4)
      assert.include(eventTypes(entries), "recording_completed")
      assert.strictEqual((yield* list).data[0]?.carrier_recording_id, "RE1")
      const after = yield* Effect.flatten(calls.get(workspace_id, placed.call_id))
      assert.deepStrictEqual([after.due_at, after.updated_at], [null, ended.updated_at])
    }).pipe(Effect.provide(liveBut(({ url }) => url.includes("/recording"))))
  )
})

describe("what did not fit into the TwiML", () => {
  it.scoped("is fetched by its sealed address while the call is under way, and not after", () =>
    Effect.gen(function* () {
      const { attempt, call_id, send, status, workspace_id } = yield* silentCall
      const { handle } = yield* CarrierCallbacks
      const url = CallbackUrls.agent(publicUrl, credentials.authToken, { workspace_id, key: attempt.id })
      const answer = yield* handle({ method: "GET", url, headers: {}, body: "" })
      assert.deepInclude(answer, { status: 200, contentType: "application/json" })
      const repository = yield* Repository
      const call = yield* repository.calls.get(workspace_id, call_id)
      assert.deepStrictEqual(JSON.parse(answer.body), {
        attempt_id: attempt.id,
        workspace_id,
        call_id,
        session_id: attempt.session_id,
        agent: {
          agent_id: Option.getOrThrow(call).agent_id,
          prompt: "Call ",
          first_message: "Hello ",
          voice: "default",
          language: "en-US",
          interruptible: standardTalk.interruptible,
          voicemail: standardTalk.voicemail,
          transcription: standardTalk.transcription,
          speech: standardTalk.speech
        },
        idle_timeout_warning: 10,
        idle_timeout_end: 30,
        max_call_length: 600
      })
      assert.notInclude(answer.body, Option.getOrThrow(call).to_number)
      yield* send(status(9, "busy"))
      assert.strictEqual((yield* handle({ method: "GET", url, headers: {}, body: "" })).status, 404)
    }).pipe(Effect.provide(silent))
  )
})
