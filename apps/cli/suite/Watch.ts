import { Clock, Duration, Effect } from "effect"
import { RunSummary } from "../../../core/model/suites/Run.ts"
import * as Live from "../progress/Live.ts"
import { pages } from "../rest/Listing.ts"
import { insist } from "../rest/Patience.ts"
import { Rest } from "../rest/Rest.ts"
import { Output } from "../terminal/Output.ts"
import { barOf, hasEnded, line, path, pathOf, type Summary } from "./Run.ts"

/** Without a screen, changes are written no more often than this. */
const quiet = Duration.toMillis("5 seconds")
/** The newest runs of the suite, among which the run is looked for. */
const newest = 10

/**
 * A run without its transcripts, which would be megabytes a second. The list has it, unless many runs of the
 * suite have begun since.
 */
const latest = Effect.fnUntraced(function* ({ id, suite_id }: Summary) {
  const rest = yield* Rest
  const { data } = yield* pages(RunSummary, path, { suite_id })({ limit: newest, offset: 0 })
  const found = data.find(({ value }) => value.id === id)
  return (found ?? (yield* rest.ask(RunSummary, "GET", pathOf(id)))).value
})

/** Follows a run to its end, through short outages: as a bar on a terminal, elsewhere as lines. */
export const watch = Effect.fnUntraced(function* (begun: Summary, interval: Duration.Duration) {
  const { err, screen } = yield* Output
  const began = yield* Clock.currentTimeMillis
  let run = begun
  let [written, at] = ["", 0]
  const say = yield* Live.drawing((now) => barOf(run, now - began))
  const write = Effect.fnUntraced(function* () {
    const now = yield* Clock.currentTimeMillis
    const state = JSON.stringify([run.status, run.counts])
    if (screen !== undefined || state === written) return
    if (!hasEnded(run) && now - at < quiet) return
    written = state
    at = now
    yield* err(line(run, now))
  })
  while (!hasEnded(run)) {
    yield* Effect.sleep(interval)
    run = yield* insist(latest(run), say)
    yield* write()
  }
  return run
}, Effect.scoped)
