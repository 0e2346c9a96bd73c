import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { RunSummary } from "../../../core/model/suites/Run.ts"
import { command, group } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { all } from "../command/Pages.ts"
import * as Connection from "../rest/Connection.ts"
import * as Listing from "../rest/Listing.ts"
import { Rest } from "../rest/Rest.ts"
import { verbatim } from "../terminal/Output.ts"
import { generate } from "./GenerateCommand.ts"
import { result } from "./ResultCommand.ts"
import * as Run from "./Run.ts"
import { run } from "./RunCommand.ts"
import * as Suite from "./Suite.ts"

const list = command(
  "list",
  {
    about: "Lists the workspace's test suites, newest first.",
    examples: ["outdial suite list", "outdial suite list --agent agent_01"]
  },
  {
    agent: Options.optional(Flags.text("agent", "ID", "Only suites for this agent.")),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ agent, json }) {
    const filter = { agent_id: Option.getOrUndefined(agent) }
    const suites = yield* all(Listing.pages(Suite.Suite, Suite.path, filter))
    yield* Listing.show(json, suites, Suite.columns, "There is no such test suite.")
  }, Connection.provide)
)

const show = command(
  "show",
  {
    about: "Shows a test suite: its judges and variables, and every scenario with its instructions.",
    examples: ["outdial suite show suite_01"]
  },
  { id: Suite.id, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ id, json }) {
    const suite = yield* (yield* Rest).ask(Suite.Suite, "GET", Suite.pathOf(id))
    yield* verbatim(json, suite.text, (width) => Suite.described(suite.value, width))
  }, Connection.provide)
)

const Limit = Schema.Int.pipe(Schema.filter((n) => (n >= 1 && n <= 100) || "must be a number from 1 to 100"))

const runs = command(
  "runs",
  {
    about: "Lists the newest test runs, with how they stand.",
    examples: ["outdial suite runs", "outdial suite runs --suite suite_01 --limit 5"]
  },
  {
    suite: Options.optional(Flags.text("suite", "ID", "Only runs of this suite.")),
    limit: Flags.whole("limit", "How many, 1 to 100; 20 when not given.", Limit).pipe(
      Options.withDefault(20)
    ),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ json, limit, suite }) {
    const filter = { suite_id: Option.getOrUndefined(suite) }
    const { data } = yield* Listing.pages(RunSummary, Run.path, filter)({ limit, offset: 0 })
    yield* Listing.show(json, data, Run.columns, "There is no such test run.")
  }, Connection.provide)
)

export const suite = group(
  "suite",
  {
    about:
      "Tests agents on a server with personas and judges, over its REST interface, with the API key of OUTDIAL_API_KEY."
  },
  [generate, list, show, run, result, runs]
)
