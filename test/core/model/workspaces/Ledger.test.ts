import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { type Movement, priceOf, release, settle, sum } from "../../../../core/model/workspaces/Ledger.ts"

const credits = FastCheck.nat(1_000)
const price = FastCheck.integer({ min: 1, max: 50 })
const seconds = FastCheck.integer({ min: 0, max: 3_600 })

describe("Ledger.priceOf", () => {
  it.prop("is the price of each started minute", [seconds, price], ([duration, price]) => {
    const minutes = priceOf(duration, price) / price
    assert.isTrue(Number.isInteger(minutes))
    assert.isAtLeast(minutes * 60, duration)
    assert.isBelow(minutes * 60, duration + 60)
  })

  it("is nothing for no talk, one minute up to 60 seconds, two from the 61st", () => {
    assert.deepStrictEqual(
      [0, 0.5, 1, 60, 60.001, 61, 120, 121].map((duration) => priceOf(duration, 3)),
      [0, 3, 3, 3, 6, 6, 6, 9]
    )
  })
})

describe("Ledger.settle", () => {
  it.prop(
    "charges the cost as far as hold and balance reach, and never more",
    [credits, credits, credits],
    ([held, balance, cost]) => {
      const settled = settle(held, balance, cost)
      assert.strictEqual(settled.charged, Math.min(cost, held + balance))
      assert.isAtLeast(balance + sum(settled.movements), 0)
      assert.strictEqual(sum(settled.movements) + settled.held, held - settled.charged)
    },
    { fastCheck: { numRuns: 1_000 } }
  )

  it("leaves the hold where it is when there is nothing to charge", () => {
    assert.deepStrictEqual(settle(5, 10, 0), { movements: [], charged: 0, held: 5 })
  })

  it("gives back what the hold has over, and takes from the balance what it lacks", () => {
    assert.deepStrictEqual(settle(5, 10, 3).movements, [
      { kind: "release", amount: 5 },
      { kind: "settle", amount: -3 }
    ])
    assert.strictEqual(sum(settle(5, 10, 9).movements), -4)
  })

  it("waives what neither hold nor balance covers", () => {
    assert.deepStrictEqual(settle(2, 3, 9), {
      movements: [
        { kind: "release", amount: 2 },
        { kind: "settle", amount: -5 }
      ],
      charged: 5,
      held: 0
    })
    assert.deepStrictEqual(settle(0, 0, 9), { movements: [], charged: 0, held: 0 })
  })
})

describe("Ledger.release", () => {
  it.prop("gives back the whole hold, and moves nothing when there is none", [credits], ([held]) => {
    assert.deepStrictEqual(release(held), held === 0 ? [] : [{ kind: "release", amount: held }])
  })
})

type Step =
  | { readonly _tag: "TopUp"; readonly amount: number }
  | { readonly _tag: "Hold"; readonly call: number; readonly amount: number }
  | { readonly _tag: "Settle"; readonly call: number; readonly cost: number }
  | { readonly _tag: "Release"; readonly call: number }

const calls = 4
const call = FastCheck.nat(calls - 1)

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  FastCheck.record({ _tag: FastCheck.constant("TopUp" as const), amount: FastCheck.nat(60) }),
  FastCheck.record({ _tag: FastCheck.constant("Hold" as const), call, amount: FastCheck.nat(20) }),
  FastCheck.record({ _tag: FastCheck.constant("Settle" as const), call, cost: FastCheck.nat(80) }),
  FastCheck.record({ _tag: FastCheck.constant("Release" as const), call })
)

/** A workspace whose calls hold, settle and release in any order; a hold past the balance is refused. */
const run = (steps: ReadonlyArray<Step>) => {
  const movements: Array<Movement> = []
  const held = Array.from({ length: calls }, () => 0)
  const balances: Array<number> = []
  let charged = 0
  for (const step of steps) {
    if (step._tag === "TopUp") movements.push({ kind: "top_up", amount: step.amount })
    else if (step._tag === "Release") {
      movements.push(...release(held[step.call]!))
      held[step.call] = 0
    } else if (step._tag === "Settle") {
      const settled = settle(held[step.call]!, sum(movements), step.cost)
      movements.push(...settled.movements)
      held[step.call] = settled.held
      charged += settled.charged
    } else if (step.amount <= sum(movements)) {
      movements.push({ kind: "hold", amount: -step.amount })
      held[step.call]! += step.amount
    }
    balances.push(sum(movements))
  }
  for (const rest of held) movements.push(...release(rest))
  return { movements, balances, charged }
}

describe("Ledger, whatever the order of holds, settlements and releases", () => {
  const steps = FastCheck.array(step, { maxLength: 60 })
  const options = { fastCheck: { numRuns: 1_000 } }

  it.prop(
    "keeps the balance from falling below zero, after each movement",
    [steps],
    ([steps]) => {
      const { balances, movements } = run(steps)
      for (const balance of balances) assert.isAtLeast(balance, 0)
      for (let i = 1; i <= movements.length; i++) assert.isAtLeast(sum(movements.slice(0, i)), 0)
    },
    options
  )

  it.prop(
    "moves, once everything held is released, exactly what was charged",
    [steps],
    ([steps]) => {
      const { charged, movements } = run(steps)
      const own = movements.filter(({ kind }) => kind !== "top_up")
      assert.strictEqual(sum(own) + charged, 0)
    },
    options
  )

  it.prop(
    "gives back in releases all that it put aside in holds",
    [steps],
    ([steps]) => {
      const { movements } = run(steps)
      assert.strictEqual(sum(movements.filter(({ kind }) => kind === "hold" || kind === "release")), 0)
    },
    options
  )
})
