import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { isSupportedCountry } from "libphonenumber-js/min"
import { Workspace } from "../../../core/model/workspaces/Workspace.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import * as Flags from "../terminal/Flags.ts"
import { result } from "../terminal/Output.ts"
import { type Column, moment, pairs, table } from "../terminal/Table.ts"
import * as Administration from "./Administration.ts"

const encode = Schema.encodeSync(Workspace)

const columns: ReadonlyArray<Column<Workspace>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "NAME", value: ({ name }) => name },
  { title: "CONCURRENCY", value: ({ max_concurrency }) => max_concurrency },
  { title: "CALLS/S", value: ({ calls_per_second }) => calls_per_second },
  { title: "COUNTRIES", value: ({ allowed_countries }) => allowed_countries.join(",") || "all" },
  { title: "COSTLY", value: ({ allow_costly_destinations }) => (allow_costly_destinations ? "yes" : "no") },
  { title: "CREATED", value: ({ created_at }) => moment(created_at) }
]

const countryOf = (text: string) => {
  const code = text.toUpperCase()
  return isSupportedCountry(code)
    ? Effect.succeed<string>(code)
    : Effect.fail(Flags.invalid("--allow-country must be an ISO 3166 code of two letters, such as US or GB"))
}

const given = <Name extends string, A>(name: Name, value: Option.Option<A>) =>
  Option.match(value, {
    onNone: () => ({}),
    onSome: (some) => ({ [name]: some }) as { readonly [name in Name]: A }
  })

export const create = Command.make(
  "create",
  {
    name: Options.text("name").pipe(
      Options.withPseudoName("NAME"),
      Options.withDescription("What people call it, at most 200 characters."),
      Options.mapEffect(Flags.checked("--name", Workspace.fields.name))
    ),
    maxConcurrency: Options.integer("max-concurrency").pipe(
      Options.withPseudoName("N"),
      Options.withDescription("Calls under way at one time; 50 when not given."),
      Options.mapEffect(Flags.checked("--max-concurrency", Workspace.fields.max_concurrency)),
      Options.optional
    ),
    callsPerSecond: Options.integer("calls-per-second").pipe(
      Options.withPseudoName("N"),
      Options.withDescription("Dials started in any one second; 10 when not given."),
      Options.mapEffect(Flags.checked("--calls-per-second", Workspace.fields.calls_per_second)),
      Options.optional
    ),
    countries: Options.text("allow-country").pipe(
      Options.withPseudoName("CC"),
      Options.withDescription("A country that may be called; every country, when none is given."),
      Options.repeated,
      Options.mapEffect(Effect.forEach(countryOf))
    ),
    costly: Options.boolean("allow-costly-destinations").pipe(
      Options.withDescription("Lets premium-rate and satellite numbers be called.")
    ),
    json: Flags.json
  },
  Effect.fn("cli.workspace.create")(function* ({
    callsPerSecond,
    costly,
    countries,
    json,
    maxConcurrency,
    name
  }) {
    const workspaces = yield* Workspaces
    const workspace = yield* workspaces.create({
      name,
      allowed_countries: [...new Set(countries)],
      allow_costly_destinations: costly,
      ...given("max_concurrency", maxConcurrency),
      ...given("calls_per_second", callsPerSecond)
    })
    yield* result(json, encode(workspace), () =>
      pairs(columns.map(({ title, value }) => [title, value(workspace)] as const))
    )
  })
).pipe(
  Command.provide(Administration.layer),
  Command.withDescription(
    Flags.describe(
      "Makes a workspace: the tenant that agents, phone numbers, calls and credits belong to.",
      'outdial workspace create --name "Acme"',
      'outdial workspace create --name "Acme" --max-concurrency 20 --allow-country US --allow-country CA'
    )
  )
)

export const list = Command.make(
  "list",
  { json: Flags.json },
  Effect.fn("cli.workspace.list")(function* ({ json }) {
    const workspaces = yield* Administration.all((yield* Workspaces).list)
    yield* result(json, { data: workspaces.map((workspace) => encode(workspace)) }, (width) =>
      workspaces.length === 0 ? "There is no workspace yet." : table(columns, workspaces, width)
    )
  })
).pipe(
  Command.provide(Administration.layer),
  Command.withDescription(Flags.describe("Lists all workspaces, newest first.", "outdial workspace list"))
)

export const workspace = Command.make("workspace").pipe(
  Command.withDescription("Makes and lists workspaces, the tenants of the platform."),
  Command.withSubcommands([create, list])
)
