import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Database, type Param } from "../../../adapters/sql/Database.ts"
import { layer as repository } from "../../../adapters/sql/Repository.ts"
import { layer as sqlite } from "../../../adapters/sql/Sqlite.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import {
  makeAttempt,
  makeCall,
  makeDelivery,
  makeEntry,
  makeEvent,
  page,
  ws
} from "../../contracts/repository/Fixtures.ts"
import { temporaryFile } from "./TemporaryFile.ts"

const filters = [
  {},
  { status: "queued" },
  { agent_id: "a" },
  { campaign_id: "c" },
  { created_after: 1, created_before: 2 },
  { status: "failed", created_after: 1 },
  { agent_id: "a", status: "queued", campaign_id: "c", created_before: 3 }
] as const

const verbs = ({ attempts, calls, credits, deliveries, doNotCall, webhooks, ...rest }: Repository["Type"]) =>
  Effect.all([
    Effect.forEach(filters, (filter) => calls.list(ws, filter, page)),
    calls.insert(makeCall(1, { idempotency_key: "k" })),
    calls.insert(makeCall(2, { idempotency_key: "k" })),
    calls.update(makeCall(1, { version: 1 })),
    calls.get(ws, "call_1"),
    calls.dialable(ws, 1, 1),
    calls.overdue(ws, 1, 1),
    calls.live(ws, "", 1),
    calls.countLive(ws),
    calls.nextDue(ws, "live"),
    attempts.insert(makeAttempt(1)),
    attempts.update(makeAttempt(1)),
    attempts.get(ws, "a"),
    attempts.ofCall(ws, "call_1"),
    attempts.startedSince(ws, 0),
    credits.append(ws, [makeEntry(1, 1)]),
    credits.list(ws, {}, page),
    credits.list(ws, { reference: "r" }, page),
    deliveries.append(makeEvent(1), [makeDelivery(1)]),
    deliveries.append(makeEvent(2), [makeDelivery(2)]),
    deliveries.claim(ws, "whk_000001", Infinity, 1, 1),
    deliveries.settle(makeDelivery(1, { status: "delivered" }), 1),
    deliveries.redeliver(makeDelivery(1, { next_attempt_at: 1 })),
    deliveries.list(ws, { webhook_id: "w" }, page),
    deliveries.list(ws, { webhook_id: "w", status: "dead" }, page),
    deliveries.nextDue(ws),
    deliveries.bury(ws, "w", 1),
    webhooks.active(ws),
    webhooks.remove(ws, "w"),
    doNotCall.contains(ws, "+1"),
    doNotCall.list(ws, page),
    rest.recordings.ofSession(ws, "s", page),
    rest.apiKeys.get("k"),
    rest.apiKeys.list(ws, page),
    rest.phoneNumbers.first(ws),
    rest.phoneNumbers.list(ws, page),
    rest.agents.list(ws, {}, page),
    rest.workspaces.withWork
  ])

/** Every statement of the verbs above, with the steps that SQLite runs it in. */
const plans = Effect.gen(function* () {
  const database = yield* Database
  const seen = new Map<string, ReadonlyArray<Param>>()
  const noting = Database.of({
    ...database,
    all: <Row extends object>(sql: string, params: ReadonlyArray<Param>) =>
      Effect.zipRight(
        Effect.sync(() => seen.set(sql, params)),
        database.all<Row>(sql, params)
      ),
    run: (sql, params) =>
      Effect.zipRight(
        Effect.sync(() => seen.set(sql, params)),
        database.run(sql, params)
      )
  })
  yield* Effect.flatMap(Repository, verbs).pipe(
    Effect.provide(Layer.provide(repository, Layer.succeed(Database, noting)))
  )
  return yield* Effect.forEach(seen, ([sql, params]) =>
    Effect.map(database.all<{ readonly detail: string }>(`explain query plan ${sql}`, params), (rows) => ({
      sql,
      steps: rows.map(({ detail }) => detail)
    }))
  )
})

const withFile = Layer.unwrapScoped(Effect.map(temporaryFile, (filename) => sqlite({ filename })))

describe("SQL on SQLite", () => {
  it.effect("finds in an index whatever it looks for", () =>
    Effect.gen(function* () {
      for (const { sql, steps } of yield* plans) {
        for (const step of steps) {
          if (/^SCAN (w|CONSTANT ROW|workspaces)\b/.test(step)) continue
          assert.notMatch(step, /^SCAN/, sql)
        }
      }
    }).pipe(Effect.provide(withFile))
  )

  it.effect("skips to a page in an index alone, and reads its rows by their key", () =>
    Effect.gen(function* () {
      const lists = (yield* plans).filter(
        ({ sql }) => sql.includes("limit ? offset ?") && sql.includes(") in (select")
      )
      assert.isAtLeast(lists.length, filters.length)
      for (const { sql, steps } of lists) {
        assert.match(steps[0]!, /^SEARCH \w+ USING INDEX \w+ \((customer_id=\? AND )?(call_)?id=\?\)/, sql)
        // Beside the sort of the page itself there is none: the index has the order.
        assert.isAtMost(steps.filter((step) => step.includes("TEMP B-TREE")).length, 1, `${sql}\n${steps}`)
      }
      // Filters that no one index holds read the rows that the best one finds; a session has few recordings.
      const exempt = /(agent_id|status) = \? and \w|from recordings/
      const plain = lists.filter(({ sql }) => !exempt.test(sql))
      assert.isAtLeast(plain.length, 10)
      for (const { sql, steps } of plain) assert.match(steps.join("\n"), /COVERING INDEX/, sql)
    }).pipe(Effect.provide(withFile))
  )

  it.effect("finds due and live calls by their phase", () =>
    Effect.gen(function* () {
      const due = (yield* plans).filter(({ sql }) => /^select .*\bphase = (\?|'live')/.test(sql))
      assert.strictEqual(due.length, 4)
      for (const { sql, steps } of due)
        assert.match(steps[0]!, /INDEX calls_due \(customer_id=\? AND phase=\?/, sql)
      const sorted = due.filter(({ steps }) => steps.some((step) => step.includes("TEMP B-TREE")))
      assert.strictEqual(sorted.length, 1)
    }).pipe(Effect.provide(withFile))
  )
})
