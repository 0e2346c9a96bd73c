import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import {
  answer,
  busy,
  type Callee,
  fail,
  type Fate,
  noAnswer,
  reject,
  silent,
  type TestPlatform,
  voicemail,
  inTurn
} from "../../../apps/testing/main.ts"
import { platform } from "./Rig.ts"

const hour = 3_600_000

interface Plan {
  readonly seed: number
  readonly calls: ReadonlyArray<{
    readonly fates: readonly [Fate, ...ReadonlyArray<Fate>]
    readonly retries: number
    readonly opens: boolean
  }>
  /** The statuses of the webhooks' receiver, one after the other. */
  readonly statuses: ReadonlyArray<number>
}

const fate = fc.oneof(
  fc
    .record({ seconds: fc.integer({ min: 0, max: 700 }), rings: fc.integer({ min: 1, max: 20 }) })
    .map(answer),
  fc.constantFrom(busy(), noAnswer(), reject(), fail(), silent(), voicemail())
)

const plan: fc.Arbitrary<Plan> = fc.record({
  seed: fc.integer({ min: 1, max: 1_000 }),
  calls: fc.array(
    fc.record({
      fates: fc
        .tuple(fate, fc.array(fate, { maxLength: 2 }))
        .map(([first, rest]) => [first, ...rest] as const),
      retries: fc.integer({ min: 0, max: 3 }),
      opens: fc.boolean()
    }),
    { minLength: 1, maxLength: 6 }
  ),
  statuses: fc.array(fc.constantFrom(200, 204, 500, 503), { maxLength: 12 })
})

/** What came of a plan within three hours, by whichever steps. Headers and signatures are of real time. */
const played = ({ calls, seed, statuses }: Plan, steps: (outdial: TestPlatform) => Promise<void>) =>
  Effect.scoped(
    Effect.flatMap(platform({ seed, max_concurrency: 2 }), ({ api, outdial, place }) =>
      Effect.promise(async () => {
        const left = [...statuses]
        await outdial.webhooks.create()
        outdial.onWebhook(async () => new Response(null, { status: left.shift() ?? 200 }))
        for (const [i, { fates, opens, retries }] of calls.entries()) {
          const to_number = `+1415555${1_100 + i}`
          const callee: Callee = inTurn(...fates)
          outdial.callee(to_number, callee)
          await place(to_number, {
            call_config: {
              call_retry_config: {
                retry_count: retries,
                retry_busy: 3,
                retry_not_picked: 7,
                retry_failed: 20
              },
              ...(opens && {
                call_time: { call_start_time: "16:10", call_end_time: "17:00", timezone: "UTC" }
              })
            }
          })
        }
        await steps(outdial)
        return {
          now: outdial.now,
          dialled: outdial.dialled,
          delivered: outdial.delivered.map(({ at, attempt_number, body, status }) => ({
            at,
            attempt_number,
            body,
            status
          })),
          calls: (await api.calls.list()).data
        }
      })
    )
  )

const atOnce = (outdial: TestPlatform) => outdial.advance(3 * hour)

describe("time on a test platform", () => {
  it.live("comes in many steps to what it comes to in one", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          plan,
          fc.array(fc.integer({ min: 0, max: hour / 4 }), { minLength: 1, maxLength: 40 }),
          async (given, lengths) => {
            const inSteps = async (outdial: TestPlatform) => {
              let left = 3 * hour
              for (let i = 0; left > 0 && i < 200; i++) {
                const step = Math.min(left, lengths[i % lengths.length]!)
                await outdial.advance(step)
                left -= step
              }
              await outdial.advance(left)
            }
            const [one, many] = await Effect.runPromise(
              Effect.all([played(given, atOnce), played(given, inSteps)])
            )
            assert.deepStrictEqual(many, one)
            assert.isAtLeast(one.dialled.length, given.calls.filter(({ opens }) => !opens).length)
          }
        ),
        { numRuns: 12 }
      )
    )
  )

  it.live("brings the same whenever a seed is played again, and other ids with another seed", () =>
    Effect.gen(function* () {
      const [given] = fc.sample(plan, { numRuns: 1, seed: 4 }) as [Plan]
      const first = yield* played({ ...given, seed: 1 }, atOnce)
      const again = yield* played({ ...given, seed: 1 }, atOnce)
      const other = yield* played({ ...given, seed: 2 }, atOnce)
      assert.deepStrictEqual(again, first)
      assert.notStrictEqual(other.calls[0]?.call_id, first.calls[0]?.call_id)
      assert.strictEqual(other.dialled.length, first.dialled.length)
    })
  )

  it.live("of a thousand calls with retries takes a moment", () =>
    Effect.scoped(
      Effect.flatMap(platform({ credits: 5_000 }), ({ api, outdial }) =>
        Effect.promise(async () => {
          outdial.callee("*", inTurn(busy(), noAnswer(), answer()))
          const { id } = await api.campaigns.create({
            name: "Many",
            agent_id: outdial.agent_id,
            call_config: { call_retry_config: { retry_count: 2, retry_busy: 60, retry_not_picked: 120 } }
          })
          await outdial.webhooks.create()
          const recipients = Array.from({ length: 1_000 }, (_, i) => ({
            phone_number: `+1415${5_550_000 + i}`
          }))
          await api.recipients.add(id, { recipients })
          await api.campaigns.start(id)
          // Until one of its dials has not failed, a campaign places no more than its breaker looks at.
          assert.strictEqual(outdial.dialled.length, 50)
          await outdial.runUntilIdle()
          const { stats } = await api.campaigns.get(id)
          assert.deepStrictEqual([stats.completed, stats.attempts], [1_000, 3_000])
          assert.strictEqual(outdial.dialled.length, 3_000)
          assert.strictEqual(outdial.delivered.length, 3_000)
        })
      )
    )
  )
})
