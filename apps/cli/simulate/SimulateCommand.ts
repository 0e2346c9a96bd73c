import { Clock, Effect, Either, Layer, Option, Stream } from "effect"
import * as Options from "@effect/cli/Options"
import * as Zones from "../../../adapters/numbering/NumberZones.ts"
import * as TableReader from "../../../adapters/tables/TableReader.ts"
import { joined } from "../../../core/model/calls/CallingWindow.ts"
import { isoTimestamp } from "../../../core/model/Codecs.ts"
import { describe, type Issue } from "../../../core/model/Issues.ts"
import { defaultModel, type PartialModel } from "../../../core/model/simulation/CalleeModel.ts"
import { chartOf } from "../../../core/model/simulation/Chart.ts"
import { Callees } from "../../../core/model/simulation/Learned.ts"
import { beatFor, type Person, type Plan, type Run } from "../../../core/model/simulation/Plan.ts"
import { simulationOf, toJson } from "../../../core/model/simulation/Simulation.ts"
import {
  FirstSeed,
  modelFromJson,
  Seeds,
  seedsFrom,
  standardSeeds
} from "../../../core/model/simulation/SimulationBody.ts"
import { NumberZones } from "../../../core/ports/NumberZones.ts"
import { Log } from "../../../core/simulation/Log.ts"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { count } from "../progress/Bar.ts"
import * as Live from "../progress/Live.ts"
import * as Connection from "../rest/Connection.ts"
import { Rest } from "../rest/Rest.ts"
import { CommandFailed } from "../terminal/Failure.ts"
import * as Files from "../terminal/Files.ts"
import { note, verbatim } from "../terminal/Output.ts"
import { type CampaignFile, campaignFromJson } from "./CampaignFile.ts"
import { type People, peopleOf } from "./People.ts"
import { report } from "./Report.ts"

/** Rejected rows that are shown. */
const shownErrors = 5
/** Counting a million calls takes a while. */
const patience = "2 minutes"
/** Source: contract, "Limits", max_call_length. */
const longestCall = 3_600

const file = (name: string, description: string) => Flags.text(name, "FILE", description)

const options = {
  campaign: Flags.argument(
    "FILE",
    "The campaign as JSON: the body of POST /campaigns, and its workspace's limits as `workspace`."
  ),
  recipients: file(
    "recipients",
    "The recipients: a CSV file or an .xlsx spreadsheet, as for an import."
  ).pipe(
    Options.repeated,
    Options.mapEffect((files) =>
      files.length === 0 ? Effect.fail(Flags.invalid("--recipients is required")) : Effect.succeed(files)
    )
  ),
  model: Options.optional(
    file("model", "How callees behave, as JSON; what it leaves out is assumed, or learned.")
  ),
  learn: Options.optional(
    Flags.text(
      "learn",
      "CAMPAIGN",
      "Learns how callees behave from the calls of this campaign, which the server has; `all`: of all its calls."
    )
  ),
  since: Options.optional(
    Flags.time("since", "Learns from calls begun since then; from all when not given.")
  ),
  url: Connection.url,
  seeds: Flags.whole(
    "seeds",
    `How often it is played, 1 to 100; ${standardSeeds} when not given.`,
    Seeds
  ).pipe(Options.withDefault(standardSeeds)),
  seed: Flags.whole(
    "seed",
    "The first seed; 1 when not given. The same seed plays the same.",
    FirstSeed
  ).pipe(Options.withDefault(1)),
  startsAt: Options.optional(
    Flags.time("starts-at", "When it starts, such as 2027-02-03T09:00:00Z; when it is scheduled, or now.")
  ),
  svg: Options.optional(file("svg", "Where a chart is written.")),
  json: Flags.json
}

/** Reads a JSON file; the error names what is wrong with it. */
const readJson = <A>(path: string, read: (text: string) => Either.Either<A, ReadonlyArray<Issue>>) =>
  Effect.flatMap(Files.textOf(path), (text) =>
    Either.mapLeft(
      read(text),
      (issues) => new CommandFailed({ message: `${path}: ${issues.map(describe).join("; ")}` })
    )
  )

const tellOf = Effect.fnUntraced(function* ({ errors }: People) {
  if (errors.length === 0) return
  yield* note(`${count(errors.length)} ${errors.length === 1 ? "row is" : "rows are"} left out:`)
  for (const { error, path, row } of errors.slice(0, shownErrors))
    yield* note(`  ${path}, row ${row}: ${error}`)
  if (errors.length > shownErrors) yield* note(`  and ${count(errors.length - shownErrors)} more`)
})

/** A campaign may ask for the zones of its recipients' numbers. */
const inZones = Effect.fnUntraced(function* ({ draft }: CampaignFile, read: People) {
  if (draft.recipient_timezone === null) return read
  const zonesOf = yield* (yield* NumberZones).table
  const zoneOf = ({ phone_number, timezone }: Person) => timezone ?? joined(zonesOf(phone_number))
  return { ...read, people: read.people.map((person) => ({ ...person, timezone: zoneOf(person) })) }
}, Effect.provide(Zones.layer))

const planOf = (
  { draft, workspace }: CampaignFile,
  { known, people }: People,
  starts_at: number,
  callees: Pick<Plan, "model" | "learned">
): Plan => ({
  starts_at,
  beat_seconds: beatFor(people.length),
  ...callees,
  workspace: {
    max_concurrency: workspace.max_concurrency,
    calls_per_second: workspace.calls_per_second,
    allowed_countries: workspace.allowed_countries,
    allow_costly_destinations: workspace.allow_costly_destinations
  },
  credits: workspace.credits,
  price_per_minute: workspace.price_per_minute,
  max_call_length: longestCall,
  campaign: {
    call_config: draft.call_config,
    max_concurrency: draft.max_concurrency,
    failure_breaker: null,
    calls_per_minute: draft.calls_per_minute,
    skip_public_holidays: draft.skip_public_holidays
  },
  people,
  do_not_call: workspace.do_not_call.filter((number) => known.has(number))
})

/** What the server's calls say of callees. */
const learnedFrom = (learn: string, since: Option.Option<number>, url: Option.Option<string>) => {
  const query = new URLSearchParams()
  if (learn !== "all") query.set("campaign_id", learn)
  if (Option.isSome(since)) query.set("since", isoTimestamp(since.value))
  const asked = Effect.flatMap(Rest, (rest) =>
    rest.ask(Callees, "GET", `/callees?${query}`, undefined, patience)
  )
  return Effect.map(Connection.provide(asked, { url }), ({ value }) => value)
}

/** How callees behave: as is given, as is learned, or as is assumed. */
const calleesOf = Effect.fnUntraced(function* (
  given: PartialModel,
  learn: Option.Option<string>,
  since: Option.Option<number>,
  url: Option.Option<string>
) {
  if (Option.isNone(learn)) return { model: { ...defaultModel, ...given }, learned: null }
  const { learned, model } = yield* learnedFrom(learn.value, since, url)
  return { model: { ...model, ...given }, learned: { by: learned, given } }
})

/** Plays all seeds, one after the other, and draws how far that is. */
const played = Effect.fnUntraced(function* (plan: Plan, seeds: ReadonlyArray<number>) {
  const { play } = yield* Effect.promise(() => import("../../simulation/Engine.ts"))
  const runs: Array<Run> = []
  const people = plan.people.length
  let log = new Log(plan.starts_at)
  const bar = () => ({
    label: "Simulating",
    done: runs.length * people + log.dialled,
    total: seeds.length * people,
    facts: [`seed ${Math.min(runs.length + 1, seeds.length)} of ${seeds.length}`]
  })
  yield* Live.during(
    bar,
    Effect.forEach(
      seeds,
      (seed) =>
        Effect.suspend(() => {
          log = new Log(plan.starts_at)
          return Effect.map(play(plan, seed, log), (run) => runs.push(run))
        }),
      { discard: true }
    )
  )
  return runs
})

export const simulate = command(
  "simulate",
  {
    about:
      "Plays a campaign in virtual time, before it is started. It tells when the campaign would be done, how many recipients it would reach, how many calls there would be at one time, and what it would cost. It needs no server, but to learn from one, and places no call.\nCallees answer by chance, at the rates of a model. Each seed is one run; the same seed gives the same run. Without --model and --learn the rates are assumed: give those of your own calls, or have them learned from a campaign of a running server; each seed then has callees as they may be by what is known of them.",
    examples: [
      "outdial simulate campaign.json --recipients customers.csv",
      "outdial simulate campaign.json --recipients customers.csv --seeds 20 --svg chart.svg",
      "outdial simulate campaign.json --recipients customers.csv --model model.json --json",
      "outdial simulate campaign.json --recipients customers.csv --learn camp_…"
    ]
  },
  options,
  Effect.fnUntraced(
    function* ({ campaign, json, learn, model, recipients, seed, seeds, since, startsAt, svg, url }) {
      const people = yield* peopleOf(recipients)
      const given = yield* readJson(campaign, campaignFromJson)
      const parts = Option.isNone(model) ? {} : yield* readJson(model.value, modelFromJson)
      const callees = yield* calleesOf(parts, learn, since, url)
      yield* tellOf(people)
      if (Option.isSome(svg)) yield* Files.prepare(svg.value)
      const now = yield* Clock.currentTimeMillis
      const starts_at = Option.getOrElse(startsAt, () => given.draft.scheduled_for ?? now)
      const plan = planOf(given, yield* inZones(given, people), starts_at, callees)
      const simulation = simulationOf(plan, yield* played(plan, seedsFrom(seed, seeds)))
      if (Option.isSome(svg)) {
        yield* Files.write(svg.value, Stream.encodeText(Stream.make(chartOf(simulation, given.draft.name))))
      }
      yield* verbatim(json, toJson(simulation), (width) => report(simulation, width))
    },
    Effect.provide(Layer.fresh(TableReader.layer))
  )
)
