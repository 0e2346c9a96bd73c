import { Effect } from "effect"
import { type Answer, type Arrived, asJson, json, listen } from "../../Listener.ts"

/** What the server is asked with. */
export const key = "sk-0123456789abcdefSECRET"

/** A request for a chat completion. */
export interface Question {
  readonly model: string
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>
  readonly seed?: number
  readonly stream?: boolean
  readonly response_format?: {
    readonly type: string
    readonly json_schema: { readonly name: string; readonly strict: boolean; readonly schema: unknown }
  }
}

export type Asked = Arrived<Question>
export type Behaviour = Answer<Question>

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }

/** Answers with a chat completion that says `content`. */
export const say = (
  asked: Asked,
  content: unknown,
  more: { readonly usage?: unknown; readonly finish_reason?: string } = {}
) =>
  json(asked, 200, {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "test",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: typeof content === "string" ? content : JSON.stringify(content)
        },
        finish_reason: more.finish_reason ?? "stop"
      }
    ],
    usage: more.usage === undefined ? usage : more.usage
  })

/** Answers with an error as OpenAI words them. */
export const refuse = (
  asked: Asked,
  status: number,
  headers: Record<string, string> = {},
  code: string | null = null
) => json(asked, status, { error: { message: "no", type: "error", param: null, code } }, headers)

export const scenariosOf = (count: number, prefix = "Scenario") => ({
  scenarios: Array.from({ length: count }, (_, i) => ({
    label: `${prefix} ${i + 1}`,
    instructions: `${prefix}: you are person ${i + 1} and want to know more.`,
    max_turns: 8
  }))
})

export const turn = { text: "Yes, that works for me.", hangs_up: false }

export const review = {
  summary: "The callee confirmed.",
  sentiment: "positive",
  qualification_status: "qualified",
  answers: [
    { name: "confirmed", answer: true },
    { name: "guests", answer: 4 },
    { name: "channel", answer: "email" },
    { name: "reason", answer: null }
  ]
}

const countIn = ({ body }: Asked) =>
  Number(/Write exactly (\d+) scenarios/.exec(body.messages.at(-1)?.content ?? "")?.[1] ?? 1)

/** Answers each question in its form, and as many scenarios as were asked for. */
export const competent: Behaviour = (asked) => {
  const form = asked.body.response_format?.json_schema.name
  if (form === "scenarios") say(asked, scenariosOf(countIn(asked), `Request ${asked.number}`))
  else if (form === "turn") say(asked, turn)
  else if (form === "review") say(asked, review)
  else say(asked, { reasoning: "It says “that is noted”.", verdict: "pass" })
}

/** A model's server on a local address. */
export const serve = (behave: Behaviour) =>
  Effect.map(listen(asJson<Question>(), behave), (server) => ({ ...server, url: `${server.url}/v1` }))

/** Waits for the connection of a request to be closed, from now on. */
export const onceClosed = ({ response }: Asked): Effect.Effect<void> => {
  const closed = new Promise<void>((resolve) => void response.once("close", resolve))
  return Effect.promise(() => closed)
}
