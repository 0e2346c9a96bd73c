import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Database, type Param } from "../../../adapters/sql/Database.ts"
import { layer as repository } from "../../../adapters/sql/Repository.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { attemptFilters, callFilters, fill } from "../../bench/Rows.ts"
import { page, ws } from "../../contracts/repository/Fixtures.ts"
import { freshDatabase, onUrl } from "./PostgresServer.ts"
import { onServer } from "./PostgresSuite.ts"
import { totalsAreExact } from "./TotalsSuite.ts"

const rows = 6_000
const width = 1_500

/** The statements of the lists by each filter, from the first page on and by cursor. */
const listed = Effect.gen(function* () {
  const database = yield* Database
  const seen = new Map<string, ReadonlyArray<Param>>()
  const noting = Database.of({
    ...database,
    all: (workspace_id, sql, params) =>
      Effect.suspend(() => {
        seen.set(sql, params)
        return database.all(workspace_id, sql, params)
      })
  })
  const lists = Effect.flatMap(Repository, ({ attempts, calls }) =>
    Effect.forEach([page, { ...page, after: "1000003000" }, { ...page, before: "1000003000" }], (slice) => {
      const at = (prefix: string) => ({
        ...slice,
        ...("after" in slice && { after: `${prefix}_${slice.after}` }),
        ...("before" in slice && { before: `${prefix}_${slice.before}` })
      })
      return Effect.all([
        Effect.forEach(Object.values(callFilters), (filter) => calls.list(ws, filter, at("call"))),
        Effect.forEach(Object.values(attemptFilters), (filter) =>
          attempts.ofCampaign(ws, "camp_1", filter, at("att"))
        )
      ])
    })
  )
  yield* Effect.provide(lists, Layer.provide(repository, Layer.succeed(Database, noting)))
  return [...seen].filter(([sql]) => sql.includes("limit ? offset ?"))
})

onServer("SQL on PostgreSQL", (running) => {
  it.scopedLive("finds a page of calls or attempts in an index, by each filter and by cursor", () =>
    Effect.gen(function* () {
      const { url } = yield* freshDatabase(running())
      yield* Effect.gen(function* () {
        yield* fill("PostgreSQL", rows, width)
        const database = yield* Database
        const texts = yield* listed
        assert.isAtLeast(texts.length, 3 * (Object.keys(callFilters).length - 2))
        for (const [sql, params] of texts) {
          const plan = yield* database.all<{ readonly "QUERY PLAN": string }>(ws, `explain ${sql}`, params)
          const steps = plan.map((step) => step["QUERY PLAN"]).join("\n")
          assert.notMatch(steps, /Seq Scan on (calls|attempts|call_metadata)/, `${sql}\n${steps}`)
        }
      }).pipe(Effect.provide(onUrl(url)))
    })
  )

  it.scoped("keeps totals that are those that counting tells", () =>
    Effect.flatMap(freshDatabase(running()), ({ url }) => Effect.provide(totalsAreExact, onUrl(url)))
  )
})
