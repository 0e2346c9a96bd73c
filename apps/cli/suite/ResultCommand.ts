import { Effect } from "effect"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import * as Connection from "../rest/Connection.ts"
import { Rest } from "../rest/Rest.ts"
import * as Outcome from "./Outcome.ts"
import * as Run from "./Run.ts"
import { recordPatience } from "./RunCommand.ts"
import * as Suite from "./Suite.ts"

/** The name of a suite; its id when the suite was deleted, since its runs remain. */
const nameOf = Effect.fnUntraced(function* (suiteId: string) {
  const rest = yield* Rest
  return yield* rest.ask(Suite.Suite, "GET", Suite.pathOf(suiteId)).pipe(
    Effect.map(({ value }) => value.name),
    Effect.catchTag("Refused", (error) => (error.status === 404 ? Effect.succeed(suiteId) : error))
  )
})

export const result = command(
  "result",
  {
    about:
      "Shows the result of a test run: every play, what was said in it, and why the failed ones failed.\nEnds with 0 when the run is completed and every play passed, else with 1.",
    examples: [
      "outdial suite result run_01",
      "outdial suite result run_01 --failed",
      "outdial suite result run_01 --junit agent-tests.xml"
    ]
  },
  {
    id: Run.id,
    failed: Flags.flag("failed", "Shows what was said in the plays that failed, and in no others."),
    ...Outcome.options,
    url: Connection.url
  },
  Effect.fnUntraced(function* ({ failed, id, ...telling }) {
    yield* Outcome.check(telling)
    yield* Outcome.prepare(telling)
    const rest = yield* Rest
    const record = yield* rest.ask(Run.Run, "GET", Run.pathOf(id), undefined, recordPatience)
    yield* Outcome.tell(yield* nameOf(record.value.suite_id), record, telling, failed ? "failed" : "all")
  }, Connection.provide)
)
