import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import type * as HelpDoc from "@effect/cli/HelpDoc"
import type * as Span from "@effect/cli/HelpDoc/Span"
import * as Usage from "@effect/cli/Usage"
import { widthOf, wrap } from "./terminal/Table.ts"

const config = CliConfig.make({ showBuiltIns: false })

/** A command, or a group of them. */
export interface Node {
  readonly name: string
  readonly help: HelpDoc.HelpDoc
  readonly usage: Usage.Usage
  readonly children: ReadonlyArray<Node>
}

export const node = <Name extends string, R, E, A>(
  command: Command.Command<Name, R, E, A>,
  children: ReadonlyArray<Node> = []
): Node => ({
  name: [...Command.getNames(command)][0]!,
  help: Command.getHelp(command, config),
  usage: Command.getUsage(command),
  children
})

/** The way to a command: the groups around it, outermost first, and the command itself. */
export type Path = readonly [...ReadonlyArray<Node>, Node]

export const wordsOf = (path: Path): string => path.map(({ name }) => name).join(" ")

export const last = (path: Path): Node => path.at(-1)!

/** The command that the first words name, and the word after them that names none. */
export const find = (
  root: Node,
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
  doc._tag === "Sequence"
    ? [...blocksOf(doc.left), ...blocksOf(doc.right)]
    : doc._tag === "Empty"
      ? []
      : [doc]

/** The plain text of a help document, on one line. */
export const plain = (doc: HelpDoc.HelpDoc): string =>
  blocksOf(doc)
    .map((block) => {
      switch (block._tag) {
        case "Header":
        case "Paragraph":
          return textOf(block.value)
        case "Enumeration":
          return block.elements.map(plain).join(", ")
        default:
          return ""
      }
    })
    .filter((text) => text !== "")
    .join(" ")

/** What the library says of every option of a kind, and the usage line says already. */
const boilerplate =
  /^(A user-defined piece of text\.|A true or false value\.|An? (integer|floating point number)\.|This setting is optional\.)$/

const definition = (doc: HelpDoc.HelpDoc): string =>
  blocksOf(doc)
    .map(plain)
    .filter((text) => !boilerplate.test(text))
    .map((text) => text.replace("This option may be repeated zero or more times.", "Repeatable."))
    .join(" ")

interface Sections {
  readonly paragraphs: ReadonlyArray<string>
  readonly examples: ReadonlyArray<string>
  readonly args: ReadonlyArray<readonly [string, string]>
  readonly options: ReadonlyArray<readonly [string, string]>
}

const sectionsOf = ({ help }: Node): Sections => {
  const paragraphs: Array<string> = []
  const examples: Array<string> = []
  const lists: Record<string, Array<readonly [string, string]>> = {}
  let section = ""
  for (const block of blocksOf(help)) {
    if (block._tag === "Header") section = textOf(block.value)
    else if (block._tag === "DescriptionList") {
      const entries = (lists[section] ??= [])
      for (const [name, doc] of block.definitions)
        entries.push([textOf(name).replace("...", ""), definition(doc)])
    } else if (section === "DESCRIPTION") {
      ;(block._tag === "Enumeration" ? examples : paragraphs).push(plain(block))
    }
  }
  return { paragraphs, examples, args: lists["ARGUMENTS"] ?? [], options: lists["OPTIONS"] ?? [] }
}

const standardWidth = 100

const described = (
  entries: ReadonlyArray<readonly [string, string]>,
  width: number
): ReadonlyArray<string> => {
  const indent = Math.max(0, ...entries.map(([name]) => widthOf(name))) + 4
  return entries.flatMap(([name, text]) =>
    wrap(text, Math.max(30, width - indent)).map((line, i) =>
      (i === 0 ? `  ${name}`.padEnd(indent) + line : " ".repeat(indent) + line).trimEnd()
    )
  )
}

const usageOf = (path: Path): string => {
  const { children, usage } = last(path)
  if (children.length > 0) return `${wordsOf(path)} <command>`
  const [span] = Usage.enumerate(usage, config)
  const text = span === undefined ? "" : textOf(span).replace(/(--\S+ \S+)\.\.\./g, "[$1]...")
  return [...path.slice(0, -1).map(({ name }) => name), text].join(" ")
}

const leavesOf = (node: Node, words: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> =>
  node.children.length === 0
    ? [
        [
          words.join(" "),
          sectionsOf(node)
            .paragraphs[0]?.split(/(?<=[.:]) /)[0]
            ?.replace(/:$/, ".") ?? ""
        ]
      ]
    : node.children.flatMap((child) => leavesOf(child, [...words, child.name]))

const builtIns: ReadonlyArray<readonly [string, string]> = [["--help, -h", "Shows this."]]
const rootOptions: ReadonlyArray<readonly [string, string]> = [
  ["--help, -h", "Shows this; after a command, all about it."],
  ["--version", "Shows the version."],
  ["--completions SHELL", "Prints completions for sh, bash, fish or zsh."]
]

const section = (title: string, lines: ReadonlyArray<string>) =>
  lines.length === 0 ? [] : ["", `${title}:`, ...lines]

/** The help of a command or a group, without a colour, in lines of at most `columns` where words allow it. */
export const render = (path: Path, columns: number = standardWidth): string => {
  const width = Math.min(columns, standardWidth)
  const { args, examples, options, paragraphs } = sectionsOf(last(path))
  const standing = path.length === 1 ? rootOptions : builtIns
  const commands = last(path).children.length === 0 ? [] : leavesOf(last(path), [])
  const usage = wrap(usageOf(path), width - 6).map((line, i) => (i === 0 ? `  ${line}` : `      ${line}`))
  return [
    ...paragraphs.flatMap((paragraph) => wrap(paragraph, width)),
    ...section("Usage", usage),
    ...section("Commands", described(commands, width)),
    ...section("Arguments", described(args, width)),
    ...section("Options", described([...options, ...standing], width)),
    ...section(
      examples.length === 1 ? "Example" : "Examples",
      examples.map((example) => `  ${example}`)
    )
  ].join("\n")
}
