import { Context, Deferred, Effect, Layer } from "effect"
import { assert, layer } from "@effect/vitest"
import { CarrierReports } from "../../core/engine/CarrierReports.ts"
import type { SubStatus } from "../../core/model/calls/Call.ts"
import type { CallProgress, Progress } from "../../core/model/calls/CarrierProgress.ts"
import type { DialRequest } from "../../core/model/calls/DialRequest.ts"
import { CallDialer, type DialReference, type Lookup } from "../../core/ports/CallDialer.ts"

export const dialRequest = (
  key: string,
  to_number: string,
  overrides: Partial<DialRequest> = {}
): DialRequest => ({
  key,
  workspace_id: "ws_1",
  call_id: `call_of_${key}`,
  session_id: `sess_of_${key}`,
  to_number,
  from_number: "+15557654321",
  agent: {
    agent_id: "agent_1",
    prompt: "You are a friendly caller.",
    first_message: "Hello, this is Outdial.",
    voice: "aria",
    language: "en-US"
  },
  idle_timeout_warning: 5,
  idle_timeout_end: 8,
  max_call_length: 3600,
  ...overrides
})

/** The dial of `dialRequest` when it is asked about, before the carrier's id is known. */
export const referTo = (key: string, overrides: Partial<DialReference> = {}): DialReference => ({
  workspace_id: "ws_1",
  key,
  carrier_call_id: null,
  to_number: "+15550001234",
  from_number: "+15557654321",
  since: 0,
  ...overrides
})

/** What a carrier is able to do beyond placing, finding and ending calls. */
export interface Abilities {
  /**
   * It files dials under our keys: it takes each once, and a look-up tells all that was told, of refused dials
   * too. A carrier that does not is asked by numbers or by its own id, and tells how a call stands.
   */
  readonly files_keys: boolean
  /** It tells who hung up. */
  readonly tells_who_hung_up: boolean
  /** What it says of a number that is not valid. */
  readonly invalid_number_code: string
}

const simulated: Abilities = {
  files_keys: true,
  tells_who_hung_up: true,
  invalid_number_code: "invalid_number"
}

const hangUps: ReadonlySet<SubStatus | null> = new Set(["user_hangup", "agent_hangup", "idle_timeout"])

/** How often a carrier has received a dial under a key. */
export class Received extends Context.Tag("test/Received")<
  Received,
  { readonly dials: (key: string) => Effect.Effect<number> }
>() {}

/** Takes all that a carrier reports, and lets a test wait for what it needs. */
export class Ear extends Context.Tag("test/Ear")<
  Ear,
  {
    /** What was heard of a key, once it meets the condition. */
    readonly until: (
      key: string,
      condition: (progress: ReadonlyArray<Progress>) => boolean
    ) => Effect.Effect<ReadonlyArray<Progress>>
    /** How much came with each report, oldest first. */
    readonly chunks: ReadonlyArray<number>
  }
>() {
  static readonly layer: Layer.Layer<Ear | CarrierReports> = Layer.effectContext(
    Effect.sync(() => {
      const heard = new Map<string, Array<Progress>>()
      const waiting = new Set<() => void>()
      const chunks: Array<number> = []
      const hear = ({ key, progress }: CallProgress) => {
        heard.set(key, [...(heard.get(key) ?? []), progress])
      }
      const record = (batch: Iterable<CallProgress>) =>
        Effect.sync(() => {
          const chunk = [...batch]
          chunks.push(chunk.length)
          for (const progress of chunk) hear(progress)
          for (const check of waiting) check()
        })
      const reply = () => Effect.dieMessage("a carrier of calls hears of no replies")
      return Context.make(CarrierReports, { record, reply }).pipe(
        Context.add(Ear, {
          chunks,
          until: (key, condition) =>
            Effect.gen(function* () {
              const met = yield* Deferred.make<ReadonlyArray<Progress>>()
              const check = () => {
                const progress = heard.get(key) ?? []
                if (condition(progress)) Deferred.unsafeDone(met, Effect.succeed(progress))
              }
              waiting.add(check)
              check()
              return yield* Effect.ensuring(
                Deferred.await(met),
                Effect.sync(() => waiting.delete(check))
              )
            })
        })
      )
    })
  )
}

export const has =
  (...tags: ReadonlyArray<Progress["_tag"]>) =>
  (progress: ReadonlyArray<Progress>): boolean =>
    tags.every((tag) => progress.some(({ _tag }) => _tag === tag))

export const tags = (progress: ReadonlyArray<Progress>) => progress.map(({ _tag }) => _tag)

export const endOf = (progress: ReadonlyArray<Progress>) => {
  const ends = progress.filter((one) => one._tag === "Ended")
  assert.strictEqual(ends.length, 1, "a call ends exactly once")
  return ends[0]!
}

const progressOf = (found: Lookup): ReadonlyArray<Progress> => {
  assert.strictEqual(found._tag, "Known")
  return found._tag === "Known" ? found.progress : []
}

/** What was told, each thing once: it may be told again. */
const once = (progress: ReadonlyArray<Progress>) =>
  progress.filter(({ _tag }, i) => progress.findIndex((one) => one._tag === _tag) === i)

const isPrefix = (part: ReadonlyArray<Progress>, whole: ReadonlyArray<Progress>) =>
  assert.deepStrictEqual(part, whole.slice(0, part.length))

let keys = 0
const newKey = () => `att_${process.pid}_${keys++}`

/**
 * What every adapter of a carrier does, if the carrier is able to. The number called chooses what happens, as the
 * simulated carrier has it; `carrier` plays calls at a speed at which a test can wait for them, and its clock is
 * the real one.
 */
export const callDialerContract = <E>(
  name: string,
  carrier: Layer.Layer<CallDialer | Received, E, CarrierReports>,
  { files_keys, invalid_number_code, tells_who_hung_up }: Abilities = simulated
) =>
  layer(carrier.pipe(Layer.provideMerge(Ear.layer)), { excludeTestServices: true })(name, (it) => {
    /** For carriers that file dials under our keys, and can do as they please. */
    const filing = { effect: files_keys ? it.effect : it.effect.skip }
    const courses: ReadonlyArray<
      readonly [string, string, ReadonlyArray<Progress["_tag"]>, string, SubStatus | null]
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
    const told = (sub_status: SubStatus | null) =>
      hangUps.has(sub_status) && !tells_who_hung_up ? null : sub_status
    for (const [digits, what, course, outcome, sub_status] of courses) {
      it.effect(`a number that ends in ${digits} ${what}; a look-up tells the same`, () =>
        Effect.gen(function* () {
          const dialer = yield* CallDialer
          const ear = yield* Ear
          const key = newKey()
          const carrier_call_id = yield* dialer.dial(dialRequest(key, `+1555000${digits}`))
          const all = yield* ear.until(key, has(course.at(-1)!))
          const heard = files_keys ? all : once(all)
          assert.deepStrictEqual(tags(heard), course)
          const end = endOf(heard)
          assert.deepStrictEqual([end.outcome, end.sub_status], [outcome, told(sub_status)])
          assert.deepStrictEqual(
            heard.map(({ at }) => at),
            heard.map(({ at }) => at).sort((a, b) => a - b)
          )
          const found = yield* dialer.lookup(referTo(key, { to_number: `+1555000${digits}` }))
          if (files_keys) {
            assert.deepStrictEqual(found, { _tag: "Known", carrier_call_id, progress: heard })
          } else {
            assert.deepInclude(found, { _tag: "Known", carrier_call_id })
            const { duration_seconds, outcome } = endOf(progressOf(found))
            // The records of such a carrier do not tell one that declines from one that is busy.
            const known = end.outcome === "rejected" ? "busy" : end.outcome
            assert.deepStrictEqual([outcome, duration_seconds], [known, end.duration_seconds])
          }
        })
      )
    }

    it.effect("talk is told in seconds of the call, however fast it is played", () =>
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

    filing.effect(
      "a number that ends in 0010 is busy at a call's first attempt and answered at its second",
      () =>
        Effect.gen(function* () {
          const dialer = yield* CallDialer
          const ear = yield* Ear
          const [first, second, other] = [newKey(), newKey(), newKey()]
          const call_id = `call_of_${first}`
          yield* dialer.dial(dialRequest(first, "+15550000010", { call_id }))
          assert.strictEqual(endOf(yield* ear.until(first, has("Ended"))).outcome, "busy")
          yield* dialer.dial(dialRequest(second, "+15550000010", { call_id }))
          assert.strictEqual(endOf(yield* ear.until(second, has("Ended"))).outcome, "answered")
          yield* dialer.dial(dialRequest(other, "+15550000010"))
          assert.strictEqual(endOf(yield* ear.until(other, has("Ended"))).outcome, "busy")
        })
    )

    it.effect(
      "a number that ends in 0007 is refused; where keys are filed, a look-up tells that it failed",
      () =>
        Effect.gen(function* () {
          const dialer = yield* CallDialer
          const key = newKey()
          const refusal = yield* Effect.flip(dialer.dial(dialRequest(key, "+15550000007")))
          assert.strictEqual(refusal._tag, "DialRefused")
          if (refusal._tag !== "DialRefused") return
          assert.deepStrictEqual(
            [refusal.outcome, refusal.sub_status, refusal.code],
            ["failed", "invalid_number", invalid_number_code]
          )
          assert.notMatch(refusal.message, /\d/)
          if (!files_keys) return
          const end = endOf(progressOf(yield* dialer.lookup(referTo(key))))
          assert.deepStrictEqual([end.outcome, end.sub_status], ["failed", "invalid_number"])
        })
    )

    filing.effect("a number that ends in 0008 is accepted, known, and silent even when it is hung up", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const ear = yield* Ear
        const [silent, other] = [newKey(), newKey()]
        yield* dialer.dial(dialRequest(silent, "+15550000008"))
        yield* dialer.hangUp(referTo(silent))
        yield* dialer.dial(dialRequest(other, "+15550001234"))
        yield* ear.until(other, has("RecordingReady"))
        assert.deepStrictEqual(progressOf(yield* dialer.lookup(referTo(silent))), [])
      })
    )

    filing.effect("a number that ends in 0009 is in doubt, and a look-up cannot tell", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const received = yield* Received
        const key = newKey()
        const dial = yield* Effect.flip(dialer.dial(dialRequest(key, "+15550000009")))
        assert.strictEqual(dial._tag, "DialInDoubt")
        const lookup = yield* Effect.flip(dialer.lookup(referTo(key)))
        assert.strictEqual(lookup._tag, "LookupFailed")
        assert.strictEqual(yield* received.dials(key), 1)
      })
    )

    filing.effect(
      "at every stage a look-up by key tells what was told so far, and no more than there is",
      () =>
        Effect.gen(function* () {
          const dialer = yield* CallDialer
          const ear = yield* Ear
          const key = newKey()
          yield* dialer.dial(dialRequest(key, "+15550001234"))
          const stages = [progressOf(yield* dialer.lookup(referTo(key)))]
          for (const tag of ["Ringing", "Answered", "Ended", "RecordingReady"] as const) {
            yield* ear.until(key, has(tag))
            const stage = progressOf(yield* dialer.lookup(referTo(key)))
            assert.isTrue(has(tag)(stage), `${tag} is in the look-up`)
            stages.push(stage)
          }
          const whole = yield* ear.until(key, has("RecordingReady"))
          for (const stage of stages) isPrefix(stage, whole)
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
        const [key, other] = [newKey(), newKey()]
        yield* dialer.dial(dialRequest(key, "+15550000002"))
        yield* ear.until(key, has("Ringing"))
        yield* dialer.hangUp(referTo(key))
        const heard = yield* ear.until(key, has("Ended"))
        const end = endOf(heard)
        assert.deepStrictEqual(
          [end.outcome, end.sub_status, end.duration_seconds],
          ["cancelled", "cancelled", 0]
        )
        yield* dialer.hangUp(referTo(key))
        yield* dialer.dial(dialRequest(other, "+15550000002"))
        yield* ear.until(other, has("Ended"))
        assert.deepStrictEqual(yield* ear.until(key, has("Ended")), heard)
        const found = progressOf(yield* dialer.lookup(referTo(key)))
        if (files_keys) assert.deepStrictEqual(found, heard)
        else assert.strictEqual(endOf(found).outcome, "cancelled")
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
        assert.deepStrictEqual([end.outcome, end.sub_status], ["answered", told("agent_hangup")])
        assert.isTrue(Number.isInteger(end.duration_seconds) && end.duration_seconds < 3000)
      })
    )

    it.effect("hanging up a call that has ended, or never was, or is another workspace's, is no error", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const ear = yield* Ear
        const [ended, foreign] = [newKey(), newKey()]
        yield* dialer.dial(dialRequest(ended, "+15550000001"))
        const heard = yield* ear.until(ended, has("Ended"))
        yield* dialer.hangUp(referTo(ended))
        const found = progressOf(yield* dialer.lookup(referTo(ended)))
        if (files_keys) assert.deepStrictEqual(found, heard)
        else assert.strictEqual(endOf(found).outcome, endOf(heard).outcome)
        yield* dialer.hangUp(referTo(newKey()))
        yield* dialer.dial(dialRequest(foreign, "+15550000005"))
        yield* dialer.hangUp(referTo(foreign, { workspace_id: "ws_2" }))
        assert.strictEqual(endOf(yield* ear.until(foreign, has("Ended"))).outcome, "rejected")
      })
    )

    filing.effect("a key that is dialled twice is filed once, and the second dial is on record", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const received = yield* Received
        const ear = yield* Ear
        const key = newKey()
        const request = dialRequest(key, "+15550001234")
        const first = yield* dialer.dial(request)
        assert.strictEqual(yield* received.dials(key), 1)
        assert.strictEqual(yield* dialer.dial(request), first)
        assert.strictEqual(yield* received.dials(key), 2)
        const heard = yield* ear.until(key, has("RecordingReady"))
        assert.deepStrictEqual(tags(heard), ["Ringing", "Answered", "Ended", "RecordingReady"])
        assert.deepStrictEqual(progressOf(yield* dialer.lookup(referTo(key))), heard)
      })
    )

    it.effect("calls that run side by side are told each under its own key", () =>
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
