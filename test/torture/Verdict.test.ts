import { assert, describe, it } from "@effect/vitest"
import type { Dial } from "../../adapters/simulated/LedgerEntry.ts"
import { calleeOf, numberOf } from "./Callees.ts"
import type { Evidence, Received } from "./Evidence.ts"
import * as Talks from "./talks/Verdict.ts"
import { beyondHope, breached, judge, type Promised } from "./Verdict.ts"

const opening = 1_000_000

const dial = (call_id: string, to_number: string, nth: number, at = opening): Dial => ({
  _tag: "Dial",
  key: `${call_id}-${nth}`,
  workspace_id: "ws",
  call_id,
  to_number,
  from_number: "+14155550100",
  at,
  greeting_seconds: 1,
  idle_timeout_warning: 20,
  idle_timeout_end: 70,
  max_call_length: 600
})

const events = (call_id: string, number: string): ReadonlyArray<Received> =>
  calleeOf(number).events.map((event_type, nth) => ({
    at: opening + nth,
    status: 204,
    id: `${call_id}-${event_type}`,
    event_type,
    call_id,
    outcome: event_type === "call_completed" ? calleeOf(number).outcome : null,
    sub_status: calleeOf(number).outcome === "unknown" ? "in_doubt" : null,
    attempt_count: calleeOf(number).dials
  }))

const digits = ["0123", "0001", "0004", "0006", "0009", "0010"]

/** A run in which every promise is kept: a call for each kind of callee, and one that is called off. */
const kept = (): Evidence => {
  const asked = digits.map((last, nth) => ({
    number: numberOf(nth, last),
    call_id: `call-${last}`,
    not_before: opening,
    cancelled: false
  }))
  const calledOff = {
    number: numberOf(99, "0123"),
    call_id: "call-off",
    not_before: Infinity,
    cancelled: true
  }
  return {
    asked: [...asked, calledOff],
    ambiguous: [],
    carrier: asked.flatMap(({ call_id, number }) =>
      Array.from({ length: calleeOf(number).dials }, (_, nth) => dial(call_id, number, nth + 1))
    ),
    received: [
      ...asked.flatMap(({ call_id, number }) => events(call_id, number)),
      { ...events("call-off", "0001")[0]!, outcome: "cancelled", attempt_count: 0 }
    ],
    // A minute each of 0123, 0004 and 0010, and two of 0006, which is silent for 93 seconds.
    credits: [{ workspace_id: "ws", granted: 100, balance: 100 - 3 * 5 }],
    price_per_minute: 3,
    speed: 60,
    leaks: 0
  }
}

const broken = (change: (evidence: Evidence) => Partial<Evidence>): ReadonlyArray<Promised> => {
  const evidence = kept()
  return breached(judge({ ...evidence, ...change(evidence) })).map(({ promise }) => promise)
}

const isCall = (last: string) => (line: { readonly call_id?: string }) => line.call_id === `call-${last}`

describe("the verdict", () => {
  it("finds nothing in a run without a fault", () => {
    assert.deepStrictEqual(breached(judge(kept())), [])
  })

  it("names a key that was dialled twice, beyond hope", () => {
    const { carrier, ...rest } = kept()
    const findings = judge({ ...rest, carrier: [...carrier, carrier[0]!] })
    assert.deepStrictEqual(
      beyondHope(findings).map(({ breaches, promise }) => [promise, breaches]),
      [["no attempt dialled twice", ["call-0123-1"]]]
    )
  })

  it("finds a number dialled more often than its rules say, under whatever key", () => {
    assert.include(
      broken(({ carrier }) => ({ carrier: [...carrier, dial("call-0001", numberOf(1, "0001"), 3)] })),
      "no number dialled more often than its rules say"
    )
  })

  it("finds a call that was never dialled, which may still come", () => {
    const evidence = kept()
    const findings = judge({
      ...evidence,
      carrier: evidence.carrier.filter((one) => one.key !== "call-0123-1")
    })
    const lost = findings.find(({ promise }) => promise.startsWith("every accepted call"))!
    assert.deepStrictEqual([lost.expected, lost.found, lost.breaches], [7, 6, ["call-0123"]])
    assert.isTrue(lost.open)
  })

  it("finds a dial of a number that no request named, and of a call that no answer named", () => {
    const promise = "nothing dialled that was not asked for"
    assert.include(
      broken(({ carrier }) => ({ carrier: [...carrier, dial("call-x", numberOf(500, "0123"), 1)] })),
      promise
    )
    assert.include(
      broken(({ carrier }) => ({ carrier: [...carrier, dial("call-x", numberOf(0, "0123"), 1)] })),
      promise
    )
  })

  it("finds a dial before its window opens, and of a call that was called off", () => {
    assert.deepStrictEqual(
      broken(({ carrier }) => ({ carrier: carrier.map((one) => ({ ...one, at: opening - 1 })) })),
      ["no dial outside its calling window"]
    )
    assert.include(
      broken(({ carrier }) => ({ carrier: [...carrier, dial("call-off", numberOf(99, "0123"), 1)] })),
      "no number dialled more often than its rules say"
    )
  })

  it("finds an end that was not told, told twice, or told otherwise than it was", () => {
    const promise = "every end told, once, as it was"
    const isEnd = ({ event_type }: Received) => event_type === "call_completed"
    assert.include(
      broken(({ received }) => ({ received: received.filter((one) => !isEnd(one) || !isCall("0004")(one)) })),
      promise
    )
    assert.include(
      broken(({ received }) => ({
        received: [...received, { ...received.find(isEnd)!, id: "another" }]
      })),
      promise
    )
    assert.include(
      broken(({ received }) => ({
        received: received.map((one) =>
          isCall("0010")(one) && isEnd(one) ? { ...one, outcome: "busy" } : one
        )
      })),
      promise
    )
  })

  it("lets an event come again, but not out of order and not never", () => {
    const promise = "every event told, in order, without a gap"
    assert.deepStrictEqual(
      broken(({ received }) => ({ received: [...received, received[0]!] })),
      []
    )
    assert.deepStrictEqual(
      broken(({ received }) => ({ received: [received[1]!, received[0]!, ...received.slice(2)] })),
      [promise]
    )
    assert.deepStrictEqual(
      broken(({ received }) => ({
        received: received.filter(({ event_type }) => event_type !== "recording_completed")
      })),
      [promise]
    )
    assert.deepStrictEqual(
      broken(({ received }) => ({ received: [{ ...received[1]!, status: 503 }, ...received] })),
      [],
      "a try that was refused is none"
    )
  })

  it("finds an attempt on record that the carrier never got", () => {
    assert.deepStrictEqual(
      broken(({ received }) => ({
        received: received.map((one) => (isCall("0004")(one) ? { ...one, attempt_count: 2 } : one))
      })),
      ["one attempt on record for each dial"]
    )
  })

  it("finds a doubt where the carrier knew, and a doubt that no webhook reported", () => {
    const promise = "in doubt only what the carrier cannot tell"
    assert.include(
      broken(({ received }) => ({
        received: received.map((one) =>
          isCall("0123")(one) ? { ...one, outcome: "unknown", sub_status: "in_doubt" } : one
        )
      })),
      promise
    )
    assert.include(
      broken(({ received }) => ({ received: received.filter((one) => !isCall("0009")(one)) })),
      promise
    )
  })

  it("finds a recipient whose call was given up as in doubt although it never reached the carrier", () => {
    const { asked, carrier, received } = kept()
    const findings = judge({
      ...kept(),
      asked: asked.map((one) => (one.call_id === "call-0123" ? { ...one, call_id: null } : one)),
      carrier: carrier.filter((one) => one._tag !== "Dial" || !isCall("0123")(one)),
      received: received.map((one) => (isCall("0123")(one) ? { ...one, sub_status: "in_doubt" } : one))
    })
    assert.deepStrictEqual(
      beyondHope(findings).map(({ breaches, promise }) => [promise, breaches]),
      [["in doubt only what the carrier cannot tell", ["call-0123"]]]
    )
  })

  it("finds a single credit too many, and one too few", () => {
    for (const balance of [84, 86]) {
      assert.deepStrictEqual(
        broken(({ credits }) => ({ credits: [{ ...credits[0]!, balance }] })),
        ["credits balance to the unit"]
      )
    }
  })

  it("finds a key with two calls, and a number in a log", () => {
    assert.deepStrictEqual(
      broken(() => ({ ambiguous: ["key-1"], leaks: 1 })),
      ["one call for each idempotency key", "no number and no key in a log"]
    )
  })
})

describe("the verdict on talks", () => {
  const promise = "all that was heard is in the history, but for the last second"
  const turn = (role: string, text: string) => ({ role, text })

  /** A talk whose callee hangs up once it has heard the answer, of which `written` is in the history. */
  const broken = (written: string, kills: ReadonlyArray<number>) =>
    breached(
      Talks.judge({
        kills,
        uses: [],
        talks: [
          {
            call_id: "call_1",
            session_id: "sess_1",
            lines: [{ number: 1, kind: "Tell" }],
            spoken: [
              { at: 6_900, by: "callee", text: "Tell me about 1." },
              { at: 7_600, by: "agent", text: "As to 1:" },
              { at: 9_800, by: "agent", text: " it is done," },
              { at: 9_940, by: "agent", text: " and noted." }
            ],
            drops: [],
            answered: 1,
            ended: { by: "callee", at: 10_000 },
            failed: null,
            told: {
              call: { status: "completed", outcome: "answered" },
              session: { status: "over", reason: "user_hangup" },
              turns: [turn("callee", "Tell me about 1."), ...(written === "" ? [] : [turn("agent", written)])]
            }
          }
        ]
      })
    ).map((finding) => finding.promise)

  it("excuses what was said last before a process died over the end, and nothing before that", () => {
    for (const kill of [9_960, 10_300]) {
      assert.deepStrictEqual(broken("As to 1:", [kill]), [])
      assert.deepStrictEqual(broken("", [kill]), [promise])
    }
    assert.deepStrictEqual(broken("As to 1:", []), [promise])
    assert.deepStrictEqual(broken("As to 1:", [5_000, 13_000]), [promise])
  })

  it("excuses a talk that was given up after its last six connections broke without an answer, and no other", () => {
    const drops = [1, 2, 3, 4, 5, 6].map((n) => n * 10_000)
    const answer = (at: number) => ({ at, by: "agent" as const, text: "As to 1:" })
    const given = (change: Partial<Talks.Evidence["talks"][number]>, status = "failed") =>
      breached(
        Talks.judge({
          kills: drops,
          uses: [],
          talks: [
            {
              call_id: "call_1",
              session_id: "sess_1",
              lines: [{ number: 1, kind: "Book" }],
              spoken: [],
              drops,
              answered: 0,
              ended: null,
              failed: "not connected again: <Response><Hangup/></Response>",
              told: {
                call: { status, outcome: status },
                session: { status: "over", reason: "carrier_error" },
                turns: []
              },
              ...change
            }
          ]
        })
      ).map((finding) => finding.promise)
    const goesOn = "every talk goes on to its end"
    assert.deepStrictEqual(given({}), [])
    assert.deepStrictEqual(given({ spoken: [answer(59_000)] }), [], "what a process said last may be lost")
    assert.include(given({ spoken: [answer(55_000)] }), goesOn)
    assert.include(given({ drops: drops.slice(1) }), goesOn)
    assert.include(given({ failed: "no answer comes" }), goesOn)
    assert.include(given({}, "completed"), "every end is on record, as it was")
  })
})
