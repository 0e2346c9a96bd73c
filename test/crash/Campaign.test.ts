import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import * as Rig from "./Rig.ts"

const kills = 30
const recipients = 2_000

interface Campaign {
  readonly id: string
  readonly status: string
  readonly stats: Readonly<Record<string, number>>
}
interface Attempt {
  readonly id: string
  readonly call_id: string
  readonly recipient_id: string
  readonly status: string
}
interface Recipient {
  readonly id: string
  readonly status: string
  readonly outcome: { readonly outcome?: string; readonly attempt_count?: number }
}

/** What each callee's last four digits make of it: answered, busy, no answer, busy once, voicemail. */
const digits = ["0123", "0456", "0001", "0002", "0010", "0004"]

describe("a campaign whose server is killed", () => {
  it.scopedLive(
    `${kills} times at random moments calls each of ${recipients} recipients, loses none and dials no attempt twice`,
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
          calls_per_second: 90,
          speed: 60
        })
        const created = yield* request("POST", "/campaigns", {
          name: "Crash",
          agent_id,
          call_config: { call_retry_config: { retry_count: 1, retry_busy: 0, retry_not_picked: 0 } }
        })
        const { id } = created.body as Campaign
        const numbers = Array.from(
          { length: recipients },
          (_, i) => `+1212${200 + Math.floor(i / digits.length)}${digits[i % digits.length]}`
        )
        for (let at = 0; at < recipients; at += 500) {
          const { status } = yield* request("POST", `/campaigns/${id}/recipients`, {
            recipients: numbers.slice(at, at + 500).map((phone_number) => ({ phone_number }))
          })
          assert.strictEqual(status, 200)
        }
        yield* request("POST", `/campaigns/${id}/start`)

        for (let i = 0; i < kills; i++) {
          yield* Effect.sleep(Math.random() * 700)
          yield* kill
        }

        const read = Effect.map(request("GET", `/campaigns/${id}`), ({ body }) => body as Campaign)
        yield* read.pipe(
          Effect.map(({ status }) => status),
          Effect.repeat({ until: (status) => status !== "running", schedule: Schedule.spaced("300 millis") })
        )
        const ended = yield* read
        const attempts = yield* all<Attempt>(`/campaigns/${id}/attempts`)
        const people = yield* all<Recipient>(`/campaigns/${id}/recipients`)
        const dials = ledger()

        assert.strictEqual(ended.status, "completed")
        assert.deepStrictEqual(Rig.dialledTwice(dials), [], "attempts dialled twice")
        const keys = new Set(dials.map(({ key }) => key))
        assert.deepStrictEqual(
          attempts.filter((attempt) => !keys.has(attempt.id)),
          [],
          "attempts that the carrier never got"
        )
        assert.strictEqual(keys.size, attempts.length, "one attempt for each dial")
        const byNumber = new Map<string, number>()
        for (const { to_number } of dials) byNumber.set(to_number, (byNumber.get(to_number) ?? 0) + 1)
        const wanted = (number: string) => (/(0001|0002|0010)$/.test(number) ? 2 : 1)
        assert.deepStrictEqual(
          numbers.filter((number) => byNumber.get(number) !== wanted(number)),
          [],
          "recipients lost, or dialled more often than their rules say"
        )
        assert.strictEqual(people.length, recipients)
        assert.deepStrictEqual(
          people.filter(({ status }) => status !== "completed" && status !== "failed"),
          []
        )
        const count = (status: string) => people.filter((person) => person.status === status).length
        const { stats } = ended
        assert.deepStrictEqual(
          [stats["total"], stats["completed"], stats["failed"], stats["attempts"]],
          [recipients, count("completed"), count("failed"), attempts.length]
        )
        assert.deepStrictEqual([stats["pending"], stats["in_progress"], stats["retry_scheduled"]], [0, 0, 0])

        const told = () =>
          new Set(
            hook.received.flatMap(({ call_id, event_type }) =>
              event_type === "call_completed" ? [call_id] : []
            )
          )
        yield* Effect.sync(told).pipe(
          Effect.repeat({ until: ({ size }) => size >= recipients, schedule: Schedule.spaced("500 millis") }),
          Effect.timeout("70 seconds"),
          Effect.ignore
        )
        assert.strictEqual(told().size, recipients, "every call's end is told")
      }),
    400_000
  )
})
