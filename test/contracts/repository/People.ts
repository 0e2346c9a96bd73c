import { Effect, Option } from "effect"
import { assert, describe } from "@effect/vitest"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import type { KeptCall } from "../../../core/ports/PeopleRows.ts"
import type { Check } from "./Check.ts"
import {
  makeCall,
  makeDelivery,
  makeEvent,
  makeRecipient,
  makeState,
  makeWebhook,
  other,
  page,
  start,
  ws
} from "./Fixtures.ts"

const number = "+14155550123"

export const peopleRows = (check: Check) =>
  describe("people", () => {
    check("have calls that are found by their number, slice by slice, and are erased", ({ calls, people }) =>
      Effect.gen(function* () {
        const given = {
          callee_name: "Ada",
          custom_variables: RawJson(`{"name":"Ada"}`),
          metadata: RawJson(`{"mail":"ada@example.com"}`),
          idempotency_key: "ada-1"
        }
        for (const n of [1, 2, 3]) {
          yield* calls.insert(
            makeCall(n, n === 2 ? { to_number: "+14155550199" } : { ...given, idempotency_key: `ada-${n}` })
          )
        }
        yield* calls.insert(makeCall(4, { customer_id: other }))
        const found: Array<string> = []
        for (let after: string | null = ""; after !== null;) {
          const step: Effect.Effect.Success<ReturnType<typeof people.calls>> = yield* people.calls(
            ws,
            number,
            after,
            2
          )
          found.push(...step.found)
          after = step.next
        }
        assert.deepStrictEqual(found, ["call_000001", "call_000003"])
        const mail = { mail: "ada@example.com" }
        yield* calls.index(makeCall(1), Object.entries(mail))
        yield* calls.index(makeCall(3), Object.entries(mail))
        const byMail = Effect.map(calls.list(ws, { metadata: mail }, page), ({ data }) =>
          data.map(({ call_id }) => call_id)
        )
        assert.lengthOf(yield* byMail, 2)
        yield* people.eraseCall(other, "call_000001")
        yield* people.eraseCall(ws, "call_000001")
        assert.deepStrictEqual((yield* people.calls(ws, number, "", 9)).found, ["call_000003"])
        assert.deepStrictEqual(yield* byMail, ["call_000003"])
        const erased = Option.getOrThrow(yield* calls.get(ws, "call_000001"))
        assert.deepStrictEqual(erased, makeCall(1, { to_number: "", metadata: null, custom_variables: null }))
        assert.strictEqual(Option.getOrThrow(yield* calls.get(ws, "call_000003")).callee_name, "Ada")
      })
    )

    check("have calls that are found by the time of their end, until they are erased", ({ calls, people }) =>
      Effect.gen(function* () {
        const over = (n: number, completed_at: number, more = {}) =>
          makeCall(n, { phase: "done", status: "completed", completed_at, idempotency_key: null, ...more })
        const all = [
          over(1, start + 5),
          over(2, start + 9, { to_number: "+14155550001" }),
          over(3, start + 3, { to_number: "+442071230001", created_at: start + 1, channel: "msg" }),
          over(4, start + 10),
          over(5, start + 1, { customer_id: other }),
          makeCall(6, { idempotency_key: null })
        ]
        for (const call of all) yield* calls.insert(call)
        const kept = (until: number, after: KeptCall | null = null, limit = 9) =>
          people.keptCalls(ws, until, after, limit)
        const found = yield* kept(start + 9)
        const places = [3, 2, 1].map((n) => all[n - 1]!)
        assert.deepStrictEqual(
          found,
          places.map(({ call_id, created_at, to_number }) => ({
            last_digits: to_number.slice(-4),
            created_at,
            call_id
          }))
        )
        assert.deepStrictEqual(yield* kept(start + 9, null, 1), found.slice(0, 1))
        for (const n of [0, 1, 2]) {
          assert.deepStrictEqual(yield* kept(start + 9, found[n]!), found.slice(n + 1))
        }
        assert.deepStrictEqual(yield* kept(start), [])
        yield* people.eraseCall(ws, found[1]!.call_id)
        assert.deepStrictEqual(yield* kept(start + 9), found.toSpliced(1, 1))
      })
    )

    check("are recipients of several campaigns, each erased by itself", ({ campaigns, people, recipients }) =>
      Effect.gen(function* () {
        yield* campaigns.insert(makeState(1))
        yield* campaigns.insert(makeState(2))
        const phone_number = number
        const [first, second] = [
          makeRecipient(1, { phone_number, status: "completed" }),
          makeRecipient(2, { phone_number, campaign_id: "camp_000002" })
        ]
        const neighbour = makeRecipient(3, { phone_number: "+14155550177" })
        yield* recipients.insert([first, second, neighbour])
        assert.deepStrictEqual(yield* people.recipients(ws, number), [first, second])
        assert.deepStrictEqual(yield* people.recipients(other, number), [])
        yield* people.eraseRecipient({ ...first, customer_id: other })
        yield* people.eraseRecipient(first)
        yield* people.eraseRecipient(neighbour)
        assert.deepStrictEqual(yield* people.recipients(ws, number), [second])
        const read = yield* recipients.get(ws, "camp_000001", first.id)
        const bare = { phone_number: "", variables: RawJson("{}") }
        assert.deepStrictEqual(Option.getOrThrow(read), { ...first, ...bare })
        assert.deepStrictEqual(yield* recipients.insert([makeRecipient(4, { phone_number })]), [null])
      })
    )

    check("are in webhook events, whose bodies are replaced", ({ deliveries, people, webhooks }) =>
      Effect.gen(function* () {
        yield* webhooks.insert(makeWebhook(1))
        for (const n of [1, 2, 3]) {
          yield* deliveries.append([
            {
              event: makeEvent(n, { subject_id: `call_00000${n}` }),
              deliveries: [makeDelivery(n, { subject_id: `call_00000${n}`, call_id: `call_00000${n}` })]
            }
          ])
        }
        const ids = new Set(["call_000001", "call_000003"])
        let after: string | null = ""
        while (after !== null) after = yield* people.eraseEvents(ws, ids, after, 2)
        yield* people.eraseEvents(other, new Set(["call_000002"]), "", 9)
        const claimed = yield* deliveries.claim(ws, "whk_000001", start + 99, start + 100, 9)
        assert.deepStrictEqual(
          claimed.map(({ body }) => body.includes(`"erased":true`)),
          [true, false, true]
        )
      })
    )
  })
