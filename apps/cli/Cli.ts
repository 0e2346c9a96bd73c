import { Cause, Console, Effect } from "effect"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as ValidationError from "@effect/cli/ValidationError"
import { sentence } from "../platform/Explain.ts"
import * as Credits from "./administration/CreditsCommand.ts"
import * as Key from "./administration/KeyCommand.ts"
import * as Token from "./administration/TokenCommand.ts"
import * as Workspace from "./administration/WorkspaceCommand.ts"
import * as Campaign from "./campaign/CampaignCommand.ts"
import { carrier } from "./CarrierCommand.ts"
import { doctor } from "./doctor/DoctorCommand.ts"
import * as Help from "./Help.ts"
import { migrateStore } from "./migrate/MigrateStoreCommand.ts"
import { serve } from "./ServeCommand.ts"
import { simulate } from "./simulate/SimulateCommand.ts"
import * as Suite from "./suite/SuiteCommand.ts"
import { Unhealthy } from "./terminal/Failure.ts"
import * as Flags from "./terminal/Flags.ts"
import { note, Output } from "./terminal/Output.ts"

const name = "outdial"
const version = "0.1.0"

const outdial = Command.make(name).pipe(
  Command.withDescription(
    Flags.describe(
      "Administers Outdial: what the REST interface leaves out. It works on the server's own store (OUTDIAL_DATABASE_URL, sqlite:outdial.db when not set), while the server runs or not.\nThe campaign and suite commands use the REST interface of a running server (OUTDIAL_URL, http://127.0.0.1:8080/v0 when not set) with an API key (OUTDIAL_API_KEY).\nIn a checkout of the sources `outdial` is `npm run outdial --`, or `npm run --silent outdial --` where its output is read.",
      "outdial doctor",
      'outdial workspace create --name "Acme"',
      "outdial key create --workspace ws_01 --name backend",
      "outdial credits add --workspace ws_01 1000",
      "outdial campaign watch camp_01",
      "outdial suite run suite_01 --junit agent-tests.xml",
      "outdial simulate campaign.json --recipients customers.csv",
      "outdial workspace list --json"
    )
  ),
  Command.withSubcommands([
    serve,
    Workspace.workspace,
    Key.key,
    Credits.credits,
    Token.token,
    Campaign.campaign,
    Suite.suite,
    simulate,
    doctor,
    migrateStore,
    carrier
  ])
)

const app = { name, version, executable: name }
const runCommand = Command.run(outdial, app)

/** The same commands for those who ask for help, in the order in which one meets them. */
export const root = Help.node(outdial, [
  Help.node(serve),
  Help.node(Workspace.workspace, [Help.node(Workspace.create), Help.node(Workspace.list)]),
  Help.node(Key.key, [Help.node(Key.create), Help.node(Key.list), Help.node(Key.revoke)]),
  Help.node(Credits.credits, [Help.node(Credits.add), Help.node(Credits.show)]),
  Help.node(Token.token, [Help.node(Token.create)]),
  Help.node(Campaign.campaign, [
    Help.node(Campaign.list),
    Help.node(Campaign.show),
    Help.node(Campaign.create),
    Help.node(Campaign.importFile),
    Help.node(Campaign.start),
    Help.node(Campaign.pause),
    Help.node(Campaign.cancel),
    Help.node(Campaign.watch),
    Help.node(Campaign.exportResults)
  ]),
  Help.node(Suite.suite, [
    Help.node(Suite.generate),
    Help.node(Suite.list),
    Help.node(Suite.show),
    Help.node(Suite.run),
    Help.node(Suite.result),
    Help.node(Suite.runs)
  ]),
  Help.node(simulate),
  Help.node(doctor),
  Help.node(migrateStore),
  Help.node(carrier)
])

const usageError = 2

const reword = (error: ValidationError.ValidationError): string =>
  Help.plain(error.error)
    .replace(/^Expected to find option: '(.*)'$/, "$1 is required")
    .replace(/^Missing argument <(.*)>$/, "$1 is required")
    .replace(/^Received unknown argument: '(.*)'$/, "there is no argument '$1'")
    .replace(/^'(.*)' is not an? (?:integer|float)$/, "'$1' is not a number")
    .replace(
      /^The flag '(.*)' is not recognized\. Did you mean '(.*)'\?$/,
      "there is no $1; did you mean $2?"
    )

const say = (text: string) => note(`${name}: ${text}`)

const failed = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>, path: Help.Path) {
  if (Cause.isInterruptedOnly(cause)) return 130
  const error = Cause.squash(cause)
  if (error instanceof Unhealthy) return 1
  if (ValidationError.isValidationError(error)) {
    yield* say(`${reword(error)} (see ${Help.wordsOf(path)} --help)`)
    return usageError
  }
  yield* say(
    sentence(error) ?? `something unexpected went wrong\n${Cause.pretty(cause, { renderErrorCause: true })}`
  )
  return 1
})

/** The library's own complaints are told by `failed`, on one line. */
const quiet = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  const console = yield* Console.consoleWith(Effect.succeed)
  return yield* Effect.withConsole(work, {
    ...console,
    error: () => Effect.void,
    unsafe: { ...console.unsafe, error: () => undefined }
  })
})

/**
 * Runs one command line, the words after the program's name. Answers the exit code: 0 done, 1 failed, 2 not
 * understood.
 */
export const run = Effect.fn("Cli.run")(function* (args: ReadonlyArray<string>) {
  const output = yield* Output
  const words = args.includes("--") ? args.slice(0, args.indexOf("--")) : args
  const { path, unknown } = Help.find(root, words)
  if (words.includes("--help") || words.includes("-h") || args.length === 0) {
    yield* output.out(Help.render(path, output.columns))
    return 0
  }
  const { children } = Help.last(path)
  const group = path.slice(1).map(({ name }) => name)
  const choices = children.map(({ name }) => name).join(", ")
  if (unknown !== undefined) {
    yield* say(`there is no command '${[...group, unknown].join(" ")}'; there is: ${choices}`)
    return usageError
  }
  if (children.length > 0 && !words.some((word) => /^--(version|completions|wizard)\b/.test(word))) {
    yield* say(`a command is missing after '${Help.wordsOf(path)}'; there is: ${choices}`)
    return usageError
  }
  return yield* runCommand([process.execPath, name, ...args]).pipe(
    quiet,
    Effect.as(0),
    Effect.catchAllCause((cause) => failed(cause, path))
  )
})

export const config = CliConfig.layer({ showBuiltIns: false, isCaseSensitive: true })
