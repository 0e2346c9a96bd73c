import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { isSupportedCountry } from "libphonenumber-js/min"
import { ToolSecret } from "../../../core/model/webhooks/SigningSecret.ts"
import { settings, Workspace } from "../../../core/model/workspaces/Workspace.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import { command, group } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { all } from "../command/Pages.ts"
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

const create = command(
  "create",
  {
    about: "Makes a workspace: the tenant that agents, phone numbers, calls and credits belong to.",
    examples: [
      'outdial workspace create --name "Acme"',
      'outdial workspace create --name "Acme" --max-concurrency 20 --allow-country US --allow-country CA'
    ]
  },
  {
    name: Flags.text("name", "NAME", "What people call it, at most 200 characters.").pipe(
      Options.mapEffect(Flags.checked("--name", Workspace.fields.name))
    ),
    maxConcurrency: Options.optional(
      Flags.whole(
        "max-concurrency",
        "Calls under way at one time; 50 when not given.",
        Workspace.fields.max_concurrency
      )
    ),
    callsPerSecond: Options.optional(
      Flags.whole(
        "calls-per-second",
        "Dials started in any one second; 10 when not given.",
        Workspace.fields.calls_per_second
      )
    ),
    countries: Flags.text(
      "allow-country",
      "CC",
      "A country that may be called; every country, when none is given."
    ).pipe(Options.repeated, Options.mapEffect(Effect.forEach(countryOf))),
    costly: Flags.flag("allow-costly-destinations", "Lets premium-rate and satellite numbers be called."),
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ callsPerSecond, costly, countries, json, maxConcurrency, name }) {
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
  }, Effect.provide(Administration.layer))
)

const keysOf = Flags.text(
  "metadata-key",
  "KEY",
  "A key of calls' metadata by whose values calls can be found; up to 10."
).pipe(Options.repeated)

const days = (name: string, setting: keyof typeof settings & `${string}_days`, what: string) =>
  Flags.text(name, "DAYS", `Days after which ${what}, or \`none\`.`).pipe(
    Options.mapEffect((text) =>
      text === "none"
        ? Effect.succeed(null)
        : Flags.checked(`--${name}`, settings[setting])(/^\d+$/.test(text) ? Number(text) : Number.NaN)
    ),
    Options.optional
  )

const update = command(
  "update",
  {
    about:
      "Changes what is given of a workspace; dials from then on go by it.\nCountries and keys replace those that were set: --allow-country all lets every country be called.",
    examples: [
      "outdial workspace update --workspace ws_01 --max-concurrency 100",
      "outdial workspace update --workspace ws_01 --allow-country US --allow-country CA --metadata-key order",
      "outdial workspace update --workspace ws_01 --keep-recordings 90 --keep-calls none"
    ]
  },
  {
    workspace: Flags.workspace,
    name: Options.optional(
      Flags.text("name", "NAME", "What people call it, at most 200 characters.").pipe(
        Options.mapEffect(Flags.checked("--name", settings.name))
      )
    ),
    maxConcurrency: Options.optional(
      Flags.whole("max-concurrency", "Calls under way at one time.", settings.max_concurrency)
    ),
    callsPerSecond: Options.optional(
      Flags.whole("calls-per-second", "Dials started in any one second.", settings.calls_per_second)
    ),
    countries: Flags.text("allow-country", "CC", "A country that may be called, or `all`.").pipe(
      Options.repeated,
      Options.mapEffect((texts) =>
        texts.length === 1 && texts[0] === "all"
          ? Effect.succeed<ReadonlyArray<string> | null>([])
          : Effect.map(Effect.forEach(texts, countryOf), (codes) => (codes.length === 0 ? null : codes))
      )
    ),
    costly: Options.optional(
      Flags.text(
        "costly-destinations",
        "ANSWER",
        "Whether premium-rate and satellite numbers may be called: yes or no."
      ).pipe(Options.mapEffect(Flags.oneOf("--costly-destinations", ["yes", "no"])))
    ),
    metadataKeys: keysOf.pipe(
      Options.mapEffect((keys) =>
        Flags.checked("--metadata-key", settings.indexed_metadata_keys)([...new Set(keys)])
      )
    ),
    recordingDays: days("keep-recordings", "recording_retention_days", "recordings are deleted"),
    transcriptDays: days("keep-transcripts", "transcript_retention_days", "transcripts are deleted"),
    callDays: days("keep-calls", "call_retention_days", "what is personal of a call is erased"),
    json: Flags.json
  },
  Effect.fnUntraced(function* ({
    callDays,
    callsPerSecond,
    costly,
    countries,
    json,
    maxConcurrency,
    metadataKeys,
    name,
    recordingDays,
    transcriptDays,
    workspace
  }) {
    const changed = yield* (yield* Workspaces).update(workspace, {
      ...given("name", name),
      ...given("max_concurrency", maxConcurrency),
      ...given("calls_per_second", callsPerSecond),
      ...given("recording_retention_days", recordingDays),
      ...given("transcript_retention_days", transcriptDays),
      ...given("call_retention_days", callDays),
      ...given(
        "allow_costly_destinations",
        Option.map(costly, (word) => word === "yes")
      ),
      ...(countries !== null && { allowed_countries: [...new Set(countries)] }),
      ...(metadataKeys.length > 0 && { indexed_metadata_keys: metadataKeys })
    })
    yield* result(json, encode(changed), () =>
      pairs(columns.map(({ title, value }) => [title, value(changed)] as const))
    )
  }, Effect.provide(Administration.layer))
)

const list = command(
  "list",
  { about: "Lists all workspaces, newest first.", examples: ["outdial workspace list"] },
  { json: Flags.json },
  Effect.fnUntraced(function* ({ json }) {
    const workspaces = yield* all((yield* Workspaces).list)
    yield* result(json, { data: workspaces.map((workspace) => encode(workspace)) }, (width) =>
      workspaces.length === 0 ? "There is no workspace yet." : table(columns, workspaces, width)
    )
  }, Effect.provide(Administration.layer))
)

const toolSecret = command(
  "tool-secret",
  {
    about:
      "Prints what requests to the agents' own tools are signed with.\nA tool verifies by it that the platform has sent a request.",
    examples: [
      "outdial workspace tool-secret --workspace ws_01",
      "outdial workspace tool-secret --workspace ws_01 --rotate"
    ]
  },
  {
    workspace: Flags.workspace,
    rotate: Flags.flag("rotate", "Makes a new one first; the one before signs beside it for 24 hours."),
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ json, rotate, workspace }) {
    const { rotateToolSecret, toolSecret } = yield* Workspaces
    const found = yield* rotate ? rotateToolSecret(workspace) : toolSecret(workspace)
    yield* result(
      json,
      { customer_id: workspace, ...Schema.encodeSync(ToolSecret)(found) },
      () => found.secret
    )
  }, Effect.provide(Administration.layer))
)

export const workspace = group(
  "workspace",
  {
    about:
      "Makes, changes and lists workspaces, the tenants of the platform, and tells the secret of their tools."
  },
  [create, update, list, toolSecret]
)
