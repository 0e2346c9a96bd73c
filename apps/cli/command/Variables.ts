import * as Options from "@effect/cli/Options"
import { Effect } from "effect"
import * as Flags from "./Flags.ts"

const entryOf = (name: string) => (text: string) => {
  const at = text.indexOf("=")
  return at < 1
    ? Effect.fail(Flags.invalid(`--${name} must be a name and a value, such as --${name} name=Ada`))
    : Effect.succeed([text.slice(0, at), text.slice(at + 1)] as const)
}

/** `--name NAME=VALUE`, as often as wanted. What follows the first `=` is the value, whatever it holds. */
export const pairs = (name: string, about: string) =>
  Flags.text(name, "NAME=VALUE", about).pipe(
    Options.repeated,
    Options.mapEffect(Effect.forEach(entryOf(name)))
  )

/** What fills the placeholders of the agent's prompt. */
export const variables = pairs(
  "variable",
  "What fills a placeholder of the agent's prompt, such as name=Ada. May be given again."
)
