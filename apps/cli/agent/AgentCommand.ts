import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { AgentRecord, AgentVersion } from "../../../core/model/agents/Agent.ts"
import { command, group } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { all } from "../command/Pages.ts"
import * as Connection from "../rest/Connection.ts"
import * as Listing from "../rest/Listing.ts"
import { Rest } from "../rest/Rest.ts"
import { note, verbatim } from "../terminal/Output.ts"
import * as Agent from "./Agent.ts"
import * as Draft from "./Draft.ts"

const VersionNumber = Schema.Int.pipe(Schema.filter((n) => n >= 1 || "must be a version's number, from 1"))

/** `--version` tells the version of the program. */
const number = (about: string) => Options.optional(Flags.whole("number", about, VersionNumber))

const list = command(
  "list",
  {
    about: "Lists the workspace's agents, newest first.",
    examples: ["outdial agent list", "outdial agent list --published yes"]
  },
  {
    published: Flags.text(
      "published",
      "WHICH",
      "Only those that are published (yes), or only the others (no)."
    ).pipe(Options.mapEffect(Flags.oneOf("--published", ["yes", "no"])), Options.optional),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ json, published }) {
    const wanted = Option.map(published, (word) => String(word === "yes"))
    const agents = yield* all(
      Listing.pages(AgentRecord, Agent.path, { published: Option.getOrUndefined(wanted) })
    )
    yield* Listing.show(json, agents, Agent.columns, "There is no such agent.")
  }, Connection.provide)
)

const show = command(
  "show",
  {
    about: "Shows an agent as it stands, or one of its versions.",
    examples: ["outdial agent show agent_01", "outdial agent show agent_01 --number 2 --json"]
  },
  {
    id: Agent.id,
    number: number("The number of a version, to see it as it was published."),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ id, json, number }) {
    const { ask } = yield* Rest
    if (Option.isSome(number)) {
      const found = yield* ask(AgentVersion, "GET", `${Agent.pathOf(id)}/versions/${number.value}`)
      return yield* verbatim(json, found.text, () => Agent.versionDescribed(found.value))
    }
    const found = yield* ask(AgentRecord, "GET", Agent.pathOf(id))
    return yield* verbatim(json, found.text, () => Agent.described(found.value))
  }, Connection.provide)
)

const create = command(
  "create",
  {
    about: "Makes an agent. Calls talk with it once it is published.",
    examples: [
      'outdial agent create --name Visits --prompt "You confirm the visit of {{name}}."',
      "outdial agent create --file agent.json",
      "outdial agent create --name Visits --prompt-file prompt.txt --tools tools.json --questions questions.json"
    ]
  },
  { ...Draft.options, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* (given) {
    const made = yield* (yield* Rest).ask(AgentRecord, "POST", Agent.path, yield* Draft.bodyOf(given))
    yield* verbatim(given.json, made.text, () => Agent.described(made.value))
    if (!given.json) yield* note(`\nNext: outdial agent publish ${made.value.id}`)
  }, Connection.provide)
)

const update = command(
  "update",
  {
    about:
      "Changes what is given of an agent. Calls go on to talk with the version that was published last, until it is published again.",
    examples: [
      'outdial agent update agent_01 --voicemail-message "Please call us back."',
      'outdial agent update agent_01 --interruptible speech --transfer "+14155550100=Front desk"',
      "outdial agent update agent_01 --file agent.json"
    ]
  },
  { id: Agent.id, ...Draft.options, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ id, ...given }) {
    const { ask } = yield* Rest
    const before = yield* ask(AgentRecord, "GET", Agent.pathOf(id))
    const body = yield* Draft.bodyOf(given, { ...before.value })
    const changed = yield* ask(AgentRecord, "PATCH", Agent.pathOf(id), body)
    yield* verbatim(given.json, changed.text, () => Agent.described(changed.value))
  }, Connection.provide)
)

const publish = command(
  "publish",
  {
    about:
      "Makes the agent as it stands its next version, or goes back to an older one, for calls from now on.",
    examples: ["outdial agent publish agent_01", "outdial agent publish agent_01 --number 1"]
  },
  {
    id: Agent.id,
    number: number(
      "The number of an older version, which calls talk with again; the agent itself stays as it is."
    ),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ id, json, number }) {
    const older = Option.match(number, { onNone: () => "", onSome: (n) => `/versions/${n}` })
    const told = yield* (yield* Rest).ask(AgentRecord, "POST", `${Agent.pathOf(id)}${older}/publish`)
    yield* verbatim(json, told.text, () => `Agent ${id}: ${Agent.standing(told.value)}.`)
  }, Connection.provide)
)

const unpublish = command(
  "unpublish",
  {
    about: "Takes an agent back. Calls that are dialled with it from now on fail.",
    examples: ["outdial agent unpublish agent_01"]
  },
  { id: Agent.id, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ id, json }) {
    const told = yield* (yield* Rest).ask(AgentRecord, "POST", `${Agent.pathOf(id)}/unpublish`)
    yield* verbatim(json, told.text, () => `Agent ${id}: ${Agent.standing(told.value)}.`)
  }, Connection.provide)
)

const versions = command(
  "versions",
  {
    about: "Lists what was published of an agent, newest first.",
    examples: ["outdial agent versions agent_01"]
  },
  { id: Agent.id, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ id, json }) {
    const found = yield* all(Listing.pages(AgentVersion, `${Agent.pathOf(id)}/versions`))
    yield* Listing.show(json, found, Agent.versionColumns, "Nothing of it was published.")
  }, Connection.provide)
)

export const agent = group(
  "agent",
  {
    about:
      "Makes, changes and publishes agents on a server, over its REST interface, with the API key of OUTDIAL_API_KEY."
  },
  [list, show, create, update, publish, unpublish, versions]
)
