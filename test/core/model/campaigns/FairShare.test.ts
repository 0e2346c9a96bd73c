import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { type Claimant, share } from "../../../../core/model/campaigns/FairShare.ts"

const claimants = FastCheck.array(
  FastCheck.record({
    live: FastCheck.integer({ min: 0, max: 8 }),
    room: FastCheck.integer({ min: -2, max: 8 }),
    turn: FastCheck.integer({ min: 0, max: 9 })
  }),
  { maxLength: 6 }
).map((each) =>
  each.map((claimant, i): Claimant => ({ ...claimant, campaign_id: `c${i}`, channel: "voice" }))
)

const slots = FastCheck.integer({ min: 0, max: 40 })

const counts = (many: number, among: ReadonlyArray<Claimant>) => {
  const shares = share({ all: many, voice: many }, among, 10)
  return among.map((claimant) => ({ ...claimant, count: shares.get(claimant.campaign_id)?.count ?? 0 }))
}

describe("how campaigns share the slots of their workspace", () => {
  it.prop(
    "no campaign gets more than it has room for, and no slot is left that a campaign could use",
    { slots, claimants },
    ({ claimants, slots }) => {
      const given = counts(slots, claimants)
      for (const { count, room } of given) assert.isAtMost(count, Math.max(0, room))
      const sum = given.reduce((total, { count }) => total + count, 0)
      const room = given.reduce((total, { room }) => total + Math.max(0, room), 0)
      assert.strictEqual(sum, Math.min(slots, room))
    }
  )

  it.prop(
    "no slot could go to a campaign with fewer calls under way",
    { slots, claimants },
    ({ claimants, slots }) => {
      const given = counts(slots, claimants)
      for (const rich of given.filter(({ count }) => count > 0)) {
        for (const poor of given.filter(({ count, room }) => count < room)) {
          assert.isAtMost(rich.live + rich.count - 1, poor.live + poor.count)
        }
      }
    }
  )

  it.prop(
    "calls get no more than there are lines, and messages take none of them",
    { slots, claimants, lines: FastCheck.integer({ min: -2, max: 40 }) },
    ({ claimants, lines, slots }) => {
      const mixed = claimants.map((each, i): Claimant => ({
        ...each,
        channel: i % 2 === 0 ? "voice" : "msg"
      }))
      const shares = share({ all: slots, voice: lines }, mixed, 10)
      const given = (channel: Claimant["channel"]) =>
        mixed
          .filter((each) => each.channel === channel)
          .reduce((total, { campaign_id }) => total + (shares.get(campaign_id)?.count ?? 0), 0)
      const room = (channel: Claimant["channel"]) =>
        mixed
          .filter((each) => each.channel === channel)
          .reduce((total, each) => total + Math.max(0, each.room), 0)
      const calls = Math.min(Math.max(0, lines), room("voice"))
      assert.isAtMost(given("voice"), Math.max(0, lines))
      assert.strictEqual(given("voice") + given("msg"), Math.min(slots, calls + room("msg")))
    }
  )

  it("among equals it goes round, from one claim to the next", () => {
    let turn = 0
    let waiting: ReadonlyArray<Claimant> = ["a", "b", "c"].map((campaign_id) => ({
      campaign_id,
      channel: "voice",
      live: 0,
      room: 5,
      turn: 0
    }))
    const order: Array<string> = []
    for (let i = 0; i < 6; i++) {
      const shares = share({ all: 1, voice: 1 }, waiting, turn)
      for (const [campaign_id, given] of shares) {
        order.push(campaign_id)
        turn = given.turn
        waiting = waiting.map((each) => (each.campaign_id === campaign_id ? { ...each, turn } : each))
      }
    }
    assert.deepStrictEqual(order, ["a", "b", "c", "a", "b", "c"])
  })
})
