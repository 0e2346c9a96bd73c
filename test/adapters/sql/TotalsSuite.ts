import { assert } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { listOf } from "../../../adapters/sql/Calls.ts"
import { Database } from "../../../adapters/sql/Database.ts"
import { make } from "../../../adapters/sql/KeptTotals.ts"
import { changedRecipients, listOf as listOfRecipients } from "../../../adapters/sql/Recipients.ts"
import type { Call } from "../../../core/model/calls/Call.ts"
import { minute } from "../../../core/model/Codecs.ts"
import type { CallFilter } from "../../../core/ports/CallRows.ts"
import { idsFrom } from "../../../core/ports/Ids.ts"
import type { RecipientFilter } from "../../../core/ports/RecipientRows.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { makeCall, makeRecipient, makeState, other, start, ws } from "../../contracts/repository/Fixtures.ts"

const at = (n: number) => start + n * 10_000

const filters: ReadonlyArray<CallFilter> = [
  {},
  { status: "queued" },
  { status: "completed" },
  { status: ["failed", "completed", "retry_scheduled"] },
  { status: ["queued", "in_progress"] },
  { status: ["queued", "completed"], agent_id: "agent_1" },
  { status: ["failed", "retry_scheduled"], outcome: "busy" },
  { status: ["failed", "retry_scheduled"], created_after: at(33), created_before: at(95) },
  { outcome: "busy" },
  { outcome: "answered", agent_id: "agent_1" },
  { status: "failed", outcome: "busy" },
  { agent_id: "agent_0" },
  { to_number: "0003" },
  { metadata: { order: "1" } },
  { created_after: at(33), created_before: at(161) },
  { created_after: at(20), status: "failed" },
  { created_before: at(75), outcome: "busy" },
  { created_after: at(40), created_before: at(41), agent_id: "agent_0" }
]

/** What a call becomes with each round: some end at once, some are dialled again, some wait for long. */
const next = (call: Call, n: number, round: number): Partial<Call> | undefined => {
  if (call.status === "completed" || call.status === "failed" || n % 11 === round % 3) return undefined
  if (call.status === "queued") return { status: "in_progress" }
  if (call.status === "retry_scheduled") return { status: "in_progress", outcome: null }
  if (n % 3 === 0 && round < 4)
    return { status: "retry_scheduled", outcome: n % 2 === 0 ? "busy" : "no_answer" }
  return n % 2 === 0
    ? { status: "completed", outcome: "answered" }
    : { status: "failed", outcome: n % 5 === 0 ? "busy" : "no_answer" }
}

/** Calls are placed, go on, are erased and end, some of them much later; what steps tell is what counting tells. */
export const totalsAreExact = Effect.gen(function* () {
  const database = yield* Database
  const { calls, people } = yield* Repository
  const totals = make(database, 7)
  const stored: Array<Call> = []

  const compare = (when: string) =>
    Effect.forEach(filters, (filter) =>
      Effect.gen(function* () {
        const { counting, params, texts } = listOf(ws, filter)
        const each = texts.anyOf?.map((value) => [...params, value]) ?? [params]
        const kept = yield* totals(ws, texts.steps!, counting!.params ?? params, counting!)
        const counted = yield* database.all<{ readonly total: number }>(
          ws,
          texts.count,
          each.flatMap((given) => [...given, ...texts.within])
        )
        assert.strictEqual(kept, counted[0]!.total, `${JSON.stringify(filter)} ${when}`)
      })
    )

  for (let round = 0; round < 7; round++) {
    const from = stored.length
    for (let n = from; n < from + 20; n++) {
      const call = makeCall(n, {
        created_at: at(n),
        agent_id: `agent_${n % 3}`,
        to_number: `+1415555${String(n % 5).padStart(4, "0")}`,
        customer_id: n % 13 === 12 ? other : ws
      })
      yield* calls.insert(call)
      yield* calls.index(call, [["order", String(n % 4)]])
      stored.push(call)
    }
    yield* TestClock.setTime(at(from + 20) + (round % 2) * 5 * minute)
    for (const [n, call] of stored.entries()) {
      const change = next(call, n, round)
      if (change === undefined) continue
      stored[n] = { ...call, ...change, version: call.version + 1 }
      assert.isTrue(yield* calls.update(stored[n]!))
    }
    yield* compare(`after round ${round}`)
    yield* people.eraseCall(ws, stored[round * 5]!.call_id)
    if (round % 2 === 1) yield* compare(`after the erasure of round ${round}`)
  }
})

const recipientFilters: ReadonlyArray<RecipientFilter> = [
  {},
  { sentiment: "neutral" },
  { sentiment: "negative" },
  { variables: { city: "Oslo" } },
  { variables: { city: "Paris" }, sentiment: "neutral" }
]

/** Recipients are reviewed, changed and removed long after they were added: no more is counted again than their steps. */
export const recipientTotalsAreExact = Effect.gen(function* () {
  const database = yield* Database
  const { campaigns, people, recipients } = yield* Repository
  const texts: Array<string> = []
  const noting = Database.of({
    ...database,
    aside: (workspace_id, sql, params) => {
      texts.push(sql)
      return database.aside(workspace_id, sql, params)
    }
  })
  const totals = make(noting, 7)
  const camp = "camp_000001"
  const all = Array.from({ length: 60 }, (_, n) =>
    makeRecipient(n, { id: `${idsFrom("rcpt", at(n))}${n}`, status: "completed" })
  )
  const compare = Effect.fnUntraced(function* (when: string) {
    for (const filter of recipientFilters) {
      const list = listOfRecipients(ws, camp, filter)
      const kept = yield* totals(ws, list.texts.steps!, list.params, { noted: changedRecipients(camp) })
      const [counted] = yield* database.all<{ readonly total: number }>(ws, list.texts.count, list.params)
      assert.strictEqual(kept, counted!.total, `${JSON.stringify(filter)} ${when}`)
    }
    return texts.splice(0).length / recipientFilters.length
  })
  const review = (n: number, sentiment: string) =>
    recipients.index(all[n]!, "review", [["sentiment", sentiment]])

  yield* campaigns.insert(makeState(1))
  yield* recipients.insert(all)
  for (const [n, each] of all.entries()) {
    yield* recipients.index(each, "variables", [["variables.city", n % 2 === 0 ? "Oslo" : "Paris"]])
    yield* review(n, n % 5 === 0 ? "negative" : "neutral")
  }
  yield* TestClock.setTime(at(200))
  assert.isAbove(yield* compare("at first"), 4)
  assert.isAtMost(yield* compare("when nothing has changed"), 1)
  yield* review(20, "negative")
  assert.isAtMost(yield* compare("after a review"), 3)
  for (let n = 0; n < 25; n++) yield* review(n, "negative")
  yield* compare("after many reviews")
  yield* recipients.change({ ...all[30]!, updated_at: at(201) })
  yield* recipients.index(all[30]!, "variables", [["variables.city", "Paris"]])
  yield* recipients.removeOne(ws, camp, all[40]!.id)
  yield* people.eraseRecipient(all[50]!)
  yield* compare("after a change, a removal and an erasure")
  yield* recipients.remove(ws, camp, 30)
  yield* compare("after the removal of many")
  yield* campaigns.remove(ws, camp)
  const left = "select list from list_changes where customer_id = ? and list >= ?"
  assert.deepStrictEqual(yield* database.all(ws, left, [ws, "recipients"]), [])
})
