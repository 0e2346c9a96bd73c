import { Clock, Duration, Effect, Redacted, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { getExpectedTwilioSignature } from "twilio/lib/webhooks/webhooks.js"
import { translate } from "../../../adapters/twilio/Callbacks.ts"
import * as CallbackUrls from "../../../adapters/twilio/CallbackUrls.ts"
import * as Signature from "../../../adapters/twilio/Signature.ts"
import type { CallProgress, Progress } from "../../../core/model/calls/CarrierProgress.ts"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import * as Receiving from "./Receiving.ts"
import { authToken } from "./TwilioServer.ts"

const dialled_at = Date.UTC(2026, 2, 7, 12, 0, 0, 700)
const dialled: CallbackUrls.Dialled = { workspace_id: "ws_1", key: "att_1", dialled_at, max_call_length: 600 }
const rfc2822 = (at: number) => new Date(at).toUTCString().replace("GMT", "+0000")

const told = (
  fields: Readonly<Record<string, string>>,
  { place = "status", now = dialled_at + 100_000 }: { place?: "status" | "recording"; now?: number } = {}
): ReadonlyArray<Progress> =>
  translate(place, dialled, Signature.fieldsOf(new URLSearchParams(fields).toString()), now).map(
    ({ progress }) => progress
  )

const ended = (more: Partial<Extract<Progress, { readonly _tag: "Ended" }>>) => ({
  _tag: "Ended",
  at: dialled_at + 30_300,
  sub_status: null,
  duration_seconds: 0,
  error_code: null,
  error_message: null,
  ...more
})

describe("a status callback", () => {
  const at = dialled_at + 30_300
  const Timestamp = rfc2822(at)

  it("tells that it rings and that it is answered, at the time that it names", () => {
    assert.deepStrictEqual(told({ CallStatus: "ringing", Timestamp }), [{ _tag: "Ringing", at }])
    assert.deepStrictEqual(told({ CallStatus: "in-progress", Timestamp }), [{ _tag: "Answered", at }])
  })

  it("tells nothing where there is nothing to tell", () => {
    for (const CallStatus of ["queued", "initiated", "", "constructor", "another"]) {
      assert.deepStrictEqual(told({ CallStatus, Timestamp }), [])
    }
    assert.deepStrictEqual(told({}), [])
  })

  for (const [what, fields, end] of [
    ["busy", { CallStatus: "busy", SipResponseCode: "486" }, { outcome: "busy" }],
    ["declined", { CallStatus: "busy", SipResponseCode: "603" }, { outcome: "rejected" }],
    ["unanswered", { CallStatus: "no-answer", SipResponseCode: "487" }, { outcome: "no_answer" }],
    [
      "unanswered by what the network takes for no number",
      { CallStatus: "no-answer", SipResponseCode: "404" },
      { outcome: "no_answer" }
    ],
    ["called off", { CallStatus: "canceled" }, { outcome: "cancelled", sub_status: "cancelled" }],
    [
      "failed",
      { CallStatus: "failed", SipResponseCode: "503" },
      { outcome: "failed", sub_status: "carrier_error", error_code: "503", carrier_message: null }
    ],
    [
      "failed for no number",
      { CallStatus: "failed", SipResponseCode: "404" },
      {
        outcome: "failed",
        sub_status: "invalid_number",
        error_code: "404",
        error_message: "the number is not valid, or cannot be reached",
        carrier_message: null
      }
    ],
    [
      "failed for want of permission",
      {
        CallStatus: "failed",
        ErrorCode: "13227",
        ErrorMessage: "No permission to call +15550001234",
        SipResponseCode: "403"
      },
      {
        outcome: "failed",
        sub_status: "destination_blocked",
        error_code: "13227",
        error_message: "the carrier does not call this destination",
        carrier_message: "No permission to call +*******1234"
      }
    ],
    [
      "refused by the callee",
      { CallStatus: "failed", SipResponseCode: "607" },
      {
        outcome: "rejected",
        error_code: "607",
        error_message: "the call was declined",
        carrier_message: null
      }
    ]
  ] as const) {
    it(`tells of the end of a call that is ${what}`, () => {
      assert.deepStrictEqual(told({ ...fields, Timestamp, CallDuration: "0" }), [ended(end)] as never)
    })
  }

  it("tells of a talk when it was answered and how long it lasted", () => {
    assert.deepStrictEqual(told({ CallStatus: "completed", CallDuration: "21", Timestamp }), [
      { _tag: "Answered", at: at - 21_000 },
      ended({ outcome: "answered", duration_seconds: 21 })
    ] as never)
  })

  it("tells of a talk that reached its greatest length", () => {
    const [, end] = told({ CallStatus: "completed", CallDuration: "600" }, { now: dialled_at + 700_000 })
    assert.deepInclude(end, { outcome: "answered", sub_status: "max_call_length", duration_seconds: 600 })
  })

  it("tells a machine from a person", () => {
    for (const [AnsweredBy, outcome] of [
      ["machine_start", "voicemail"],
      ["machine_end_beep", "voicemail"],
      ["fax", "voicemail"],
      ["human", "answered"],
      ["unknown", "answered"],
      ["", "answered"]
    ] as const) {
      const [, end] = told({ CallStatus: "completed", CallDuration: "4", AnsweredBy, Timestamp })
      assert.deepInclude(end, { outcome })
    }
  })

  it("is never before the dial nor in the future, whatever time it names", () => {
    const now = dialled_at + 5_000
    const timeOf = (Timestamp: string) => told({ CallStatus: "ringing", Timestamp }, { now })[0]?.at
    assert.strictEqual(timeOf(rfc2822(dialled_at)), dialled_at, "Twilio's seconds are whole ones")
    assert.strictEqual(timeOf(rfc2822(dialled_at - 3_600_000)), dialled_at)
    assert.strictEqual(timeOf(rfc2822(now + 3_600_000)), now)
    assert.strictEqual(timeOf("Sun, 09 Feb 2020 09:30:03 Etc/UTC"), now, "one that cannot be read is no time")
    const [answered, end] = told({ CallStatus: "completed", CallDuration: "3600", Timestamp }, { now })
    assert.deepStrictEqual([answered?.at, end?.at], [dialled_at, now])
  })

  it("takes no nonsense for a duration", () => {
    for (const CallDuration of ["-5", "NaN", "", "1e999", "abc"]) {
      const [, end] = told({ CallStatus: "completed", CallDuration, Timestamp })
      assert.deepInclude(end, { duration_seconds: 0 })
    }
  })
})

describe("a recording callback", () => {
  const fields = {
    RecordingSid: "RE1",
    RecordingUrl: "https://api.twilio.com/recordings/RE1",
    RecordingStatus: "completed",
    RecordingDuration: "21",
    RecordingChannels: "2",
    RecordingStartTime: rfc2822(dialled_at + 9_300),
    RecordingSource: "OutboundAPI"
  }
  const now = dialled_at + 100_000

  it("tells of a finished recording", () => {
    assert.deepStrictEqual(told(fields, { place: "recording", now }), [
      {
        _tag: "RecordingReady",
        at: now,
        recording: {
          carrier_recording_id: "RE1",
          track: "mixed",
          channels: 2,
          format: "wav",
          duration_seconds: 21,
          size_bytes: null,
          url: null,
          started_at: dialled_at + 9_300
        }
      }
    ])
  })

  it("knows whose voice a track has", () => {
    for (const [RecordingTrack, track] of [
      ["inbound", "caller"],
      ["outbound", "agent"],
      ["both", "mixed"],
      ["toString", "mixed"]
    ] as const) {
      const [ready] = told({ ...fields, RecordingTrack }, { place: "recording", now })
      assert.strictEqual(ready?._tag === "RecordingReady" && ready.recording.track, track)
    }
  })

  it("tells nothing of one that is absent, failed, or still going on", () => {
    for (const RecordingStatus of ["in-progress", "absent", "failed", ""]) {
      assert.deepStrictEqual(told({ ...fields, RecordingStatus }, { place: "recording", now }), [])
    }
  })
})

describe("the receiver of callbacks", () => {
  const at = (place: "status" | "recording" = "status") =>
    CallbackUrls.callback("https://voice.example/base", place, dialled).replace(/#.*$/, "")
  const signed = (url: string, fields: Readonly<Record<string, string>>, token = authToken) => ({
    method: "POST",
    url,
    headers: { "x-twilio-signature": getExpectedTwilioSignature(token, url, fields) },
    body: new URLSearchParams(fields).toString()
  })
  const ringing = { CallSid: "CA1", CallStatus: "ringing" }

  it.effect("records what is signed, and answers with empty TwiML", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(dialled_at + 1_000)
      const { handle, recorded } = yield* Receiving.receiver()
      const answer = yield* handle(signed(at(), ringing))
      assert.deepStrictEqual(answer, { status: 200, body: "<Response/>", contentType: "text/xml" })
      assert.deepStrictEqual(recorded, [
        {
          workspace_id: "ws_1",
          key: "att_1",
          progress: { _tag: "Ringing", at: yield* Clock.currentTimeMillis }
        }
      ] satisfies ReadonlyArray<CallProgress>)
    }).pipe(Effect.scoped)
  )

  it.effect(
    "tells of a call that was recorded, so that a recording whose callback is lost is looked for",
    () =>
      Effect.gen(function* () {
        for (const record of [true, false]) {
          const { handle, recorded } = yield* Receiving.receiver(undefined, undefined, { record })
          yield* handle(signed(at(), { CallSid: "CA1", CallStatus: "completed", CallDuration: "21" }))
          const end = recorded.map(({ progress }) => progress).find(({ _tag }) => _tag === "Ended")
          assert.strictEqual(end?._tag === "Ended" && end.recorded === true, record)
          yield* handle(signed(at(), { CallSid: "CA2", CallStatus: "busy" }))
          assert.notProperty(recorded.at(-1)!.progress, "recorded")
        }
      }).pipe(Effect.scoped)
  )

  it.effect("knows its addresses below any path, as a proxy passes them on, and with Twilio's fragment", () =>
    Effect.gen(function* () {
      const { handle, recorded } = yield* Receiving.receiver()
      const { headers, ...rest } = signed(at(), ringing)
      for (const url of [at(), new URL(at()).pathname + new URL(at()).search, at().replace(/^.*base/, "")]) {
        assert.strictEqual((yield* handle({ ...rest, headers, url })).status, 200, url)
      }
      const whole = CallbackUrls.callback("https://voice.example/base", "status", dialled)
      assert.strictEqual((yield* handle({ ...signed(whole, ringing), url: at() })).status, 200)
      assert.strictEqual(recorded.length, 4)
    }).pipe(Effect.scoped)
  )

  it.effect("refuses what is not signed by the account, and records nothing of it", () =>
    Effect.gen(function* () {
      const { handle, recorded } = yield* Receiving.receiver()
      const good = signed(at(), ringing)
      for (const forged of [
        signed(at(), ringing, "another token"),
        { ...good, headers: {} },
        { ...good, url: good.url.replace("att_1", "att_2") },
        { ...good, body: good.body.replace("ringing", "completed") },
        { ...good, url: good.url.replace("/status", "/recording") },
        { ...good, headers: { "x-twilio-signature": "" } }
      ]) {
        assert.strictEqual((yield* handle(forged)).status, 403)
      }
      assert.deepStrictEqual(recorded, [])
    }).pipe(Effect.scoped)
  )

  it.effect("answers 404 for what is not its own", () =>
    Effect.gen(function* () {
      const { handle } = yield* Receiving.receiver()
      for (const url of [
        "/",
        "/callbacks/twilio/",
        "/callbacks/twilio/other?workspace_id=ws_1&attempt_id=att_1",
        "/callbacks/twilio/status?attempt_id=att_1",
        "/callbacks/twilio/__proto__?workspace_id=ws_1&attempt_id=att_1",
        "/callbacks/twilio/agent?workspace_id=ws_1&attempt_id=att_1&seal=forged"
      ]) {
        assert.strictEqual((yield* handle(signed(url, ringing))).status, 404, url)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("answers 503 while nothing can be stored, so that it is sent again", () =>
    Effect.gen(function* () {
      const { handle } = yield* Receiving.receiver(() =>
        Effect.die(new StoreUnavailable({ cause: new Error("disk full") }))
      )
      assert.strictEqual((yield* handle(signed(at(), ringing))).status, 503)
    }).pipe(Effect.scoped)
  )

  it.scopedLive("answers 2,000 callbacks a second, signatures checked, on one core", () =>
    Effect.gen(function* () {
      const { handle, recorded } = yield* Receiving.receiver()
      const requests = Array.from({ length: 10_000 }, (_, i) => {
        const attempt = { ...dialled, key: `att_${i}` }
        const url = CallbackUrls.callback("https://voice.example/base", "status", attempt)
        return signed(url.replace(/#.*$/, ""), {
          ...ringing,
          CallSid: `CA${i}`,
          AccountSid: "AC1",
          From: "+15557654321",
          To: "+15550001234",
          Direction: "outbound-api",
          Timestamp: rfc2822(dialled_at),
          CallbackSource: "call-progress-events",
          SequenceNumber: "1"
        })
      })
      const [taken, answers] = yield* Effect.timed(Effect.forEach(requests, handle))
      assert.isTrue(answers.every(({ status }) => status === 200))
      assert.strictEqual(recorded.length, requests.length)
      assert.isBelow(Duration.toMillis(taken), requests.length / 2)
    })
  )
})

describe("an address for the conversation", () => {
  it("is sealed for its own attempt alone", () => {
    const token = Redacted.make(authToken)
    const url = CallbackUrls.agent("https://voice.example", token, { workspace_id: "ws_1", key: "att_1" })
    const isSealed = (url: string) => CallbackUrls.arrived("https://voice.example", url)?.isSealed(token)
    assert.isTrue(isSealed(url))
    assert.isFalse(isSealed(url.replace("att_1", "att_2")))
    assert.isFalse(isSealed(url.replace("ws_1", "ws_2")))
    assert.notInclude(url, authToken)
  })
})
