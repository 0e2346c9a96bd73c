import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Database, type Param } from "../../../adapters/sql/Database.ts"
import { layer as repository } from "../../../adapters/sql/Repository.ts"
import type { PageRequest } from "../../../core/model/Page.ts"
import type { AttemptFilter } from "../../../core/ports/AttemptRows.ts"
import type { AuditFilter } from "../../../core/ports/AuditRows.ts"
import type { CallFilter } from "../../../core/ports/CallRows.ts"
import type { LedgerFilter } from "../../../core/ports/CreditRows.ts"
import type { DeliveryFilter } from "../../../core/ports/DeliveryRows.ts"
import type { RecipientFilter } from "../../../core/ports/RecipientRows.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import {
  attemptFilters,
  auditFilters,
  callFilters,
  deliveryFilters,
  fill,
  ledgerFilters,
  nth,
  recipientFilters
} from "../../bench/Rows.ts"
import { page, ws } from "../../contracts/repository/Fixtures.ts"
import { earlierImportsEnd } from "./ImportsSuite.ts"
import { freshDatabase, onUrl } from "./PostgresServer.ts"
import { onServer } from "./PostgresSuite.ts"
import { recipientTotalsAreExact, totalsAreExact } from "./TotalsSuite.ts"

const rows = 6_000
const width = 1_500

/** The statements of the lists by each filter, from the first page on and by cursor, and those that count them. */
const listed = Effect.gen(function* () {
  const database = yield* Database
  const seen = new Map<string, ReadonlyArray<Param>>()
  const counted = new Map<string, ReadonlyArray<Param>>()
  const noting = Database.of({
    ...database,
    all: (workspace_id, sql, params) =>
      Effect.suspend(() => {
        seen.set(sql, params)
        return database.all(workspace_id, sql, params)
      }),
    aside: (workspace_id, sql, params) =>
      Effect.suspend(() => {
        counted.set(sql, params)
        return database.aside(workspace_id, sql, params)
      })
  })
  const lists = Effect.gen(function* () {
    const { attempts, audit, calls, credits, deliveries, doNotCall, recipients } = yield* Repository
    for (const place of ["first", "after", "before"]) {
      const at = (id: string): PageRequest => ({ ...page, ...(place !== "first" && { [place]: id }) })
      const of = (prefix: "rcpt" | "led" | "dlv" | "aud") => at(nth(prefix, rows / 2))
      const each = <Filter>(
        filters: Readonly<Record<string, Filter>>,
        list: (filter: Filter) => Effect.Effect<unknown>
      ) => Effect.forEach(Object.values(filters), list)
      yield* each<CallFilter>(callFilters, (filter) => calls.list(ws, filter, at("call_1000003000")))
      yield* each<AttemptFilter>(attemptFilters, (filter) =>
        Effect.zip(
          attempts.ofCampaign(ws, "camp_1", filter, at("att_1000003000")),
          attempts.countOfCampaign(ws, "camp_1", filter)
        )
      )
      yield* each<RecipientFilter>(recipientFilters, (filter) =>
        recipients.list(ws, "camp_000001", filter, of("rcpt"))
      )
      yield* each<LedgerFilter>(ledgerFilters, (filter) => credits.list(ws, filter, of("led")))
      yield* each<DeliveryFilter>(deliveryFilters, (filter) => deliveries.list(ws, filter, of("dlv")))
      yield* each<AuditFilter>(auditFilters, (filter) => audit.list(ws, filter, of("aud")))
      yield* doNotCall.list(ws, at("+14151003000"))
    }
  })
  yield* Effect.provide(lists, Layer.provide(repository, Layer.succeed(Database, noting)))
  return { pages: [...seen].filter(([sql]) => sql.includes("limit ? offset ?")), counts: [...counted] }
})

onServer("SQL on PostgreSQL", (running) => {
  it.scopedLive("finds a page of each list in an index, by each filter and by cursor", () =>
    Effect.gen(function* () {
      const { url } = yield* freshDatabase(running())
      yield* Effect.gen(function* () {
        yield* fill("PostgreSQL", rows, width)
        const database = yield* Database
        const { counts, pages } = yield* listed
        const stepsOf = (text: string, params: ReadonlyArray<Param>) =>
          Effect.map(database.all<{ readonly "QUERY PLAN": string }>(ws, `explain ${text}`, params), (plan) =>
            plan.map((step) => step["QUERY PLAN"]).join("\n")
          )
        assert.isAtLeast(pages.length, 3 * (Object.keys(callFilters).length - 2))
        for (const [sql, params] of pages) {
          // Of a narrow table of so few rows, all are read as fast as a page of them: there its keys tell.
          const [, keys] = /\) in \((select .* limit \? offset \?)\) order by /.exec(sql)!
          const isWide = /from (calls|attempts|recipients|deliveries) /.test(sql)
          const text = isWide ? sql : keys!
          const steps = yield* stepsOf(text, params)
          assert.notMatch(steps, /Seq Scan on (?!recipient_lists)/, `${text}\n${steps}`)
        }
        const ofCalls = counts.filter(([sql]) =>
          sql.includes(" from calls where customer_id = ? and channel")
        )
        assert.isAtLeast(ofCalls.length, 2)
        for (const [sql, params] of ofCalls) {
          const steps = yield* stepsOf(sql, params)
          assert.match(steps, /Index Only Scan/, `${sql}\n${steps}`)
          assert.notMatch(steps, /Seq Scan|Index Scan|Bitmap|Gather/, `${sql}\n${steps}`)
        }
      }).pipe(Effect.provide(onUrl(url)))
    })
  )

  it.scoped("keeps totals that are those that counting tells", () =>
    Effect.flatMap(freshDatabase(running()), ({ url }) =>
      Effect.provide(Effect.zipRight(totalsAreExact, recipientTotalsAreExact), onUrl(url))
    )
  )

  it.scoped("finds the imports of a process of an earlier version that died", () =>
    Effect.flatMap(freshDatabase(running()), ({ url }) => Effect.provide(earlierImportsEnd, onUrl(url)))
  )
})
