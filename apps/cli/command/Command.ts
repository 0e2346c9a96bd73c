import * as Parser from "@effect/cli/Command"
import type { NodeContext } from "@effect/platform-node/NodeContext"
import type { Effect, Types } from "effect"
import type { Output } from "../terminal/Output.ts"

/** What every command may use. */
type Environment = Output | NodeContext

/** What help says of a command. */
interface About {
  /** What it does: paragraphs, between line breaks. The first sentence stands for it in lists. */
  readonly about: string
  readonly examples?: ReadonlyArray<string>
}

/** A command, or a group of commands: parsing and help both come from this one description. */
export interface Command extends Required<About> {
  readonly name: string
  /** Its arguments and options. */
  readonly config: Parser.Command.Config
  /** The commands of a group, in the order in which help lists them. */
  readonly children: ReadonlyArray<Command>
  readonly parser: Parser.Command<string, Environment, unknown, unknown>
}

type Given<Config extends Parser.Command.Config> = Types.Simplify<Parser.Command.ParseConfig<Config>>

export const firstSentence = (about: string): string => about.split(/(?<=[.:])\s/)[0]!.replace(/:$/, ".")

/** A command that does something. `run` takes the values of its arguments and options. */
export const command = <const Config extends Parser.Command.Config>(
  name: string,
  { about, examples = [] }: About,
  config: Config,
  run: (given: Given<Config>) => Effect.Effect<void, unknown, Environment>
): Command => {
  const parser = Parser.make(name, config, run).pipe(Parser.withDescription(firstSentence(about)))
  return { name, about, examples, config, children: [], parser: parser as Command["parser"] }
}

/** Commands under a name of their own. */
export const group = (
  name: string,
  { about, examples = [] }: About,
  children: readonly [Command, ...ReadonlyArray<Command>]
): Command => {
  const [first, ...others] = children
  const parser = Parser.make(name).pipe(
    Parser.withDescription(firstSentence(about)),
    Parser.withSubcommands([first.parser, ...others.map((child) => child.parser)])
  )
  return { name, about, examples, config: {}, children, parser: parser as Command["parser"] }
}

/** The way to a command: the groups around it, outermost first, and the command itself. */
export type Path = readonly [...ReadonlyArray<Command>, Command]

export const wordsOf = (path: Path): string => path.map(({ name }) => name).join(" ")

export const last = (path: Path): Command => path.at(-1)!

/** The command that the first words name, and the word after them that names none. */
export const find = (
  root: Command,
  args: ReadonlyArray<string>
): { readonly path: Path; readonly unknown: string | undefined } => {
  let path: Path = [root]
  for (const arg of args) {
    const { children } = last(path)
    if (children.length === 0 || arg.startsWith("-")) break
    const child = children.find(({ name }) => name === arg)
    if (child === undefined) return { path, unknown: arg }
    path = [...path, child]
  }
  return { path, unknown: undefined }
}
