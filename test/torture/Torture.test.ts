import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { binaries } from "../adapters/sql/PostgresServer.ts"
import { faults, scenarioOf } from "./Faults.ts"
import * as Presets from "./Presets.ts"
import * as Scenario from "./Scenario.ts"
import { breached, table } from "./Verdict.ts"

const seed = Number(process.env["TORTURE_SEED"] ?? Math.floor(Math.random() * 1e9))

const keeps = (store: Scenario.Scenario["store"]) =>
  Effect.gen(function* () {
    const outcome = yield* Scenario.run({ ...Presets.short[store], seed, patches: [], say: () => undefined })
    assert.isAbove(outcome.dials, 100, "there was load")
    assert.deepStrictEqual(
      breached(outcome.findings),
      [],
      `seed ${seed}, ledgers in ${outcome.folder}\n${table(outcome.findings)}`
    )
  })

/** Most of their time these wait: for a lease of a minute, for requests that may still be under way. */
describe.concurrent("the short form of the torture", () => {
  const { plan: sqlite } = Presets.short.sqlite
  it.scopedLive(
    `on SQLite with one process, killed ${sqlite.kills} times, keeps every promise`,
    () => keeps("sqlite"),
    300_000
  )

  const { plan } = Presets.short.postgres
  it.scopedLive.skipIf(binaries === undefined)(
    `on PostgreSQL with three processes, ${plan.kills} times killed, frozen, cut off and without a database, keeps every promise`,
    () => keeps("postgres"),
    300_000
  )

  // The quickest of the faults; `npm run torture -- --only faults` has them all.
  for (const name of ["the calling window is ignored", "one retry too many"]) {
    const fault = faults.find((fault) => fault.name === name)!
    it.scopedLive(
      `notices when ${name}`,
      () =>
        Effect.gen(function* () {
          const outcome = yield* Scenario.run(scenarioOf(fault, 1, () => undefined))
          Scenario.discard(outcome)
          const broken = breached(outcome.findings).map(({ promise }) => promise)
          assert.isNotEmpty(broken.filter((promise) => fault.breaks.includes(promise)))
        }),
      120_000
    )
  }
})
