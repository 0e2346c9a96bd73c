import { type Command, firstSentence, last, type Path, wordsOf } from "./Command.ts"
import { type Entry, optionsOf } from "./Help.ts"

export const shells = ["bash", "zsh", "fish"] as const
export type Shell = (typeof shells)[number]

/** A place in a command line, and the words that may follow there. */
interface Place {
  readonly words: string
  readonly next: ReadonlyArray<Entry>
}

const placesOf = (path: Path): ReadonlyArray<Place> => {
  const { children } = last(path)
  const commands = children.map(({ about, name }): Entry => [name, firstSentence(about)])
  const options = optionsOf(path).map(([name, about]): Entry => [
    name.split(/[ ,]/)[0]!,
    firstSentence(about)
  ])
  return [
    { words: wordsOf(path), next: [...commands, ...options] },
    ...children.flatMap((child: Command) => placesOf([...path, child]))
  ]
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const fishQuoted = (text: string): string => `'${text.replaceAll(/[\\']/g, "\\$&")}'`

/** Both shells walk from the program's name to the place in the same words. */
const walk = (places: ReadonlyArray<Place>, first: number, end: string, words: string) => [
  `  local place=${places[0]!.words} i`,
  `  for ((i = ${first}; i < ${end}; i++)); do`,
  `    case "$place \${${words}[i]}" in`,
  `      ${places
    .slice(1)
    .map((place) => quoted(place.words))
    .join("|")}) place="$place \${${words}[i]}" ;;`,
  "    esac",
  "  done"
]

const bash = (name: string, places: ReadonlyArray<Place>) => [
  `_${name}() {`,
  ...walk(places, 1, "COMP_CWORD", "COMP_WORDS"),
  "  local next=",
  '  case "$place" in',
  ...places.map(
    ({ next, words }) => `    ${quoted(words)}) next=${quoted(next.map(([word]) => word).join(" "))} ;;`
  ),
  "  esac",
  '  COMPREPLY=($(compgen -W "$next" -- "${COMP_WORDS[COMP_CWORD]}"))',
  "}",
  `complete -o default -F _${name} ${name}`
]

const zsh = (name: string, places: ReadonlyArray<Place>) => [
  `#compdef ${name}`,
  `_${name}() {`,
  ...walk(places, 2, "CURRENT", "words"),
  "  local -a next",
  '  case "$place" in',
  ...places.map(
    ({ next, words }) =>
      `    ${quoted(words)}) next=(${next
        .map(([word, about]) => quoted(`${word}:${about.replaceAll(":", "\\:")}`))
        .join(" ")}) ;;`
  ),
  "  esac",
  "  _describe command next || _files",
  "}",
  `compdef _${name} ${name}`
]

const fish = (name: string, places: ReadonlyArray<Place>) => [
  `function __${name}_place`,
  `  set -l place ${name}`,
  "  for word in (commandline -opc)[2..-1]",
  `    contains -- "$place $word" ${places
    .slice(1)
    .map(({ words }) => fishQuoted(words))
    .join(" ")}`,
  '    and set place "$place $word"',
  "  end",
  "  echo $place",
  "end",
  ...places.flatMap(({ next, words }) =>
    next.map(([word, about]) => {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${word}`
      return `complete -c ${name} -n ${fishQuoted(`test (__${name}_place) = "${words}"`)} ${what} -d ${fishQuoted(about)}`
    })
  )
]

/** A script that teaches a shell to complete the commands and options of a program. */
export const render = (shell: Shell, root: Command): string =>
  ({ bash, zsh, fish })[shell](root.name, placesOf([root])).join("\n")
