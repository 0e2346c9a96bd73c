import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Data, Effect, Exit, Option } from "effect"
import * as Faults from "./Faults.ts"
import * as Presets from "./Presets.ts"
import * as Scenario from "./Scenario.ts"
import * as TalkFaults from "./talks/Faults.ts"
import * as TalkPresets from "./talks/Presets.ts"
import * as TalkScenario from "./talks/Scenario.ts"
import { breached, table } from "./Verdict.ts"

/** A promise was broken, or a planted fault was not found. */
class Refuted extends Data.TaggedError("Refuted")<{ readonly message: string }> {}

const print = (text: string) => process.stdout.write(`${text}\n`)
const say = (line: string) => print(`  ${line}`)

const done = (outcome: Scenario.Outcome) =>
  Object.entries(outcome.done)
    .map(([what, count]) => `${count} × ${what}`)
    .join(", ")

interface Flags {
  readonly seed: number
  readonly short: boolean
  readonly kills: Option.Option<number>
  readonly recipients: Option.Option<number>
  readonly calls: Option.Option<number>
  readonly processes: Option.Option<number>
}

const torture = Effect.fnUntraced(function* (store: Scenario.Scenario["store"], flags: Flags) {
  const preset = (flags.short ? Presets.short : Presets.full)[store]
  const kills = Option.getOrElse(flags.kills, () => preset.plan.kills)
  const scenario: Scenario.Scenario = {
    ...preset,
    recipients: Option.getOrElse(flags.recipients, () => preset.recipients),
    calls: Option.getOrElse(flags.calls, () => preset.calls),
    processes: Option.getOrElse(flags.processes, () => preset.processes),
    plan: { ...preset.plan, kills },
    seed: flags.seed,
    patches: [],
    say
  }
  if (store === "sqlite" && scenario.processes > 1) {
    return yield* new Refuted({ message: "a SQLite file has one process" })
  }
  print(
    `\n${store}, ${scenario.processes} process(es), ${scenario.recipients} recipients, ${scenario.calls} calls, ` +
      `${kills} kills, seed ${flags.seed}`
  )
  const outcome = yield* Scenario.run(scenario)
  print(table(outcome.findings))
  print(
    `  ${done(outcome)}; ${outcome.dials} dials, ${outcome.events} deliveries, ${outcome.seconds.toFixed(0)} s`
  )
  if (outcome.hung > 0) say(`${outcome.hung} server(s) hung at their start, and were started again`)
  const broken = breached(outcome.findings)
  if (broken.length === 0) return
  print(`  the ledgers are in ${outcome.folder}`)
  return yield* new Refuted({ message: `${broken.length} promise(s) broken on ${store}, seed ${flags.seed}` })
})

const talks = Effect.fnUntraced(function* (store: TalkScenario.Scenario["store"], { seed, short }: Flags) {
  const preset = short ? { ...TalkPresets.short, store } : TalkPresets.full[store]
  print(
    `\n${store}, ${preset.processes} process(es), ${preset.talks} talks, ${preset.kills} kills, seed ${seed}`
  )
  const { drops, findings, kills, seconds, uses } = yield* TalkScenario.run({
    ...preset,
    seed,
    patches: [],
    say
  })
  print(table(findings))
  print(`  ${kills} × Kill; ${drops} connections broke, ${uses} uses of tools, ${seconds.toFixed(0)} s`)
  const broken = breached(findings)
  if (broken.length === 0) return
  return yield* new Refuted({
    message: `${broken.length} promise(s) broken in talks on ${store}, seed ${seed}`
  })
})

const findInTalks = Effect.fnUntraced(function* (fault: TalkFaults.Fault, seed: number) {
  for (let nth = 0; nth < seeds; nth++) {
    const { findings, seconds } = yield* TalkScenario.run(
      TalkFaults.scenarioOf(fault, seed + nth, () => undefined)
    )
    const caught = breached(findings).find(({ promise }) => fault.breaks.includes(promise))
    if (caught === undefined) continue
    print(
      `  caught  ${fault.name.padEnd(70)} ${caught.promise} (seed ${seed + nth}, ${seconds.toFixed(0)} s)`
    )
    return true
  }
  print(`  MISSED  ${fault.name}`)
  return false
})

/** Seeds that are tried before a fault counts as not found. */
const seeds = 3

/** What shows a fault has to be harmless without it. */
const harmless = Effect.fnUntraced(function* (fault: Faults.Fault, seed: number) {
  const control = Faults.controlOf(fault, seed, () => undefined)
  if (control === undefined) return true
  const ran = yield* Effect.exit(Scenario.run(control))
  if (Exit.isFailure(ran)) {
    print(`  NO TEST ${fault.name}: without the fault, ${Cause.pretty(ran.cause).split("\n")[0]}`)
    return false
  }
  const { findings, seconds } = ran.value
  const broken = breached(findings).map(({ promise }) => promise)
  const naps = ran.value.done["Nap"] ?? 0
  if (broken.length > 0 || naps !== control.naps?.times) {
    print(
      `  NO TEST ${fault.name}: without the fault, ${naps} naps, ${broken.join(", ") || "nothing"} broken`
    )
    return false
  }
  print(
    `  kept    ${"the same without the next fault".padEnd(70)} every promise, ${naps} naps ` +
      `(seed ${seed}, ${seconds.toFixed(0)} s)`
  )
  return true
})

const find = Effect.fnUntraced(function* (fault: Faults.Fault, seed: number) {
  if (!(yield* harmless(fault, seed))) return false
  for (let nth = 0; nth < seeds; nth++) {
    const scenario = Faults.scenarioOf(fault, seed + nth, () => undefined)
    const ran = yield* Effect.exit(Scenario.run(scenario))
    if (Exit.isFailure(ran)) {
      print(`  no run  ${fault.name}: ${Cause.pretty(ran.cause).split("\n")[0]}`)
      continue
    }
    const outcome = ran.value
    const broken = breached(outcome.findings).map(({ promise }) => promise)
    const caught = broken.find((promise) => fault.breaks.includes(promise))
    yield* Effect.sync(() => Scenario.discard(outcome))
    if (caught !== undefined) {
      print(
        `  caught  ${fault.name.padEnd(70)} ${caught} (seed ${seed + nth}, ${outcome.seconds.toFixed(0)} s)`
      )
      return true
    }
    if (broken.length > 0)
      say(`        ${fault.name}: seed ${seed + nth} broke other promises: ${broken.join(", ")}`)
  }
  print(`  MISSED  ${fault.name}`)
  return false
})

const plantAll = Effect.fnUntraced(function* (seed: number, name: Option.Option<string>) {
  const isMeant = (fault: { readonly name: string }) => Option.isNone(name) || fault.name.includes(name.value)
  const some = Faults.faults.filter(isMeant)
  const ofTalks = TalkFaults.faults.filter(isMeant)
  print(`\n${some.length + ofTalks.length} planted faults, seed ${seed}`)
  const found = [
    ...(yield* Effect.forEach(some, (fault) => find(fault, seed))),
    ...(yield* Effect.forEach(ofTalks, (fault) => findInTalks(fault, seed)))
  ]
  const missed = found.filter((caught) => !caught).length
  if (missed > 0) return yield* new Refuted({ message: `${missed} planted fault(s) were not found` })
})

const count = (name: string, description: string) =>
  Options.integer(name).pipe(Options.withDescription(description), Options.optional)

const command = Command.make(
  "torture",
  {
    only: Options.choice("only", ["sqlite", "postgres", "talks", "faults"]).pipe(
      Options.withDescription("One part; all of them when not given."),
      Options.optional
    ),
    seed: Options.integer("seed").pipe(
      Options.withDescription("What chance begins with; another one each time when not given."),
      Options.optional
    ),
    short: Options.boolean("short").pipe(Options.withDescription("The form that `npm test` has time for.")),
    fault: Options.text("fault").pipe(
      Options.withDescription("Of the planted faults, those whose name has this in it."),
      Options.optional
    ),
    kills: count("kills", "How many processes are killed."),
    recipients: count("recipients", "Recipients of the campaign."),
    calls: count("calls", "Single calls."),
    processes: count("processes", "Server processes, on PostgreSQL.")
  },
  Effect.fnUntraced(function* ({ fault, only, ...flags }) {
    const seed = Option.getOrElse(flags.seed, () => Math.floor(Math.random() * 1e9))
    print(`seed ${seed}`)
    const wanted = (part: string) => Option.isNone(only) || only.value === part
    const parts = [
      ...(["sqlite", "postgres"] as const).filter(wanted).map((store) => torture(store, { ...flags, seed })),
      ...(wanted("talks")
        ? [talks("sqlite", { ...flags, seed }), talks("postgres", { ...flags, seed })]
        : []),
      ...(wanted("faults") ? [plantAll(seed, fault)] : [])
    ]
    const verdicts = yield* Effect.forEach(parts, (part) => Effect.either(part))
    const refuted = verdicts.flatMap((verdict) => (verdict._tag === "Left" ? [verdict.left.message] : []))
    print(refuted.length === 0 ? "\nEvery promise was kept." : `\n${refuted.join("\n")}`)
    if (refuted.length > 0) process.exitCode = 1
  })
).pipe(
  Command.withDescription(
    "Kills, freezes and cuts off what it can while calls are made, and judges by what the carrier and the receiver of webhooks have on their disks."
  )
)

Command.run(command, { name: "torture", version: "1" })(process.argv).pipe(
  Effect.provide(NodeContext.layer),
  NodeRuntime.runMain
)
