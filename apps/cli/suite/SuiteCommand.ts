import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { RunSummary } from "../../../core/model/suites/Run.ts"
import * as Administration from "../administration/Administration.ts"
import * as Connection from "../rest/Connection.ts"
import * as Listing from "../rest/Listing.ts"
import { Rest } from "../rest/Rest.ts"
import * as Flags from "../terminal/Flags.ts"
import { verbatim } from "../terminal/Output.ts"
import { generate } from "./GenerateCommand.ts"
import { result } from "./ResultCommand.ts"
import * as Run from "./Run.ts"
import { run } from "./RunCommand.ts"
import * as Suite from "./Suite.ts"

export { generate, result, run }

export const list = Command.make(
  "list",
  {
    agent: Options.text("agent").pipe(
      Options.withPseudoName("ID"),
      Options.withDescription("Only suites for this agent."),
      Options.optional
    ),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fn("cli.suite.list")(function* ({ agent, json }) {
    const filter = { agent_id: Option.getOrUndefined(agent) }
    const suites = yield* Administration.all(Listing.pages(Suite.Suite, Suite.path, filter))
    yield* Listing.show(json, suites, Suite.columns, "There is no such test suite.")
  })
).pipe(
  Connection.provide,
  Command.withDescription(
    Flags.describe(
      "Lists the workspace's test suites, newest first.",
      "outdial suite list",
      "outdial suite list --agent agent_01"
    )
  )
)

export const show = Command.make(
  "show",
  { id: Suite.id, url: Connection.url, json: Flags.json },
  Effect.fn("cli.suite.show")(function* ({ id, json }) {
    const suite = yield* (yield* Rest).ask(Suite.Suite, "GET", Suite.pathOf(id))
    yield* verbatim(json, suite.text, (width) => Suite.described(suite.value, width))
  })
).pipe(
  Connection.provide,
  Command.withDescription(
    Flags.describe(
      "Shows a test suite: its judges and variables, and every scenario with its instructions.",
      "outdial suite show suite_01"
    )
  )
)

const Limit = Schema.Int.pipe(Schema.filter((n) => (n >= 1 && n <= 100) || "must be a number from 1 to 100"))

export const runs = Command.make(
  "runs",
  {
    suite: Options.text("suite").pipe(
      Options.withPseudoName("ID"),
      Options.withDescription("Only runs of this suite."),
      Options.optional
    ),
    limit: Options.integer("limit").pipe(
      Options.withPseudoName("N"),
      Options.withDescription("How many, 1 to 100; 20 when not given."),
      Options.withDefault(20),
      Options.mapEffect(Flags.checked("--limit", Limit))
    ),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fn("cli.suite.runs")(function* ({ json, limit, suite }) {
    const filter = { suite_id: Option.getOrUndefined(suite) }
    const { data } = yield* Listing.pages(RunSummary, Run.path, filter)({ limit, offset: 0 })
    yield* Listing.show(json, data, Run.columns, "There is no such test run.")
  })
).pipe(
  Connection.provide,
  Command.withDescription(
    Flags.describe(
      "Lists the newest test runs, with how they stand.",
      "outdial suite runs",
      "outdial suite runs --suite suite_01 --limit 5"
    )
  )
)

export const suite = Command.make("suite").pipe(
  Command.withDescription(
    Flags.describe(
      "Tests agents on a server with personas and judges, over its REST interface, with the API key of OUTDIAL_API_KEY."
    )
  ),
  Command.withSubcommands([generate, list, show, run, result, runs])
)
