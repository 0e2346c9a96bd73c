import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import type { Attempt } from "../../../../core/model/calls/Attempt.ts"
import type { Call, Outcome } from "../../../../core/model/calls/Call.ts"
import { isOpen } from "../../../../core/model/calls/CallingWindow.ts"
import * as Machine from "../../../../core/model/calls/CallMachine.ts"
import type { State, Step } from "../../../../core/model/calls/CallStep.ts"
import type { Progress } from "../../../../core/model/calls/CarrierProgress.ts"
import * as PlaceCall from "../../../../core/model/calls/PlaceCall.ts"
import { transitionsOf } from "../../../../core/model/calls/Transition.ts"
import type { RawJson } from "../../../../core/model/json/RawJson.ts"
import { sum } from "../../../../core/model/workspaces/Ledger.ts"

const start = Date.UTC(2026, 0, 5, 12)

const placed = (config: object = {}, price = 1): Call =>
  Machine.place(
    PlaceCall.make({
      agent_id: "agent_1",
      to_number: "+14155550123",
      call_config: JSON.stringify(config) as RawJson
    }),
    {
      call_id: "call_1",
      channel: "voice",
      workspace_id: "ws_1",
      from_number: "+14155550100",
      from_phone_number_id: "pn_1",
      price_per_minute: price,
      campaign_id: null,
      recipient_id: null
    },
    start
  )

const ended = (outcome: Outcome, at: number, duration_seconds = 0): Progress => ({
  _tag: "Ended",
  at,
  outcome,
  sub_status: outcome === "answered" ? "user_hangup" : null,
  duration_seconds,
  error_code: null,
  error_message: null
})

const recording = (at: number): Progress => ({
  _tag: "RecordingReady",
  at,
  recording: {
    carrier_recording_id: "r1",
    track: "mixed",
    channels: 1,
    format: "wav",
    duration_seconds: 1,
    size_bytes: 1,
    url: null,
    started_at: at
  }
})

/** A call driven by hand: what was emitted, what moved, and every attempt ever made. */
class World {
  state: State
  now = start
  readonly attempts = new Map<string, Attempt>()
  readonly events: Array<{ readonly type: string; readonly attempt: number }> = []
  /** The events, and those of recordings, in their order. */
  readonly told: Array<string> = []
  moved: number
  readonly price: number
  dials: Array<{ readonly key: string; readonly at: number }> = []

  constructor(call: Call) {
    this.state = { call, attempt: null }
    this.moved = -call.credits_held
    this.price = call.price_per_minute
  }

  take(step: Step | null) {
    if (step === null) return
    const { attempt, call } = step
    this.state = { attempt, call }
    if (attempt !== null) this.attempts.set(attempt.id, attempt)
    for (const event of step.events) this.events.push({ type: event.type, attempt: call.attempt_count })
    this.told.push(
      ...step.events.map(({ type }) => type),
      ...step.recordings.map(() => "recording_completed")
    )
    this.moved += sum(step.movements)
  }

  dial() {
    const { call } = this.state
    if (call.phase !== "waiting") return
    this.now = Math.max(this.now, call.due_at!)
    const n = call.attempt_count + 1
    this.take(
      Machine.intend(
        this.state,
        { attempt_id: `att_${n}`, session_id: `sess_${n}`, agent_version: null },
        Math.max(0, this.price - call.credits_held),
        this.now
      )
    )
    this.dials.push({ key: this.state.attempt!.id, at: this.now })
  }

  tell(key: string, progress: Progress, balance = 1000) {
    const attempt = this.attempts.get(key) ?? null
    const state = { call: this.state.call, attempt }
    const step = Machine.record(state, key, progress, balance, this.now)
    // A recording of an earlier attempt changes nothing of the one under way.
    if (step === null || (progress._tag === "RecordingReady" && attempt !== this.state.attempt)) return
    this.take(step)
  }
}

type Action =
  | { readonly do: "dial" | "neverReceived" | "giveUp" | "cancel" }
  | { readonly do: "tell"; readonly what: Progress; readonly attempt: number }
  | { readonly do: "wait"; readonly ms: number }

const progress = FastCheck.oneof(
  FastCheck.constant<Progress>({ _tag: "Ringing", at: start }),
  FastCheck.constant<Progress>({ _tag: "Answered", at: start }),
  FastCheck.constant(recording(start)),
  FastCheck.tuple(
    FastCheck.constantFrom<Array<Outcome>>(
      "answered",
      "busy",
      "no_answer",
      "voicemail",
      "rejected",
      "failed",
      "cancelled"
    ),
    FastCheck.nat(400)
  ).map(([outcome, seconds]) =>
    ended(outcome, start, outcome === "answered" || outcome === "voicemail" ? seconds : 0)
  )
)

const action: FastCheck.Arbitrary<Action> = FastCheck.oneof(
  { weight: 4, arbitrary: FastCheck.constant<Action>({ do: "dial" }) },
  {
    weight: 8,
    arbitrary: FastCheck.record({
      do: FastCheck.constant("tell" as const),
      what: progress,
      attempt: FastCheck.integer({ min: 0, max: 2 })
    })
  },
  { weight: 1, arbitrary: FastCheck.constant<Action>({ do: "neverReceived" }) },
  { weight: 1, arbitrary: FastCheck.constant<Action>({ do: "giveUp" }) },
  { weight: 1, arbitrary: FastCheck.constant<Action>({ do: "cancel" }) },
  {
    weight: 2,
    arbitrary: FastCheck.record({
      do: FastCheck.constant("wait" as const),
      ms: FastCheck.nat(100_000_000)
    })
  }
)

const config = FastCheck.record(
  {
    call_retry_config: FastCheck.record(
      {
        retry_count: FastCheck.nat(9),
        retry_busy: FastCheck.nat(100),
        retry_not_picked: FastCheck.nat(100),
        retry_failed: FastCheck.nat(100)
      },
      { requiredKeys: [] }
    ),
    call_time: FastCheck.constantFrom(
      { call_start_time: "09:00", call_end_time: "17:00", timezone: "America/New_York" },
      { call_start_time: "22:00", call_end_time: "02:30", timezone: "Europe/Paris" }
    )
  },
  { requiredKeys: [] }
)

const perform = (world: World, act: Action) => {
  const { call } = world.state
  switch (act.do) {
    case "dial":
      return world.dial()
    case "tell":
      return world.tell(`att_${Math.max(1, call.attempt_count - act.attempt)}`, act.what)
    case "neverReceived":
      return world.take(Machine.neverReceived(world.state, world.now + 1000, world.now))
    case "giveUp":
      return world.take(Machine.giveUp(world.state, world.now))
    case "cancel":
      return world.take(Machine.cancel(world.state, world.now))
    case "wait":
      world.now += act.ms
  }
}

const rank = {
  queued: 0,
  retry_scheduled: 0,
  ringing: 1,
  in_progress: 2,
  completed: 3,
  failed: 3,
  cancelled: 3
}

describe("the call machine", () => {
  it.prop(
    "no sequence of events goes backwards, ends twice or spends what is not there",
    { config, actions: FastCheck.array(action, { maxLength: 60 }), price: FastCheck.nat(3) },
    ({ actions, config, price }) => {
      const world = new World(placed(config, price))
      for (const act of actions) {
        const before = world.state.call
        perform(world, act)
        const after = world.state.call
        if (before.phase === "done") assert.strictEqual(after, before, "a call that is done never changes")
        if (before.attempt_id === after.attempt_id && after.phase === "live" && before.phase === "live") {
          assert.isAtLeast(rank[after.status], rank[before.status], `${before.status} -> ${after.status}`)
        }
        assert.strictEqual(after.due_at === null, after.phase === "done")
        assert.strictEqual(after.completed_at !== null, after.phase === "done")
        assert.isAtLeast(after.credits_held, 0)
        assert.isAtMost(world.moved, 0)
        assert.isAtMost(after.attempt_count, 1 + ((config.call_retry_config?.retry_count ?? 0) as number))
      }
      const completions = world.events.filter(({ type }) => type === "call_completed").length
      assert.strictEqual(completions, world.state.call.phase === "done" ? 1 : 0)
      const starts = world.events.filter(({ type }) => type === "call_started").map(({ attempt }) => attempt)
      assert.strictEqual(new Set(starts).size, starts.length, "an attempt is answered once")
      if (world.state.call.phase === "done") {
        const charged = [...world.attempts.values()].reduce((total, { credits }) => total + credits, 0)
        assert.strictEqual(world.moved, -charged, "what is held comes back, what is charged does not")
        assert.strictEqual(world.events.at(-1)?.type, "call_completed")
        for (const attempt of world.attempts.values()) {
          assert.notInclude(["scheduled", "in_progress"], attempt.status)
        }
      }
    },
    { fastCheck: { numRuns: 2000 } }
  )

  it.prop(
    "no sequence leaves a call open: the ends of its attempts, or a look-up that cannot tell, close it",
    { config, actions: FastCheck.array(action, { maxLength: 30 }), inDoubt: FastCheck.boolean() },
    ({ actions, config, inDoubt }) => {
      const world = new World(placed(config))
      for (const act of actions) perform(world, act)
      for (let round = 0; round < 11 && world.state.call.phase !== "done"; round++) {
        world.dial()
        if (inDoubt) world.take(Machine.giveUp(world.state, world.now))
        else world.tell(world.state.attempt!.id, ended("no_answer", world.now))
      }
      assert.strictEqual(world.state.call.phase, "done")
    },
    { fastCheck: { numRuns: 1000 } }
  )

  it.prop(
    "progress in any order, any number of times, comes to the same end",
    {
      told: FastCheck.shuffledSubarray([0, 1, 2, 0, 1, 2, 2, 1, 3], { minLength: 9 }),
      outcome: FastCheck.constantFrom<Array<Outcome>>("answered")
    },
    ({ outcome, told }) => {
      const world = new World(placed())
      world.dial()
      const all: ReadonlyArray<Progress> = [
        { _tag: "Ringing", at: start + 1 },
        { _tag: "Answered", at: start + 2 },
        ended(outcome, start + 3, 61),
        recording(start + 2)
      ]
      for (const index of told) world.tell("att_1", all[index]!)
      const { attempt, call } = world.state
      assert.deepStrictEqual(
        [call.status, call.outcome, call.sub_status, attempt?.status, attempt?.credits],
        ["completed", "answered", "user_hangup", "completed", 2]
      )
      assert.deepStrictEqual(
        world.events.map(({ type }) => type),
        ["call_started", "call_completed"]
      )
      assert.strictEqual(world.told[0], "call_started", "a recording is told of after the start of its call")
      assert.include(world.told, "recording_completed")
    }
  )

  it("that hears of its recording first was answered when it is told so later", () => {
    const world = new World(placed())
    world.dial()
    world.tell("att_1", recording(start + 9))
    assert.deepStrictEqual(world.told, ["call_started", "recording_completed"])
    assert.strictEqual(world.state.attempt!.answered_at, start + 9)
    world.tell("att_1", { _tag: "Answered", at: start + 2 })
    world.tell("att_1", { _tag: "Answered", at: start + 3 })
    assert.strictEqual(world.state.attempt!.answered_at, start + 2)
    world.tell("att_1", ended("answered", start + 4, 2))
    assert.deepStrictEqual(world.told, ["call_started", "recording_completed", "call_completed"])
  })

  it.prop(
    "its transitions tell what it is, in order, within bounds",
    { config, actions: FastCheck.array(action, { maxLength: 60 }) },
    ({ actions, config }) => {
      const world = new World(placed(config))
      for (const act of actions) {
        const before = world.state.call
        perform(world, act)
        const { call } = world.state
        const transitions = transitionsOf(call)
        const last = transitions.at(-1)!
        assert.deepStrictEqual(
          [last.status, last.outcome, last.sub_status],
          [call.status, call.outcome, call.sub_status]
        )
        if (call.status !== before.status) assert.isAbove(transitions.length, transitionsOf(before).length)
        assert.isTrue(transitions.every(({ at }, i) => i === 0 || at >= transitions[i - 1]!.at))
      }
    }
  )

  it("that is never received loses its oldest transitions, and stays as long", () => {
    const world = new World(placed())
    for (let i = 0; i < 500; i++) {
      world.dial()
      world.now += 1_000
      world.take(Machine.neverReceived(world.state, world.now, world.now))
    }
    const transitions = transitionsOf(world.state.call)
    assert.isBelow(world.state.call.transitions!.length, 8_100)
    assert.isAbove(transitions.length, 100)
    assert.deepInclude(transitions.at(-1), { cause: "not_received", at: world.now })
  })

  it.prop(
    "an attempt's key is dialled again only when the carrier never received it; every other dial has a new one",
    { config, actions: FastCheck.array(action, { maxLength: 60 }) },
    ({ actions, config }) => {
      const world = new World(placed(config))
      const returned = new Set<string>()
      for (const act of actions) {
        const dialled = world.dials.length
        if (act.do === "neverReceived" && world.state.call.phase === "live") {
          returned.add(world.state.attempt!.id)
        }
        perform(world, act)
        if (world.dials.length > dialled) {
          const { key } = world.dials.at(-1)!
          const earlier = world.dials.slice(0, -1).some((dial) => dial.key === key)
          assert.isTrue(!earlier || returned.delete(key), `${key} was dialled twice`)
        }
      }
    },
    { fastCheck: { numRuns: 1000 } }
  )

  it.prop(
    "a retry is never due outside the calling window",
    { config, outcome: FastCheck.constantFrom<Array<Outcome>>("busy", "no_answer", "failed", "rejected") },
    ({ config, outcome }) => {
      const world = new World(placed(config))
      for (let round = 0; round < 10; round++) {
        world.dial()
        if (world.state.call.phase !== "live") break
        world.tell(world.state.attempt!.id, ended(outcome, world.now))
        const { call_time } = config
        const { due_at } = world.state.call
        if (call_time !== undefined && due_at !== null) assert.isTrue(isOpen(call_time, due_at))
      }
    }
  )

  it("busy waits retry_busy, no_answer retry_not_picked, everything else retry_failed, and then it fails", () => {
    const world = new World(
      placed({
        call_retry_config: { retry_count: 3, retry_busy: 1, retry_not_picked: 2, retry_failed: 3 }
      })
    )
    const delays: Array<number> = []
    for (const outcome of ["busy", "no_answer", "rejected", "busy"] as const) {
      world.dial()
      world.tell(world.state.attempt!.id, ended(outcome, world.now))
      const { due_at, scheduled_for } = world.state.call
      assert.strictEqual(scheduled_for, due_at)
      if (due_at !== null) delays.push((due_at - world.now) / 60_000)
    }
    assert.deepStrictEqual(delays, [1, 2, 3])
    assert.strictEqual(world.state.call.status, "failed")
    assert.strictEqual(world.state.call.outcome, "busy")
    assert.strictEqual(world.state.call.attempt_count, 4)
    assert.strictEqual(world.state.call.error?.code, "busy")
  })

  it("what is in doubt is closed as unknown and never retried, whatever the retries left", () => {
    const world = new World(placed({ call_retry_config: { retry_count: 9 } }))
    world.dial()
    world.take(Machine.giveUp(world.state, world.now))
    const { attempt, call } = world.state
    assert.deepStrictEqual(
      [call.status, call.outcome, call.sub_status, attempt?.status],
      ["failed", "unknown", "in_doubt", "unknown"]
    )
    assert.strictEqual(world.moved, 0)
  })

  it("a live call that is cancelled ends as cancelled once its carrier says so, and pays for what was talked", () => {
    const world = new World(placed({ call_retry_config: { retry_count: 3 } }))
    world.dial()
    world.tell("att_1", { _tag: "Answered", at: world.now })
    world.take(Machine.cancel(world.state, world.now))
    assert.strictEqual(world.state.call.status, "in_progress")
    world.tell("att_1", ended("answered", world.now, 61))
    assert.deepStrictEqual(
      [world.state.call.status, world.state.call.outcome, world.moved],
      ["cancelled", "cancelled", -2]
    )
  })

  it("talk beyond the hold is charged as far as the balance reaches", () => {
    const world = new World(placed({}, 1))
    world.dial()
    world.tell("att_1", ended("answered", world.now, 600), 4)
    assert.strictEqual(world.moved, -5)
    assert.strictEqual(world.state.attempt?.credits, 5)
  })
})
