import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import type { Attempt } from "../../../../core/model/calls/Attempt.ts"
import type { Outcome, SubStatus } from "../../../../core/model/calls/Call.ts"
import { isOpen } from "../../../../core/model/calls/CallingWindow.ts"
import * as Machine from "../../../../core/model/calls/CallMachine.ts"
import type { State, Step } from "../../../../core/model/calls/CallStep.ts"
import type { Progress } from "../../../../core/model/calls/CarrierProgress.ts"
import * as PlaceCall from "../../../../core/model/calls/PlaceCall.ts"
import { RawJson } from "../../../../core/model/json/RawJson.ts"
import { sum } from "../../../../core/model/workspaces/Ledger.ts"

const start = Date.UTC(2026, 0, 5, 12)
const minute = 60_000
const price = 3

const message = (config: object = {}) =>
  Machine.place(
    PlaceCall.make({
      agent_id: "agent_1",
      to_number: "+14155550123",
      call_config: RawJson(JSON.stringify(config))
    }),
    {
      call_id: "msg_1",
      channel: "msg",
      workspace_id: "ws_1",
      from_number: "+14155550100",
      from_phone_number_id: "pn_1",
      price_per_minute: price,
      campaign_id: "camp_1",
      recipient_id: "rcpt_1"
    },
    start
  )

const sent = (at = start): Progress => ({ _tag: "Sent", at })

const ended = (outcome: Outcome, at = start, sub_status: SubStatus | null = null): Progress => ({
  _tag: "Ended",
  at,
  outcome,
  sub_status,
  duration_seconds: 0,
  error_code: null,
  error_message: null
})

/** A message driven by hand: what it has cost, and every attempt ever made. */
class World {
  state: State
  now = start
  moved = 0
  sends = 0
  readonly attempts = new Map<string, Attempt>()

  constructor(config: object = {}) {
    this.state = { call: message(config), attempt: null }
  }

  take(step: Step | null) {
    if (step === null) return this
    this.state = { call: step.call, attempt: step.attempt }
    if (step.attempt !== null) this.attempts.set(step.attempt.id, step.attempt)
    this.moved += sum(step.movements)
    return this
  }

  send() {
    const { call } = this.state
    if (call.phase !== "waiting") return this
    this.now = Math.max(this.now, call.due_at!)
    this.sends += 1
    const n = call.attempt_count + 1
    const ids = { attempt_id: `att_${n}`, session_id: `sess_${n}`, agent_version: null }
    return this.take(Machine.intend(this.state, ids, price - call.credits_held, this.now))
  }

  /** The provider's own answer to the request. */
  accept() {
    const { attempt, call } = this.state
    if (attempt === null) return this
    const accepted = { ...attempt, carrier_call_id: attempt.carrier_call_id ?? `wamid_${attempt.id}` }
    this.attempts.set(attempt.id, accepted)
    this.state = { call, attempt: accepted }
    return this
  }

  tell(...told: ReadonlyArray<Progress>) {
    for (const progress of told) {
      const { attempt } = this.state
      if (attempt !== null) this.take(Machine.record(this.state, attempt.id, progress, 1_000, this.now))
    }
    return this
  }

  get told() {
    const { attempt, call } = this.state
    return [call.status, call.outcome, attempt?.status, attempt?.credits, this.moved]
  }
}

type Action = (world: World) => void

const actions: ReadonlyArray<readonly [weight: number, Action]> = [
  [6, (world) => world.send()],
  [3, (world) => world.accept()],
  [4, (world) => world.tell(sent())],
  [2, (world) => world.tell(ended("delivered"))],
  [1, (world) => world.tell(ended("sent"))],
  [3, (world) => world.tell(ended("failed", start, "carrier_error"))],
  [1, (world) => world.tell(ended("rejected", start, "do_not_call"))],
  [2, (world) => world.take(Machine.neverReceived(world.state, world.now + 1_000, world.now))],
  [1, (world) => world.take(Machine.giveUp(world.state, world.now))],
  [
    1,
    (world) => {
      if (world.state.call.phase === "waiting") world.take(Machine.cancel(world.state, world.now))
    }
  ],
  [2, (world) => void (world.now += 7 * minute)]
]

const course = FastCheck.array(
  FastCheck.oneof(
    ...actions.map(([weight, act]) => ({ weight, arbitrary: FastCheck.constant<Action>(act) }))
  ),
  { maxLength: 50 }
)

const config = FastCheck.record({
  call_retry_config: FastCheck.record({ retry_count: FastCheck.nat(9), retry_failed: FastCheck.nat(500) })
})

describe("a message", () => {
  it("is an attempt of channel msg, with the price of a message held while it is on its way", () => {
    const { moved, state } = new World().send()
    assert.deepInclude(state.attempt, { channel: "msg", status: "in_progress", attempt_number: 1 })
    assert.deepStrictEqual([state.call.phase, state.call.credits_held, moved], ["live", price, -price])
  })

  it("that is delivered is completed, and costs its price once", () => {
    const world = new World().send().accept().tell(sent(), ended("delivered"))
    assert.deepStrictEqual(world.told, ["completed", "delivered", "completed", price, -price])
    assert.isNull(world.state.attempt!.error_code)
  })

  for (const [name, told] of [
    ["sent twice", [sent(), sent(), ended("delivered")]],
    ["delivered twice", [sent(), ended("delivered"), ended("delivered")]],
    ["sent after it was delivered", [ended("delivered"), sent()]],
    ["delivered without having been sent", [ended("delivered")]],
    ["failed after it was delivered", [sent(), ended("delivered"), ended("failed")]]
  ] as const) {
    it(`that is told to be ${name} is delivered, and costs its price once`, () => {
      for (const world of [
        new World()
          .send()
          .accept()
          .tell(...told),
        new World()
          .send()
          .tell(...told)
          .accept()
      ]) {
        assert.deepStrictEqual(world.told, ["completed", "delivered", "completed", price, -price])
      }
    })
  }

  it("that is told to be delivered before its provider's own answer keeps the provider's id all the same", () => {
    const world = new World().send().tell(ended("delivered")).accept()
    assert.strictEqual(world.state.attempt!.carrier_call_id, "wamid_att_1")
  })

  it("that fails costs nothing, and is tried again after retry_failed", () => {
    const world = new World({ call_retry_config: { retry_count: 1, retry_failed: 7 } }).send().accept()
    world.tell(sent(), ended("failed", start, "carrier_error"))
    // The hold stays for the next one.
    assert.deepStrictEqual(world.told, ["retry_scheduled", "failed", "failed", 0, -price])
    assert.strictEqual(world.state.call.due_at, world.now + 7 * minute)
    world
      .send()
      .accept()
      .tell(ended("failed", start, "carrier_error"))
    assert.deepStrictEqual(world.told, ["failed", "failed", "failed", 0, 0])
    assert.strictEqual(world.sends, 2)
  })

  it("that its person wants no more of, or that has no account, is never tried again", () => {
    for (const [outcome, reason] of [
      ["rejected", "do_not_call"],
      ["failed", "invalid_number"]
    ] as const) {
      const world = new World({ call_retry_config: { retry_count: 9 } })
        .send()
        .tell(ended(outcome, start, reason))
      assert.deepStrictEqual(world.told, ["failed", outcome, "failed", 0, 0])
    }
  })

  it("whose receipt never comes was sent, and costs its price", () => {
    for (const world of [new World().send().accept(), new World().send().tell(sent())]) {
      const until = Machine.deadline(world.state)
      assert.strictEqual(until, start + Machine.receiptTimeout)
      world.now = until
      world.take(Machine.giveUp(world.state, world.now))
      assert.deepStrictEqual(world.told, ["completed", "sent", "completed", price, -price])
      world.tell(ended("failed"), ended("delivered"))
      assert.deepStrictEqual(world.told, ["completed", "sent", "completed", price, -price])
    }
  })

  it("that may or may not have gone out is unknown, costs nothing and is never sent again", () => {
    const world = new World({ call_retry_config: { retry_count: 9 } }).send()
    world.take(Machine.giveUp(world.state, world.now))
    assert.deepStrictEqual(world.told, ["failed", "unknown", "unknown", 0, 0])
    assert.strictEqual(world.state.call.sub_status, "in_doubt")
    assert.notMatch(world.state.attempt!.error_message!, /call|carrier/)
  })

  it("that never reached its provider is sent again under the same key, and one of which it was heard is not", () => {
    const again = new World().send()
    again.take(Machine.neverReceived(again.state, again.now + 1_000, again.now)).send()
    assert.deepStrictEqual([...again.attempts.keys()], ["att_1"])
    assert.strictEqual(again.state.call.attempt_count, 1)
    const heard = new World().send().tell(sent())
    heard.take(Machine.neverReceived(heard.state, heard.now, heard.now))
    assert.deepStrictEqual(heard.told, ["completed", "sent", "completed", price, -price])
  })

  it.prop(
    "ends once, whatever is told in whatever order, and pays only for what went out, each attempt at most once",
    { config, course },
    ({ config, course }) => {
      const world = new World(config)
      for (const act of course) {
        const before = world.state.call
        act(world)
        const { call } = world.state
        if (before.phase === "done") assert.strictEqual(call, before, "what is done never changes")
        assert.strictEqual(call.due_at === null, call.phase === "done")
        assert.isAtLeast(call.credits_held, 0)
        assert.isAtMost(world.moved, 0)
        assert.isAtMost(call.attempt_count, 1 + config.call_retry_config.retry_count)
      }
      const { call } = world.state
      let charged = 0
      for (const { credits, outcome } of world.attempts.values()) {
        charged += credits
        assert.strictEqual(credits, outcome === "sent" || outcome === "delivered" ? price : 0)
      }
      assert.strictEqual(-world.moved, charged + call.credits_held)
      if (call.phase === "done") assert.isAtMost(charged, price)
    },
    { fastCheck: { numRuns: 2_000 } }
  )

  it.prop(
    "in any order of Sent and delivered, any number of times, and of the provider's answer, comes to the same end",
    {
      told: FastCheck.shuffledSubarray(["sent", "delivered", "accept", "sent", "delivered"], { minLength: 4 })
    },
    ({ told }) => {
      const world = new World().send()
      for (const each of told) {
        if (each === "accept") world.accept()
        else world.tell(each === "sent" ? sent() : ended("delivered"))
      }
      assert.deepStrictEqual(world.told, ["completed", "delivered", "completed", price, -price])
    }
  )

  it.prop(
    "is never due again outside its window",
    {
      call_time: FastCheck.constantFrom(
        { call_start_time: "09:00", call_end_time: "17:00", timezone: "America/New_York" },
        { call_start_time: "22:00", call_end_time: "02:30", timezone: "Europe/Paris" }
      ),
      retry_failed: FastCheck.nat(2_000)
    },
    ({ call_time, retry_failed }) => {
      const world = new World({ call_time, call_retry_config: { retry_count: 9, retry_failed } })
      for (let round = 0; round < 9; round++) {
        world.send().tell(ended("failed", world.now, "carrier_error"))
        assert.isTrue(isOpen(call_time, world.state.call.due_at!))
      }
    }
  )
})
