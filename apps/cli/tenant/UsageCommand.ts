import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { isoTimestamp } from "../../../core/model/Codecs.ts"
import { Usage, UsageBy } from "../../../core/model/workspaces/Usage.ts"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import * as Connection from "../rest/Connection.ts"
import { Rest } from "../rest/Rest.ts"
import { verbatim } from "../terminal/Output.ts"
import { type Column, moment, table } from "../terminal/Table.ts"

type Row = Usage["data"][number]

const columnsOf = (by: UsageBy): ReadonlyArray<Column<Row>> => [
  { title: by.toUpperCase(), value: ({ key }) => key ?? "none" },
  { title: "ATTEMPTS", value: ({ attempts }) => attempts },
  { title: "REACHED", value: ({ reached }) => reached },
  { title: "MINUTES", value: ({ minutes }) => minutes },
  { title: "MESSAGES", value: ({ messages }) => messages },
  { title: "TURNS", value: ({ turns }) => turns },
  { title: "CREDITS", value: ({ credits }) => credits }
]

/** What a workspace has used, by the REST interface. */
export const usage = command(
  "usage",
  {
    about:
      "Shows what the workspace has used, by day, campaign or agent.\nIt is that of this month, unless --from and --until say otherwise.",
    examples: [
      "outdial usage",
      "outdial usage --by campaign --from 2027-02-01T00:00:00Z --until 2027-03-01T00:00:00Z"
    ]
  },
  {
    by: Flags.text("by", "WHAT", "Day, campaign or agent; day when not given.").pipe(
      Options.mapEffect(Flags.oneOf("--by", UsageBy.literals)),
      Options.withDefault("day" as const)
    ),
    from: Options.optional(Flags.time("from", "From when on; the first of the month when not given.")),
    until: Options.optional(Flags.time("until", "Until when; now when not given.")),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ by, from, json, until }) {
    const query = new URLSearchParams({ by })
    if (Option.isSome(from)) query.set("from", isoTimestamp(from.value))
    if (Option.isSome(until)) query.set("until", isoTimestamp(until.value))
    const found = yield* (yield* Rest).ask(Usage, "GET", `/usage?${query}`)
    const { data, from: first, total, until: last } = found.value
    yield* verbatim(json, found.text, (width) =>
      [
        `From ${moment(first)} until ${moment(last)}`,
        "",
        data.length === 0
          ? "Nothing was used."
          : table(columnsOf(by), [...data, { key: "total", ...total }], width)
      ].join("\n")
    )
  }, Connection.provide)
)
