import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { Channel } from "../../../core/model/agents/Channel.ts"
import type { Mapping, Part } from "../../../core/model/messages/Parameters.ts"
import * as Flags from "../command/Flags.ts"

/** One `--map`: a slot of the template, and the variable that fills it. */
interface Filling {
  readonly part: Part
  readonly slot: string
  readonly variable: string
}

/** `body.1=First name`; what follows the first `=` is the variable, whatever it holds. */
const fillingOf = (text: string) => {
  const [, part, slot, variable] = /^(header|body|buttons)\.([^.=]+)=(.+)$/s.exec(text) ?? []
  return part === undefined || slot === undefined || variable === undefined
    ? Effect.fail(
        Flags.invalid("--map must be a part, its placeholder and a column, such as body.1=first_name")
      )
    : Effect.succeed<Filling>({ part: part as Part, slot, variable })
}

export const channel = Flags.text(
  "channel",
  "CHANNEL",
  "How recipients are reached: voice calls them (the default); msg sends a template."
).pipe(Options.mapEffect(Flags.oneOf("--channel", Channel.literals)), Options.optional)

export const template = Options.optional(
  Flags.text("template", "ID", "The message template that it sends; with --channel msg.")
)

export const map = Flags.text(
  "map",
  "FILLING",
  "What fills a placeholder of the template: body.1=first_name, header.link=photo, buttons.0=code (a button's " +
    "position, from 0); once for each."
).pipe(
  Options.repeated,
  Options.mapEffect((texts) => Effect.forEach(texts, fillingOf))
)

const mappingOf = (fillings: ReadonlyArray<Filling>): Mapping => {
  const mapping: { [part in Part]?: Record<string, string> } = {}
  for (const { part, slot, variable } of fillings) {
    mapping[part] = { ...mapping[part], [slot]: variable }
  }
  return mapping
}

const repeated = (fillings: ReadonlyArray<Filling>) =>
  fillings.find(
    ({ part, slot }, i) => fillings.findIndex((other) => other.part === part && other.slot === slot) < i
  )

/** The part of a campaign's body that names its channel, and the template that is sent there. */
export const bodyOf = (given: {
  readonly channel: Option.Option<Channel>
  readonly template: Option.Option<string>
  readonly map: ReadonlyArray<Filling>
}) => {
  const channel = Option.getOrUndefined(given.channel)
  const id = Option.getOrUndefined(given.template)
  if (channel === "msg" && id === undefined)
    return Effect.fail(Flags.invalid("--channel msg needs --template"))
  if (channel !== "msg" && id !== undefined)
    return Effect.fail(Flags.invalid("--template needs --channel msg"))
  if (id === undefined && given.map.length > 0) return Effect.fail(Flags.invalid("--map needs --template"))
  const twice = repeated(given.map)
  if (twice !== undefined) {
    return Effect.fail(Flags.invalid(`--map names ${twice.part}.${twice.slot} more than once`))
  }
  return Effect.succeed({
    channel,
    template:
      id === undefined
        ? undefined
        : { id, variables: given.map.length === 0 ? undefined : mappingOf(given.map) }
  })
}
