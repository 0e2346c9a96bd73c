import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { PhoneNumber } from "../../../core/model/numbers/PhoneNumber.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { Workspace } from "../../../core/model/workspaces/Workspace.ts"
import { Agents } from "../../../core/usecases/Agents.ts"
import { Credits } from "../../../core/usecases/Credits.ts"
import { PhoneNumbers } from "../../../core/usecases/PhoneNumbers.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import { carrierName, madeUpNumber } from "../../platform/Providers.ts"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { note, result } from "../terminal/Output.ts"
import { pairs } from "../terminal/Table.ts"
import * as Administration from "./Administration.ts"

const prompt =
  "You call {{name}}. Say who you are, ask how you can help, be brief and friendly, and say goodbye."

const AmountOfCredits = Schema.Int.pipe(Schema.between(0, 1_000_000_000))

/** Sets up a workspace, in the server's own store. */
export const init = command(
  "init",
  {
    about:
      "Sets up a workspace that can call at once.\nIt has a published agent, a phone number, credits and an API key. With a carrier that is not simulated, --number has to name a number of its account.\nThe key alone goes to stdout, this once, what is said about it to stderr.",
    examples: ["outdial init", "outdial init --name Acme --number +14155550100"]
  },
  {
    name: Flags.text(
      "name",
      "NAME",
      "What people call the workspace, at most 200 characters; First workspace when not given."
    ).pipe(
      Options.mapEffect(Flags.checked("--name", Workspace.fields.name)),
      Options.withDefault("First workspace")
    ),
    number: Options.optional(
      Flags.text(
        "number",
        "NUMBER",
        "The number to dial from, in E.164 form: one of the carrier's account. The simulated carrier takes any, and needs none to be given."
      ).pipe(Options.mapEffect(Flags.checked("--number", PhoneNumber.fields.number)))
    ),
    credits: Flags.whole("credits", "Credits to begin with; 1000 when not given.", AmountOfCredits).pipe(
      Options.withDefault(1_000)
    ),
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ credits, json, name, number }) {
    const carrier = yield* carrierName
    const workspaces = yield* Workspaces
    const agents = yield* Agents
    const { id } = yield* workspaces.create({ name })
    const agent = yield* agents.create(id, {
      name: "First agent",
      channel: "voice",
      prompt,
      first_message: "Hello {{name}}.",
      voice: "default",
      language: "en-US",
      idle_timeout_warning: 10,
      idle_timeout_end: 30,
      max_call_length: 600
    })
    yield* agents.update(id, agent.id, { published: true })
    const standard = carrier === "simulated" ? Option.some(madeUpNumber) : Option.none()
    const from = Option.orElse(number, () => standard)
    const added = Option.isNone(from)
      ? null
      : yield* (yield* PhoneNumbers).add(id, { number: from.value, label: null })
    if (credits > 0) yield* (yield* Credits).topUp(id, credits, "init")
    const { key } = yield* workspaces.createKey(id, { name: "init", scopes: allScopes })
    if (!json) {
      yield* note(
        `${pairs([
          ["WORKSPACE", id],
          ["AGENT", agent.id],
          ["PHONE NUMBER", added === null ? "none yet: outdial number add +…" : added.id],
          ["CREDITS", credits]
        ])}\n`
      )
      yield* note("Its API key, shown this once; it goes into the X-API-KEY header:")
    }
    const made = { workspace_id: id, agent_id: agent.id, phone_number_id: added?.id ?? null, credits, key }
    yield* result(json, made, () => key)
    if (json) return
    const to = carrier === "simulated" ? "+14155550123" : "+…"
    yield* note(
      `\nNext, with the server running and the key in OUTDIAL_API_KEY:\n  outdial call place ${to} --agent ${agent.id} --watch`
    )
  }, Effect.provide(Administration.layer))
)
