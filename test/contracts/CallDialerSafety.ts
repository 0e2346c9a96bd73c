import { assert, layer } from "@effect/vitest"
import { Effect, Either, Layer } from "effect"
import type { CarrierReports } from "../../core/engine/CarrierReports.ts"
import type { Outcome, SubStatus } from "../../core/model/calls/Call.ts"
import type { Progress } from "../../core/model/calls/CarrierProgress.ts"
import { CallDialer } from "../../core/ports/CallDialer.ts"
import { CarrierSide, dialRequest, Ear, endOf, has, newKey, progressOf, referTo, tags } from "./CallDialer.ts"

/** What one carrier says otherwise than the simulated one. */
export interface Wording {
  /** It reports which side hung up. */
  readonly reportsWhoHungUp?: boolean
  /** Its code for a number that is not valid. */
  readonly invalidNumber?: string
  /** What its look-up answers for an outcome that it has reported. */
  readonly lookedUp?: Partial<Record<Outcome, Outcome>>
}

/** A way that a call goes: the end of the number, in words, what is reported, and how it ends. */
export const courses: ReadonlyArray<
  readonly [string, string, ReadonlyArray<Progress["_tag"]>, Outcome, SubStatus | null]
> = [
  ["0001", "is busy", ["Ended"], "busy", null],
  ["0002", "rings and is not answered", ["Ringing", "Ended"], "no_answer", null],
  ["0003", "fails at the carrier", ["Ended"], "failed", "carrier_error"],
  ["0004", "reaches a voicemail", ["Ringing", "Answered", "Ended"], "voicemail", "agent_hangup"],
  ["0005", "is rejected", ["Ringing", "Ended"], "rejected", null],
  ["0006", "is answered by silence", ["Ringing", "Answered", "Ended"], "answered", "idle_timeout"],
  [
    "1234",
    "is answered, talks, and is recorded",
    ["Ringing", "Answered", "Ended", "RecordingReady"],
    "answered",
    "user_hangup"
  ]
]

const hangUps: ReadonlySet<SubStatus | null> = new Set(["user_hangup", "agent_hangup", "idle_timeout"])

/** What was reported, each thing once: a carrier may repeat itself. */
const once = (progress: ReadonlyArray<Progress>) =>
  progress.filter(({ _tag }, i) => progress.findIndex((one) => one._tag === _tag) === i)

/**
 * What every carrier must hold, so that no call is lost and none is dialled twice. The number called
 * chooses what happens, as the simulated carrier has it; `carrier` plays calls at a speed at which a test can wait
 * for them, and its clock is the real one.
 */
export const callDialerSafety = <E>(
  name: string,
  carrier: Layer.Layer<CallDialer | CarrierSide, E, CarrierReports>,
  { invalidNumber = "invalid_number", lookedUp = {}, reportsWhoHungUp = true }: Wording = {}
) =>
  layer(Layer.provideMerge(carrier, Ear.layer), { excludeTestServices: true })(`${name} is safe`, (it) => {
    const reported = (sub_status: SubStatus | null) =>
      hangUps.has(sub_status) && !reportsWhoHungUp ? null : sub_status

    for (const [digits, what, course, outcome, sub_status] of courses) {
      it.effect(`a number that ends in ${digits} ${what}; a look-up answers the same`, () =>
        Effect.gen(function* () {
          const dialer = yield* CallDialer
          const ear = yield* Ear
          const key = newKey()
          const carrier_call_id = yield* dialer.dial(dialRequest(key, `+1555000${digits}`))
          const heard = once(yield* ear.until(key, has(course.at(-1)!)))
          assert.deepStrictEqual(tags(heard), course)
          const end = endOf(heard)
          assert.deepStrictEqual([end.outcome, end.sub_status], [outcome, reported(sub_status)])
          assert.deepStrictEqual(
            heard.map(({ at }) => at),
            heard.map(({ at }) => at).sort((a, b) => a - b)
          )
          const found = yield* dialer.lookup(referTo(key, { to_number: `+1555000${digits}` }))
          assert.deepInclude(found, { _tag: "Known", carrier_call_id })
          const again = endOf(progressOf(found))
          assert.deepStrictEqual(
            [again.outcome, again.duration_seconds],
            [lookedUp[outcome] ?? outcome, end.duration_seconds]
          )
        })
      )
    }

    it.effect("talk is reported in seconds of the call, however fast it is played", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const ear = yield* Ear
        const key = newKey()
        yield* dialer.dial(dialRequest(key, "+15550001234"))
        const heard = yield* ear.until(key, has("RecordingReady"))
        const { duration_seconds } = endOf(heard)
        assert.isTrue(Number.isInteger(duration_seconds) && duration_seconds >= 18 && duration_seconds <= 22)
        const ready = heard.find((one) => one._tag === "RecordingReady")!
        assert.strictEqual(ready.recording.duration_seconds, duration_seconds)
      })
    )

    it.effect(
      "silence ends after greeting, warning, nudge and end, and at the greatest length at the latest",
      () =>
        Effect.gen(function* () {
          const dialer = yield* CallDialer
          const ear = yield* Ear
          const [patient, short] = [newKey(), newKey()]
          yield* dialer.dial(dialRequest(patient, "+15550000006"))
          yield* dialer.dial(dialRequest(short, "+15550000006", { max_call_length: 10 }))
          assert.strictEqual(endOf(yield* ear.until(patient, has("Ended"))).duration_seconds, 2 + 5 + 2 + 8)
          const end = endOf(yield* ear.until(short, has("Ended")))
          assert.deepStrictEqual(
            [end.outcome, end.sub_status, end.duration_seconds],
            ["answered", "max_call_length", 10]
          )
        })
    )

    it.effect("a number that ends in 0007 is refused, with a reason that does not repeat it", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const refusal = yield* Effect.flip(dialer.dial(dialRequest(newKey(), "+15550000007")))
        assert.deepInclude(refusal, {
          _tag: "DialRefused",
          outcome: "failed",
          sub_status: "invalid_number",
          code: invalidNumber
        })
        assert.notMatch(refusal.message, /\d/)
      })
    )

    it.effect("a dial whose answer is lost is in doubt, and no look-up says that it was never received", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const { dials, losing } = yield* CarrierSide
        const key = newKey()
        const to_number = yield* losing
        const dial = yield* Effect.flip(dialer.dial(dialRequest(key, to_number)))
        assert.strictEqual(dial._tag, "DialInDoubt")
        assert.strictEqual(yield* dials(key), 1)
        const found = yield* Effect.either(dialer.lookup(referTo(key, { to_number })))
        if (Either.isRight(found)) assert.strictEqual(found.right._tag, "Known")
        assert.strictEqual(yield* dials(key), 1)
      })
    )

    it.effect("a key that was never dialled was never received, nor was another workspace's", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const key = newKey()
        assert.deepStrictEqual(yield* dialer.lookup(referTo(key)), { _tag: "NeverReceived" })
        yield* dialer.dial(dialRequest(key, "+15550000008"))
        assert.strictEqual((yield* dialer.lookup(referTo(key)))._tag, "Known")
        assert.deepStrictEqual(yield* dialer.lookup(referTo(key, { workspace_id: "ws_2" })), {
          _tag: "NeverReceived"
        })
      })
    )

    it.effect("hanging up while it rings cancels the call; hanging up again changes nothing", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const ear = yield* Ear
        const other = newKey()
        // One that has rung to its end before a busy machine hangs up says nothing: another is called.
        const { end, heard, key } = yield* Effect.gen(function* () {
          const key = newKey()
          yield* dialer.dial(dialRequest(key, "+15550000002"))
          yield* ear.until(key, has("Ringing"))
          yield* dialer.hangUp(referTo(key))
          const hungUp = Date.now()
          const heard = yield* ear.until(key, has("Ended"))
          const end = endOf(heard)
          return { key, heard, end, late: end.outcome === "no_answer" && end.at <= hungUp }
        }).pipe(Effect.repeat({ while: ({ late }) => late, times: 4 }))
        assert.deepStrictEqual(
          [end.outcome, end.sub_status, end.duration_seconds],
          ["cancelled", "cancelled", 0]
        )
        yield* dialer.hangUp(referTo(key))
        yield* dialer.dial(dialRequest(other, "+15550000002"))
        yield* ear.until(other, has("Ended"))
        assert.deepStrictEqual(yield* ear.until(key, has("Ended")), heard)
        const found = endOf(progressOf(yield* dialer.lookup(referTo(key))))
        assert.strictEqual(found.outcome, "cancelled")
      })
    )

    it.effect("hanging up during the talk ends it as the agent's doing", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const ear = yield* Ear
        const key = newKey()
        yield* dialer.dial(dialRequest(key, "+15550000006", { idle_timeout_end: 3000 }))
        yield* ear.until(key, has("Answered"))
        yield* dialer.hangUp(referTo(key))
        const end = endOf(yield* ear.until(key, has("Ended")))
        assert.deepStrictEqual([end.outcome, end.sub_status], ["answered", reported("agent_hangup")])
        assert.isTrue(Number.isInteger(end.duration_seconds) && end.duration_seconds < 3000)
      })
    )

    it.effect("hanging up a call that has ended, or never was, or is another workspace's, is no error", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const ear = yield* Ear
        const [ended, foreign] = [newKey(), newKey()]
        yield* dialer.dial(dialRequest(ended, "+15550000001"))
        const { outcome } = endOf(yield* ear.until(ended, has("Ended")))
        yield* dialer.hangUp(referTo(ended))
        assert.strictEqual(endOf(progressOf(yield* dialer.lookup(referTo(ended)))).outcome, outcome)
        yield* dialer.hangUp(referTo(newKey()))
        yield* dialer.dial(dialRequest(foreign, "+15550000005"))
        yield* dialer.hangUp(referTo(foreign, { workspace_id: "ws_2" }))
        assert.strictEqual(endOf(yield* ear.until(foreign, has("Ended"))).outcome, "rejected")
      })
    )

    it.effect("calls that run side by side are reported each under its own key", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const ear = yield* Ear
        const dialled = yield* Effect.forEach(
          Array.from({ length: 200 }, (_, i) => [newKey(), i % 2 === 0 ? "0001" : "0005"] as const),
          ([key, digits]) =>
            Effect.as(dialer.dial(dialRequest(key, `+1555000${digits}`)), [key, digits] as const),
          { concurrency: "unbounded" }
        )
        for (const [key, digits] of dialled) {
          const end = endOf(yield* ear.until(key, has("Ended")))
          assert.strictEqual(end.outcome, digits === "0001" ? "busy" : "rejected")
        }
      })
    )
  })
