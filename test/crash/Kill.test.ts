import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import * as Rig from "./Rig.ts"

const kills = 50

interface Conflict {
  readonly error: { readonly details: { readonly call_id: string } }
}
interface Listed {
  readonly call_id: string
  readonly status: string
  readonly sub_status: string | null
  readonly attempt_count: number
}

describe("a server that is killed", () => {
  it.scopedLive(
    `${kills} times at random moments under load loses no accepted call and dials no attempt twice`,
    () =>
      Effect.gen(function* () {
        const {
          agent_id,
          all,
          dials: ledger,
          hook,
          kill,
          request
        } = yield* Rig.make({
          calls_per_second: 200,
          speed: 40
        })

        const accepted = new Map<string, string>()
        const numbers = ["0123", "0001", "0010", "0002", "0005", "0123"]
        let n = 0
        const placeOne = Effect.gen(function* () {
          const idempotency_key = `key-${n++}`
          const call = {
            agent_id,
            to_number: `+1212555${numbers[n % numbers.length]}`,
            idempotency_key,
            metadata: { n },
            call_config: {
              call_retry_config: { retry_count: 1, retry_busy: 0, retry_not_picked: 0, retry_failed: 0 }
            }
          }
          while (!accepted.has(idempotency_key)) {
            const { body, status } = yield* request("POST", "/calls", call).pipe(
              Effect.retry(Schedule.spaced("50 millis"))
            )
            if (status === 200) accepted.set(idempotency_key, (body as Listed).call_id)
            if (status === 409) accepted.set(idempotency_key, (body as Conflict).error.details.call_id)
            yield* Effect.sleep("30 millis")
          }
        })
        const load = yield* Effect.fork(
          Effect.all(
            Array.from({ length: 4 }, () => Effect.forever(placeOne)),
            { concurrency: "unbounded" }
          )
        )

        for (let i = 0; i < kills; i++) {
          yield* Effect.sleep(Math.random() * 700)
          yield* kill
        }
        yield* Fiber.interrupt(load)

        const list = (status: string) =>
          request("GET", `/calls?limit=1&status=${status}`).pipe(
            Effect.map(({ body }) => (body as Rig.List<Listed>).pagination.total)
          )
        yield* Effect.forEach(["queued", "ringing", "in_progress", "retry_scheduled"], list).pipe(
          Effect.repeat({
            until: (totals) => totals.every((total) => total === 0),
            schedule: Schedule.spaced("500 millis")
          })
        )
        const calls = new Map((yield* all<Listed>("/calls")).map((call) => [call.call_id, call]))
        const completed = () =>
          new Set(
            hook.received.flatMap(({ call_id, event_type }) =>
              event_type === "call_completed" ? [call_id] : []
            )
          )
        yield* Effect.sync(completed).pipe(
          Effect.repeat({
            until: (ids) => [...calls.keys()].every((id) => ids.has(id)),
            schedule: Schedule.spaced("500 millis")
          }),
          Effect.timeout("70 seconds"),
          Effect.ignore
        )

        const dials = ledger()
        const byCall = new Map<string, number>()
        for (const { call_id } of dials) byCall.set(call_id, (byCall.get(call_id) ?? 0) + 1)
        const lost = [...accepted.values()].filter((id) => !calls.has(id) || !byCall.has(id))
        const inDoubt = [...calls.values()].filter(({ sub_status }) => sub_status === "in_doubt")
        assert.isAbove(accepted.size, kills, "there was load")
        assert.deepStrictEqual(Rig.dialledTwice(dials), [], "attempts dialled twice")
        assert.deepStrictEqual(lost, [], "accepted calls that the carrier never got")
        assert.deepStrictEqual(inDoubt, [], "this carrier always knows, so nothing stays in doubt")
        for (const [id, call] of calls) {
          assert.strictEqual(byCall.get(id), call.attempt_count, "one dial for each attempt")
        }
        assert.deepStrictEqual(
          [...calls.keys()].filter((id) => !completed().has(id)),
          [],
          "calls whose end was not told"
        )
        const firsts = new Map<string, Array<string>>()
        const seen = new Set<string>()
        for (const { call_id, event_type, id } of hook.received) {
          if (seen.has(id)) continue
          seen.add(id)
          firsts.set(call_id, [...(firsts.get(call_id) ?? []), event_type])
        }
        for (const order of firsts.values()) {
          const start = order.indexOf("call_started")
          if (start >= 0) assert.isBelow(start, order.indexOf("call_completed"))
        }
      }),
    400_000
  )
})
