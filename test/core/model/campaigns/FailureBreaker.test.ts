import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import {
  ended,
  type FailureBreaker,
  notPlaced,
  placed,
  placedAgain,
  probation,
  type RecentDials,
  renewed,
  standardBreaker,
  succeeds,
  trips
} from "../../../../core/model/campaigns/FailureBreaker.ts"
import { makeAttempt } from "../../../contracts/repository/Fixtures.ts"

const fresh: RecentDials = { dials: 0, ...renewed }

/** A campaign as the engine dials it, in seconds. `play` ends it when it is paused, or has placed `most` dials. */
interface Setting {
  readonly lines: number
  readonly seed: number
  readonly ring_seconds: number
  readonly talk_seconds: number
  readonly retries: boolean
  readonly breaker: FailureBreaker
}

const play = (
  { breaker, lines, retries, ring_seconds, seed, talk_seconds }: Setting,
  most: number,
  fails: (chance: number, dial: number) => boolean
) => {
  // mulberry32
  let state = seed
  const chance = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  let dials = fresh
  let live = 0
  /** Numbers of dials that were answered and are under way. */
  const talking = new Set<number>()
  const agenda: Array<readonly [at: number, happens: () => void]> = []
  const plan = (at: number, happens: () => void) => {
    let [from, until] = [0, agenda.length]
    while (from < until) {
      const middle = (from + until) >> 1
      if (agenda[middle]![0] > at) from = middle + 1
      else until = middle
    }
    agenda.splice(from, 0, [at, happens])
  }
  const place = (now: number) => {
    dials = placed(dials, breaker)
    const number = dials.dials
    const failed = fails(chance(), number)
    const answered_at = !failed && chance() < 0.5 ? now + chance() * ring_seconds : null
    const ends_at = failed
      ? now + chance() * 2
      : answered_at === null
        ? now + ring_seconds
        : answered_at + talk_seconds * (0.2 + chance())
    // What never reached the carrier is dialled again.
    if (retries && chance() < 0.02) dials = placedAgain(notPlaced(dials, number), number)
    live += 1
    if (answered_at !== null) plan(answered_at, () => talking.add(number))
    plan(ends_at, () => {
      live -= 1
      talking.delete(number)
      dials = ended(dials, number, failed)
    })
  }
  let now = 0
  for (;;) {
    const begun = dials.dials - dials.recent.length
    const bound = probation(dials, breaker)
    const free = bound < Infinity && Array.from(talking).some((number) => number > begun) ? Infinity : bound
    const room = Math.min(lines - live, free)
    for (let i = 0; i < room && dials.dials < most; i++) place(now)
    const next = agenda.pop()
    if (next === undefined) return { paused: false, dials: dials.dials }
    now = next[0]
    next[1]()
    if (trips(dials, breaker)) return { paused: true, dials: dials.dials }
  }
}

const setting = FastCheck.record({
  lines: FastCheck.integer({ min: 1, max: 400 }),
  seed: FastCheck.integer(),
  ring_seconds: FastCheck.integer({ min: 1, max: 30 }),
  talk_seconds: FastCheck.integer({ min: 1, max: 600 }),
  retries: FastCheck.boolean(),
  breaker: FastCheck.constant(standardBreaker)
})

describe("the circuit breaker of a campaign", () => {
  it("never pauses a campaign whose numbers fail independently at 10 %", () => {
    FastCheck.assert(
      FastCheck.property(setting, (setting) => {
        assert.deepStrictEqual(play(setting, 2_000, (chance) => chance < 0.1).paused, false)
      }),
      { numRuns: 100 }
    )
  })

  it("pauses a campaign whose carrier fails every dial, within 60 dials", () => {
    FastCheck.assert(
      FastCheck.property(setting, (setting) => {
        const { dials, paused } = play(setting, 3_000, () => true)
        assert.isTrue(paused)
        assert.isAtMost(dials, 60)
      })
    )
  })

  it("pauses a campaign whose carrier fails every dial from some time on, once the calls of before are over", () => {
    FastCheck.assert(
      FastCheck.property(setting, (setting) => {
        const { lines, ring_seconds, talk_seconds } = setting
        const { dials, paused } = play(setting, Infinity, (chance, dial) => dial > 500 || chance < 0.1)
        const over = ring_seconds + 1.2 * talk_seconds
        assert.isTrue(paused)
        assert.isAtMost(dials, 600 + lines * (3 + over))
      }),
      { numRuns: 30 }
    )
  })

  const after = (marks: string, breaker = standardBreaker) => {
    let dials = fresh
    for (const _ of marks) dials = placed(dials, breaker)
    Array.from(marks).forEach((mark, i) => {
      if (mark === "x") dials = notPlaced(dials, i + 1)
      else if (mark !== "-") dials = ended(dials, i + 1, mark === "f")
    })
    return dials
  }

  it("counts dials in the order in which they were placed, however they end", () => {
    const order = FastCheck.tuple(
      FastCheck.array(FastCheck.constantFrom("f", ".", "-"), { minLength: 1, maxLength: 120 }),
      FastCheck.infiniteStream(FastCheck.nat())
    )
    FastCheck.assert(
      FastCheck.property(order, ([marks, chance]) => {
        let dials = fresh
        for (const _ of marks) dials = placed(dials, standardBreaker)
        const numbers = marks
          .map((mark, i) => [chance.next().value!, i + 1, mark] as const)
          .sort(([a], [b]) => a - b)
        for (const [, number, mark] of numbers) {
          if (mark !== "-") dials = ended(dials, number, mark === "f")
        }
        assert.strictEqual(dials.recent, marks.slice(-50).join(""))
      })
    )
  })

  it("trips when more than the share of the last dials has failed, and enough have ended", () => {
    const trips_ = (marks: string, breaker = standardBreaker) => trips(after(marks, breaker), breaker)
    assert.isFalse(trips_("f".repeat(19)))
    assert.isTrue(trips_("f".repeat(20)))
    assert.isFalse(trips_("f".repeat(20) + "-".repeat(20)))
    assert.isTrue(trips_("f".repeat(21) + "-".repeat(20)))
    assert.isFalse(trips_("f".repeat(25) + ".".repeat(25)))
    assert.isTrue(trips_("f".repeat(26) + ".".repeat(24)))
    assert.isFalse(trips_("f".repeat(26) + ".".repeat(25)))
    assert.isTrue(trips_("f".repeat(20) + "x".repeat(30)))
    const strict = { share: 0.1, window: 10, least: 5 }
    assert.isFalse(trips_("f...", strict))
    assert.isTrue(trips_("f....", strict))
    assert.isFalse(trips_("f....-----", strict))
    assert.isFalse(trips_("f".repeat(50), { ...standardBreaker, share: 1 }))
  })

  it("places a window of dials at first, and any number once one has not failed", () => {
    assert.strictEqual(probation(fresh, standardBreaker), 50)
    assert.strictEqual(probation(after("-".repeat(30)), standardBreaker), 20)
    assert.strictEqual(probation(after("-".repeat(50)), standardBreaker), 0)
    assert.strictEqual(probation(after("x".repeat(50)), standardBreaker), 50)
    assert.strictEqual(probation(after(`${"-".repeat(49)}.`), standardBreaker), Infinity)
    assert.strictEqual(probation(fresh, { ...standardBreaker, share: 1 }), Infinity)
    const proven = { ...after("-".repeat(50)), failures_in_a_row: 19 }
    assert.strictEqual(probation(proven, standardBreaker), Infinity)
    assert.strictEqual(probation({ ...proven, failures_in_a_row: 20 }, standardBreaker), 0)
  })

  it("takes an answer, or a message that was taken, for a dial that succeeds, once it is of this start", () => {
    const dials = { ...after("--"), dials: 12 }
    const attempt = makeAttempt(1, {
      dial_number: 11,
      outcome: null,
      answered_at: null,
      carrier_call_id: "c"
    })
    assert.isFalse(succeeds(dials, attempt))
    assert.isTrue(succeeds(dials, { ...attempt, answered_at: 5 }))
    assert.isFalse(succeeds(dials, { ...attempt, answered_at: 5, dial_number: 10 }))
    assert.isFalse(succeeds(dials, { ...attempt, answered_at: 5, outcome: "failed" }))
    assert.isTrue(succeeds(dials, { ...attempt, channel: "msg" }))
    assert.isFalse(succeeds(dials, { ...attempt, channel: "msg", carrier_call_id: null }))
  })
})
