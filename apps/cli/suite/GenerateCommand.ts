import { Clock, Effect, Option } from "effect"
import * as Options from "@effect/cli/Options"
import { defaultJudges } from "../../../core/model/suites/Suite.ts"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { type Bar, duration } from "../progress/Bar.ts"
import * as Live from "../progress/Live.ts"
import * as Connection from "../rest/Connection.ts"
import { Rest } from "../rest/Rest.ts"
import { inDoubt } from "../rest/RestErrors.ts"
import { note, verbatim } from "../terminal/Output.ts"
import { pairs, table } from "../terminal/Table.ts"
import { path, scenarioColumns, Suite } from "./Suite.ts"

/** A model may take a minute, and may be asked more than once. */
const patience = "10 minutes"

const options = {
  agent: Flags.text("agent", "ID", "The agent to test."),
  count: Options.optional(Flags.whole("count", "How many scenarios, 1 to 100; 5 when not given.")),
  judge: Options.repeated(
    Flags.text(
      "judge",
      "NAME",
      `The judges of a play: ${defaultJudges.join(", ")}, or a name of your own that says what to look for. All five, when none is given.`
    )
  ),
  hint: Options.optional(
    Flags.text("hint", "TEXT", "What the scenarios should be about, in your own words.")
  ),
  name: Options.optional(
    Flags.text("name", "NAME", "The suite's name; made of the agent's, when not given.")
  ),
  url: Connection.url,
  json: Flags.json
}

const waiting =
  (began: number) =>
  (now: number): Bar => ({
    label: "Generating",
    done: now - began,
    total: undefined,
    unit: duration,
    facts: []
  })

const shown = (suite: Suite, width: number | undefined): string =>
  [
    pairs([
      ["ID", suite.id],
      ["NAME", suite.name]
    ]),
    table(scenarioColumns, suite.scenarios, width)
  ].join("\n\n")

export const generate = command(
  "generate",
  {
    about:
      "Generates a test suite for an agent: personas that it will talk with. It takes credits, and up to a minute or so.",
    examples: [
      "outdial suite generate --agent agent_01 --count 10",
      'outdial suite generate --agent agent_01 --judge safety --judge accuracy --hint "Callers in a hurry"'
    ]
  },
  options,
  Effect.fnUntraced(function* ({ agent, count, hint, json, judge, name }) {
    const rest = yield* Rest
    const body = {
      agent_id: agent,
      ...(Option.isSome(count) && { count: count.value }),
      ...(judge.length > 0 && { judges: judge }),
      ...(Option.isSome(hint) && { hint: hint.value }),
      ...(Option.isSome(name) && { name: name.value })
    }
    const suite = yield* Live.during(
      waiting(yield* Clock.currentTimeMillis),
      rest.ask(Suite, "POST", `${path}/generate`, body, patience)
    ).pipe(
      Effect.mapError(inDoubt("the suite may have been made all the same: `outdial suite list` shows it"))
    )
    yield* verbatim(json, suite.text, (width) => shown(suite.value, width))
    if (!json) yield* note(`\nRun it with: outdial suite run ${suite.value.id}`)
  }, Connection.provide)
)
