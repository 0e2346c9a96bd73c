import * as Args from "@effect/cli/Args"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Parser from "@effect/cli/Command"
import type * as HelpDoc from "@effect/cli/HelpDoc"
import type * as Span from "@effect/cli/HelpDoc/Span"
import * as Options from "@effect/cli/Options"
import * as Usage from "@effect/cli/Usage"
import { widthOf, wrap } from "../terminal/Table.ts"
import { type Command, firstSentence, last, type Path, wordsOf } from "./Command.ts"

/** A name, and what help says of it. */
export type Entry = readonly [name: string, about: string]

const textOf = (span: Span.Span): string => {
  switch (span._tag) {
    case "Text":
    case "URI":
      return span.value
    case "Sequence":
      return textOf(span.left) + textOf(span.right)
    default:
      return textOf(span.value)
  }
}

const blocksOf = (doc: HelpDoc.HelpDoc): ReadonlyArray<HelpDoc.HelpDoc> =>
  doc._tag === "Sequence" ? [...blocksOf(doc.left), ...blocksOf(doc.right)] : [doc]

const paragraphsOf = (doc: HelpDoc.HelpDoc): ReadonlyArray<string> =>
  blocksOf(doc).flatMap((block) => (block._tag === "Paragraph" ? [textOf(block.value)] : []))

/** The plain text of a help document, on one line. */
export const plain = (doc: HelpDoc.HelpDoc): string => paragraphsOf(doc).join(" ")

/** The library says this of every option of a kind, and the usage line says it already. */
const boilerplate =
  /^(A user-defined piece of text\.|A true or false value\.|An? (integer|floating point number)\.|This setting is optional\.)$/

const aboutOf = (doc: HelpDoc.HelpDoc): string =>
  paragraphsOf(doc)
    .filter((text) => !boilerplate.test(text))
    .map((text) => text.replace("This option may be repeated zero or more times.", "Repeatable."))
    .join(" ")

const entriesOf = (doc: HelpDoc.HelpDoc): ReadonlyArray<Entry> =>
  blocksOf(doc).flatMap((block) =>
    block._tag === "DescriptionList"
      ? block.definitions.map(([name, about]): Entry => [textOf(name).replace("...", ""), aboutOf(about)])
      : []
  )

const standardWidth = 100

const listed = (entries: ReadonlyArray<Entry>, width: number): ReadonlyArray<string> => {
  const indent = Math.max(0, ...entries.map(([name]) => widthOf(name))) + 4
  return entries.flatMap(([name, text]) =>
    wrap(text, Math.max(30, width - indent)).map((line, i) =>
      (i === 0 ? `  ${name}`.padEnd(indent) + line : " ".repeat(indent) + line).trimEnd()
    )
  )
}

const parsing = CliConfig.make({ showBuiltIns: false })

const usageOf = (path: Path): string => {
  const { children, parser } = last(path)
  if (children.length > 0) return `${wordsOf(path)} <command>`
  const [span] = Usage.enumerate(Parser.getUsage(parser), parsing)
  const text = span === undefined ? "" : textOf(span).replace(/(--\S+ \S+)\.\.\./g, "[$1]...")
  return [...path.slice(0, -1).map(({ name }) => name), text].join(" ")
}

const leavesOf = (command: Command, words: ReadonlyArray<string>): ReadonlyArray<Entry> =>
  command.children.length === 0
    ? [[words.join(" "), firstSentence(command.about)]]
    : command.children.flatMap((child) => leavesOf(child, [...words, child.name]))

const builtIns: ReadonlyArray<Entry> = [["--help, -h", "Shows this."]]
const rootOptions: ReadonlyArray<Entry> = [
  ["--help, -h", "Shows this; after a command, all about it."],
  ["--version", "Shows the version."],
  ["--completions SHELL", "Prints completions for bash, zsh or fish."]
]

/** The options of a command, those that every command has among them. */
export const optionsOf = (path: Path): ReadonlyArray<Entry> => [
  ...Object.values(last(path).config)
    .filter(Options.isOptions)
    .flatMap((option) => entriesOf(Options.getHelp(option))),
  ...(path.length === 1 ? rootOptions : builtIns)
]

const section = (title: string, lines: ReadonlyArray<string>) =>
  lines.length === 0 ? [] : ["", `${title}:`, ...lines]

/** The help of a command or a group, without a colour, in lines of at most `columns` where words allow it. */
export const render = (path: Path, columns: number = standardWidth): string => {
  const width = Math.min(columns, standardWidth)
  const command = last(path)
  const parts = Object.values(command.config)
  const args = parts.filter(Args.isArgs).flatMap((arg) => entriesOf(Args.getHelp(arg)))
  const commands = command.children.length === 0 ? [] : leavesOf(command, [])
  const usage = wrap(usageOf(path), width - 6).map((line, i) => (i === 0 ? `  ${line}` : `      ${line}`))
  return [
    ...command.about.split("\n").flatMap((paragraph) => wrap(paragraph, width)),
    ...section("Usage", usage),
    ...section("Commands", listed(commands, width)),
    ...section("Arguments", listed(args, width)),
    ...section("Options", listed(optionsOf(path), width)),
    ...section(
      command.examples.length === 1 ? "Example" : "Examples",
      command.examples.map((example) => `  ${example}`)
    )
  ].join("\n")
}
