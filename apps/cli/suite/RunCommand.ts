import { Duration, Effect, Fiber, Option } from "effect"
import * as Options from "@effect/cli/Options"
import { RunSummary } from "../../../core/model/suites/Run.ts"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import * as Connection from "../rest/Connection.ts"
import * as Patience from "../rest/Patience.ts"
import { type Answer, Rest } from "../rest/Rest.ts"
import { inDoubt } from "../rest/RestErrors.ts"
import { note, verbatim } from "../terminal/Output.ts"
import * as Outcome from "./Outcome.ts"
import * as Run from "./Run.ts"
import * as Suite from "./Suite.ts"
import { watch } from "./Watch.ts"

/** The transcripts of two thousand plays are tens of megabytes. */
export const recordPatience = "5 minutes"
/** After Ctrl-C the command ends soon. */
const cancelPatience = "10 seconds"

/** Work that goes on to its end, or to its own time limit, when the command is interrupted. */
const unbroken = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.uninterruptible(Effect.flatMap(Effect.forkDaemon(Effect.interruptible(work)), Fiber.join))

const start = Effect.fnUntraced(function* (suiteId: string) {
  const rest = yield* Rest
  return yield* Effect.mapError(
    rest.ask(RunSummary, "POST", Run.path, { suite_id: suiteId }),
    inDoubt("a run may have begun all the same: `outdial suite runs` shows it")
  )
})

/** Cancels a run and says whether that worked. */
const cancel = Effect.fnUntraced(function* ({ id }: Run.Summary) {
  const rest = yield* Rest
  yield* rest.ask(RunSummary, "POST", `${Run.pathOf(id)}/cancel`, undefined, cancelPatience).pipe(
    Effect.zipRight(note(`Run ${id} is cancelled.`)),
    Effect.catchAll(({ message }) => note(`Run ${id} was not cancelled: ${message}.`))
  )
}, unbroken)

/** Starts a run and follows it to its end: an interruption before that cancels the run, an outage does not. */
const followed = (suiteId: string, interval: Duration.Duration, timeout: Option.Option<Duration.Duration>) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const { value: run } = yield* unbroken(start(suiteId))
      yield* note(`Run ${run.id} has begun: ${Run.playsOf(run)}.`)
      const watched = yield* restore(
        Effect.timeoutOption(
          watch(run, interval),
          Option.getOrElse(timeout, () => Duration.infinity)
        )
      ).pipe(
        Effect.onInterrupt(() => cancel(run)),
        Effect.tapError(() => note(`Run ${run.id} goes on: \`outdial suite result ${run.id}\` shows it.`))
      )
      if (Option.isNone(watched)) {
        yield* note("It has taken longer than --timeout allows.")
        yield* cancel(run)
      }
      return run.id
    })
  )

const options = {
  id: Suite.id,
  junit: Outcome.options.junit,
  timeout: Flags.text(
    "timeout",
    "DURATION",
    "Cancels the run when it is not done after so long: 90s, 30m, 2h."
  ).pipe(Options.mapEffect(Flags.durationOf("--timeout")), Options.optional),
  noWait: Flags.flag("no-wait", "Starts the run and ends; `suite result` shows what came of it."),
  interval: Patience.interval,
  url: Connection.url,
  json: Outcome.options.json
}

const begun = ({ text, value }: Answer<Run.Summary>, json: boolean) =>
  verbatim(json, text, () => `Run ${value.id} has begun: ${Run.playsOf(value)}.`)

export const run = command(
  "run",
  {
    about:
      "Runs a test suite and watches it to its end, through short outages of the server. Each turn of a play takes credits.\nCtrl-C cancels the run at the server and ends with 130.\nEnds with 0 when the run is completed and every play passed, with 1 when any play failed or errored, or the run failed, was cancelled or took too long.",
    examples: [
      "outdial suite run suite_01",
      "outdial suite run suite_01 --junit agent-tests.xml --timeout 20m",
      "outdial suite run suite_01 --no-wait --json"
    ]
  },
  options,
  Effect.fnUntraced(function* ({ id, interval, noWait, timeout, ...telling }) {
    if (noWait) {
      if (Option.isSome(telling.junit) || Option.isSome(timeout))
        return yield* Effect.fail(Flags.invalid("--no-wait goes with neither --junit nor --timeout"))
      return yield* begun(yield* start(id), telling.json)
    }
    yield* Outcome.check(telling)
    const rest = yield* Rest
    const suite = yield* rest.ask(Suite.Suite, "GET", Suite.pathOf(id))
    yield* Outcome.prepare(telling)
    const runId = yield* followed(id, interval, timeout)
    const record = rest.ask(Run.Run, "GET", Run.pathOf(runId), undefined, recordPatience)
    yield* Outcome.tell(suite.value.name, yield* Patience.insist(record, note), telling)
  }, Connection.provide)
)
