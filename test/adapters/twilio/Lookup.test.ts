import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { DialReference, Lookup } from "../../../core/ports/CallDialer.ts"
import { dialRequest, referTo } from "../../contracts/CallDialer.ts"
import { json } from "../../Listener.ts"
import { dialer } from "./Rig.ts"
import type { Fault, TwilioServer } from "./TwilioServer.ts"

/** Nothing becomes of calls to it until they are ended. */
const to_number = "+15550000008"
const from_number = "+15557654321"

const taken: Fault = ({ response }, take) => {
  take()
  response.destroy()
}
const lost: Fault = ({ response }) => response.destroy()

/** Dials once, in doubt; answers what the dial is asked about by. */
const doubtful = Effect.fnUntraced(function* (
  { dialer: carrier, twilio }: Effect.Effect.Success<ReturnType<typeof dialer>>,
  key: string,
  fault: Fault
) {
  const since = Date.now()
  twilio.next(fault)
  const failed = yield* Effect.flip(carrier.dial(dialRequest(key, to_number)))
  assert.strictEqual(failed._tag, "DialInDoubt")
  return referTo(key, { to_number, from_number, since })
})

const place = (twilio: TwilioServer, created?: number, more: Readonly<Record<string, string>> = {}) =>
  twilio.place({ To: to_number, From: from_number, TimeLimit: "60", ...more }, created)

const sidOf = (found: Lookup) => (found._tag === "Known" ? found.carrier_call_id : null)

const tag = (carrier: Effect.Effect.Success<ReturnType<typeof dialer>>, dial: DialReference) =>
  Effect.match(carrier.dialer.lookup(dial), {
    onSuccess: ({ _tag }) => _tag,
    onFailure: ({ _tag }) => _tag
  })

describe("a dial in doubt at Twilio", () => {
  it.scopedLive("is found by its numbers if it was taken, even while it waits in Twilio's queue", () =>
    Effect.gen(function* () {
      const rig = yield* dialer()
      const dial = yield* doubtful(rig, "att_1", taken)
      const [sid] = [...rig.twilio.calls.keys()] as [string]
      assert.deepStrictEqual(yield* rig.dialer.lookup(dial), {
        _tag: "Known",
        carrier_call_id: sid,
        progress: []
      })
    })
  )

  it.scopedLive("was never received if there is no such call", () =>
    Effect.gen(function* () {
      const rig = yield* dialer()
      assert.strictEqual(yield* tag(rig, yield* doubtful(rig, "att_1", lost)), "NeverReceived")
    })
  )

  for (const clockAhead of [0, 3_600_000, -3_600_000]) {
    it.scopedLive(
      `is told from an earlier call between its numbers, with Twilio's clock ${clockAhead / 60_000} minutes ahead`,
      () =>
        Effect.gen(function* () {
          const rig = yield* dialer({}, { clockAhead })
          place(rig.twilio, rig.twilio.now() - 10_000)
          assert.strictEqual(yield* tag(rig, yield* doubtful(rig, "att_1", lost)), "NeverReceived")
          const found = yield* rig.dialer.lookup(yield* doubtful(rig, "att_2", taken))
          assert.strictEqual(sidOf(found), [...rig.twilio.calls.keys()].at(-1))
        })
    )
  }

  it.scopedLive("is not taken for a call that is known to be another dial's", () =>
    Effect.gen(function* () {
      const rig = yield* dialer()
      const dial = yield* doubtful(rig, "att_1", lost)
      yield* rig.dialer.dial(dialRequest("att_2", to_number))
      assert.strictEqual(yield* tag(rig, dial), "NeverReceived")
    })
  )

  it.scopedLive("of two dials in doubt with one call between them, one at most gets it", () =>
    Effect.gen(function* () {
      const rig = yield* dialer()
      const first = yield* doubtful(rig, "att_1", taken)
      const second = yield* doubtful(rig, "att_2", lost)
      const tags = yield* Effect.forEach([first, second], (dial) => tag(rig, dial), { concurrency: 2 })
      assert.strictEqual(tags.filter((each) => each === "Known").length, 1)
    })
  )

  it.scopedLive("cannot be told if there are two calls that it might be", () =>
    Effect.gen(function* () {
      const rig = yield* dialer()
      const dial = yield* doubtful(rig, "att_1", taken)
      place(rig.twilio)
      assert.strictEqual(yield* tag(rig, dial), "LookupFailed")
    })
  )

  it.scopedLive("cannot be told if there is a call to the number written in another way", () =>
    Effect.gen(function* () {
      const rig = yield* dialer()
      const dial = yield* doubtful(rig, "att_1", lost)
      rig.twilio.place({ To: "+5215550000008", From: from_number, TimeLimit: "60" })
      assert.strictEqual(yield* tag(rig, dial), "LookupFailed")
      assert.strictEqual(
        yield* tag(rig, { ...dial, to_number: "+15550009999" }),
        "NeverReceived",
        "a call to another number says nothing"
      )
    })
  )

  it.scopedLive("is found among thousands of earlier calls between its numbers", () =>
    Effect.gen(function* () {
      const rig = yield* dialer()
      for (let i = 0; i < 1_500; i++) place(rig.twilio, Date.now() - 100_000)
      const found = yield* rig.dialer.lookup(yield* doubtful(rig, "att_1", taken))
      assert.strictEqual(sidOf(found), [...rig.twilio.calls.keys()].at(-1))
      assert.strictEqual(yield* tag(rig, yield* doubtful(rig, "att_2", lost)), "NeverReceived")
    })
  )

  it.scopedLive("sends its credentials to no address that an answer names", () =>
    Effect.gen(function* () {
      const rig = yield* dialer()
      const elsewhere = yield* dialer()
      rig.twilio.others.push((asked) => {
        if (asked.method !== "GET") return false
        json(asked, 200, { calls: [], next_page_uri: `${elsewhere.twilio.url}/2010-04-01/Calls.json` })
        return true
      })
      assert.strictEqual(yield* tag(rig, referTo("att_1")), "LookupFailed")
      assert.strictEqual(elsewhere.twilio.asked.length, 0)
    })
  )

  it.scopedLive(
    "is not told by answers that are late or broken, and cannot be by those that are not what is expected",
    () =>
      Effect.gen(function* () {
        const rig = yield* dialer({ timeout: "200 millis", circuit: { tries: 1 } })
        let fault: Fault = () => {}
        rig.twilio.others.push((asked) => {
          if (asked.method !== "GET") return false
          fault(asked, () => place(rig.twilio))
          return true
        })
        const faults: ReadonlyArray<readonly [expected: string, fault: Fault]> = [
          ["CarrierUnreachable", () => {}],
          ["CarrierUnreachable", lost],
          ["CarrierUnreachable", (asked) => json(asked, 500, {})],
          ["CarrierUnreachable", (asked) => json(asked, 429, { code: 20_429 })],
          ["CarrierUnreachable", (asked) => json(asked, 401, { code: 20_003 })],
          ["LookupFailed", (asked) => json(asked, 200, { calls: [{ id: 1 }] })],
          ["LookupFailed", ({ response }) => response.end("<html>")]
        ]
        for (const [expected, each] of faults) {
          fault = each
          assert.strictEqual(yield* tag(rig, referTo("att_1")), expected)
          assert.strictEqual(yield* tag(rig, referTo("att_1", { carrier_call_id: "CA1" })), expected)
        }
      })
  )

  it.scopedLive("is ended by its numbers, and one that was never received is left at that", () =>
    Effect.gen(function* () {
      const rig = yield* dialer()
      yield* rig.dialer.hangUp(yield* doubtful(rig, "att_0", lost))
      const dial = yield* doubtful(rig, "att_1", taken)
      yield* rig.dialer.hangUp(dial)
      assert.deepStrictEqual(
        [...rig.twilio.calls.values()].map(({ status }) => status),
        ["canceled"]
      )
    })
  )
})

describe("a call at Twilio whose id is known", () => {
  it.scopedLive("is looked up by it, and one that the account does not have cannot be told", () =>
    Effect.gen(function* () {
      const rig = yield* dialer()
      const { sid } = place(rig.twilio)
      const known = referTo("att_1", { carrier_call_id: sid })
      assert.deepInclude(yield* rig.dialer.lookup(known), { _tag: "Known", carrier_call_id: sid })
      const gone = referTo("att_1", { carrier_call_id: `CA${"0".repeat(32)}` })
      assert.strictEqual(yield* tag(rig, gone), "LookupFailed")
    })
  )

  it.scopedLive("that is answered while it is being cancelled is ended all the same", () =>
    Effect.gen(function* () {
      const rig = yield* dialer()
      const call = place(rig.twilio)
      rig.twilio.others.push(({ body: form }) => {
        if (form.get("Status") === "canceled") call.status = "in-progress"
        return false
      })
      yield* rig.dialer.hangUp(referTo("att_1", { carrier_call_id: call.sid }))
      assert.strictEqual(call.status, "completed")
    })
  )

  it.scopedLive("that has ended meanwhile is no error to end", () =>
    Effect.gen(function* () {
      const rig = yield* dialer()
      const call = place(rig.twilio)
      rig.twilio.others.push(({ body: form }) => {
        if (form.has("Status")) call.over = true
        return false
      })
      yield* rig.dialer.hangUp(referTo("att_1", { carrier_call_id: call.sid }))
    })
  )
})

describe("a call that is over at Twilio", () => {
  it.scopedLive("is told with what was recorded of it, and without it when Twilio cannot tell", () =>
    Effect.gen(function* () {
      const rig = yield* dialer()
      const { finished, sid } = rig.twilio.place({ To: "+15550001234", From: from_number, TimeLimit: "60" })
      yield* Effect.promise(() => finished)
      const recordings = [
        { sid: "RE1", status: "completed", duration: "20", channels: 2, track: "both", start_time: null },
        { sid: "RE2", status: "processing", duration: null, channels: 2, track: "both", start_time: null }
      ]
      let isAway = false
      rig.twilio.others.push((asked) => {
        if (!asked.path.endsWith(`/Calls/${sid}/Recordings.json`)) return false
        json(asked, isAway ? 500 : 200, { recordings })
        return true
      })
      const dial = referTo("att_1", { to_number: "+15550001234", from_number, carrier_call_id: sid })
      const tags = Effect.map(rig.dialer.lookup(dial), (found) =>
        found._tag === "Known" ? found.progress.map(({ _tag }) => _tag) : []
      )
      assert.deepStrictEqual(yield* tags, ["Answered", "Ended", "RecordingReady"])
      isAway = true
      assert.deepStrictEqual(yield* tags, ["Answered", "Ended"])
    })
  )
})
