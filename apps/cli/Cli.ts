import { Cause, Console, Effect } from "effect"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Parser from "@effect/cli/Command"
import * as ValidationError from "@effect/cli/ValidationError"
import { version } from "../../core/model/Version.ts"
import { sentence } from "../platform/Explain.ts"
import { credits } from "./administration/CreditsCommand.ts"
import { init } from "./administration/InitCommand.ts"
import { key } from "./administration/KeyCommand.ts"
import { token } from "./administration/TokenCommand.ts"
import { workspace } from "./administration/WorkspaceCommand.ts"
import { agent } from "./agent/AgentCommand.ts"
import { call } from "./call/CallCommand.ts"
import { campaign } from "./campaign/CampaignCommand.ts"
import { find, group, last, type Path, wordsOf } from "./command/Command.ts"
import * as Completions from "./command/Completions.ts"
import * as Help from "./command/Help.ts"
import { doctor } from "./doctor/DoctorCommand.ts"
import { migrateStore } from "./migrate/MigrateStoreCommand.ts"
import { carrier } from "./processes/CarrierCommand.ts"
import { serve } from "./processes/ServeCommand.ts"
import { simulate } from "./simulate/SimulateCommand.ts"
import { suite } from "./suite/SuiteCommand.ts"
import { recipient } from "./recipient/RecipientCommand.ts"
import { template } from "./template/TemplateCommand.ts"
import { audit } from "./tenant/AuditCommand.ts"
import { events } from "./tenant/EventsCommand.ts"
import { number } from "./tenant/NumberCommand.ts"
import { people } from "./tenant/PeopleCommand.ts"
import { usage } from "./tenant/UsageCommand.ts"
import { Unhealthy } from "./terminal/Failure.ts"
import { note, Output } from "./terminal/Output.ts"
import { webhook } from "./webhook/WebhookCommand.ts"

const name = "outdial"

/** The whole tree of commands. */
export const root = group(
  name,
  {
    about:
      "Administers Outdial: what the REST interface leaves out. It works on the server's own store (OUTDIAL_DATABASE_URL, sqlite:outdial.db when not set), while the server runs or not.\nThe commands from agent to audit use the REST interface of a running server (OUTDIAL_URL, http://127.0.0.1:8080/v0 when not set) with an API key (OUTDIAL_API_KEY).\nIn a checkout of the sources `outdial` is `npm run outdial --`, or `npm run --silent outdial --` where its output is read.",
    examples: [
      "outdial init --name Acme --number +14155550100",
      "outdial doctor",
      'outdial workspace create --name "Acme"',
      "outdial key create --workspace ws_01 --name backend",
      "outdial credits add --workspace ws_01 1000",
      "outdial agent publish agent_01",
      "outdial call place +14155550123 --agent agent_01 --watch",
      "outdial campaign watch camp_01",
      "outdial suite run suite_01 --junit agent-tests.xml",
      "outdial webhook listen",
      "outdial simulate campaign.json --recipients customers.csv",
      "outdial workspace list --json"
    ]
  },
  [
    serve,
    init,
    workspace,
    key,
    credits,
    token,
    agent,
    number,
    call,
    campaign,
    recipient,
    template,
    suite,
    webhook,
    events,
    usage,
    people,
    audit,
    simulate,
    doctor,
    migrateStore,
    carrier
  ]
)

const parse = Parser.run(root.parser, { name, version, executable: name })

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

const failed = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>, path: Path) {
  if (Cause.isInterruptedOnly(cause)) return 130
  const error = Cause.squash(cause)
  if (error instanceof Unhealthy) return 1
  if (ValidationError.isValidationError(error)) {
    yield* say(`${reword(error)} (see ${wordsOf(path)} --help)`)
    return usageError
  }
  yield* say(
    sentence(error) ?? `something unexpected went wrong\n${Cause.pretty(cause, { renderErrorCause: true })}`
  )
  return 1
})

/** Keeps the library from printing its complaints: `failed` prints them, on one line. */
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
  const { path, unknown } = find(root, words)
  if (words[0] === "--completions") {
    const shell = Completions.shells.find((each) => each === words[1])
    if (shell !== undefined) return yield* Effect.as(output.out(Completions.render(shell, root)), 0)
    yield* say(`--completions must be one of ${Completions.shells.join(", ")}`)
    return usageError
  }
  if (words.includes("--help") || words.includes("-h") || args.length === 0) {
    yield* output.out(Help.render(path, output.columns))
    return 0
  }
  const { children } = last(path)
  const names = path.slice(1).map(({ name }) => name)
  const choices = children.map(({ name }) => name).join(", ")
  if (unknown !== undefined) {
    yield* say(`there is no command '${[...names, unknown].join(" ")}'; there is: ${choices}`)
    return usageError
  }
  if (children.length > 0 && !words.some((word) => /^--version\b/.test(word))) {
    yield* say(`a command is missing after '${wordsOf(path)}'; there is: ${choices}`)
    return usageError
  }
  return yield* parse([process.execPath, name, ...args]).pipe(
    Effect.withSpan(["cli", ...names].join(".")),
    quiet,
    Effect.as(0),
    Effect.catchAllCause((cause) => failed(cause, path))
  )
})

export const config = CliConfig.layer({ showBuiltIns: false, isCaseSensitive: true })
