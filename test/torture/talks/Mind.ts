import { type Asked, events, type Question, stream } from "../../adapters/llm/ChatStream.ts"

/** What a callee asks an agent: each line has a number of its own. */
export interface Line {
  readonly number: number
  readonly kind: "Tell" | "Book" | "Close"
}

export const textOf = ({ kind, number }: Line): string =>
  ({ Tell: `Tell me about ${number}.`, Book: `Please book ${number}.`, Close: `Close with ${number}.` })[kind]

/** How the answer to a line begins, whatever else it says. */
export const answerTo = ({ number }: Pick<Line, "number">): string => `As to ${number}:`

/** Whether it is the beginning of an answer. */
export const isAnswer = (text: string): boolean => text.trimStart().startsWith("As to ")

const lines = /Tell me about (\d+)|Please book (\d+)|Close with (\d+)/g

const said = ({ messages }: Question): string =>
  messages.flatMap(({ content, role }) => (role === "user" ? [content ?? ""] : [])).join("\n")

/** The line that the callee said last. */
const lastLine = (question: Question): Line | null => {
  const found = [...said(question).matchAll(lines)].at(-1)
  if (found === undefined) return null
  const [, tell, book, close] = found
  const kind = tell !== undefined ? "Tell" : book !== undefined ? "Book" : "Close"
  return { number: Number(tell ?? book ?? close), kind }
}

const hasBooked = ({ messages }: Question, number: number): boolean =>
  messages.some(({ tool_calls = [] }) => JSON.stringify(tool_calls).includes(`{\\"number\\":${number}}`))

/** A model that answers the line said last, by a tool that is used once for each booking, as far as it is told. */
export const answer = (asked: Asked): unknown => {
  const question = asked.body
  const line = lastLine(question)
  const say = (text: string, ...more: ReadonlyArray<unknown>) =>
    stream(
      ...(text.match(/\s*\S+/g) ?? []).map(events.text),
      ...more,
      events.finish(),
      events.usage,
      "[DONE]"
    )(asked)
  if (line === null) return say("How can I help you?")
  const { kind, number } = line
  if (kind === "Book" && !hasBooked(question, number)) {
    const call = { id: `call_${number}`, name: "book", arguments: JSON.stringify({ number }) }
    return stream(events.tool(0, call), events.finish("tool_calls"), events.usage, "[DONE]")(asked)
  }
  const text = `${answerTo(line)} it is done, and noted.`
  return kind === "Close"
    ? say(text, events.tool(0, { id: "call_end", name: "end_call", arguments: "{}" }))
    : say(text)
}
