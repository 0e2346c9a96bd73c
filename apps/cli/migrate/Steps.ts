import { Clock, Effect } from "effect"
import type { Progress } from "../../../adapters/sql/copy/Copy.ts"
import { type Bar, count, duration } from "../progress/Bar.ts"
import { drawing } from "../progress/Live.ts"

const rows = (n: number): string => `${count(n)} rows`

/** Milliseconds between lines of progress, without a screen. */
const interval = 5_000

/** Shows on stderr how far a copy is: as a bar on a terminal, elsewhere as a line every five seconds. */
export const steps = Effect.gen(function* () {
  const begun = yield* Clock.currentTimeMillis
  let bar: Bar = { label: "Counting", done: 0, total: undefined, facts: [] }
  let told = begun
  let total = 0
  const say = yield* drawing(() => bar)
  const step = (label: string, whole: number) => (table: string, more: number) =>
    Effect.gen(function* () {
      const done = bar.label === label ? bar.done + more : more
      bar = { label, done, total: whole, unit: rows, facts: [table] }
      const now = yield* Clock.currentTimeMillis
      if (now - told < interval) return
      told = now
      yield* say(`${label}: ${count(done)} of ${rows(whole)} (${table})`)
    })
  const progress: Progress = {
    counted: (counted) =>
      Effect.suspend(() => {
        total = counted
        return say(`${rows(counted)} to copy`)
      }),
    copied: (table, more) => step("Copying", total)(table, more),
    // Both stores are read.
    compared: (table, more) => step("Comparing", 2 * total)(table, more)
  }
  const took = Effect.map(Clock.currentTimeMillis, (now) => duration(now - begun))
  return { progress, took }
})
