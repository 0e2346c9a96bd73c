import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { Effect, Queue } from "effect"

/** One request for a chat completion. */
export interface Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: {
    readonly model: string
    readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>
    readonly seed?: number
    readonly response_format?: {
      readonly type: string
      readonly json_schema: { readonly name: string; readonly strict: boolean; readonly schema: unknown }
    }
  }
  readonly response: ServerResponse
  /** From 0. */
  readonly number: number
}

export type Behaviour = (asked: Asked) => void

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }

/** Answers with a chat completion that says `content`. */
export const say = (
  { response }: Asked,
  content: unknown,
  more: { readonly usage?: unknown; readonly finish_reason?: string } = {}
) => {
  response.setHeader("content-type", "application/json")
  response.end(
    JSON.stringify({
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
  )
}

/** Answers with an error as OpenAI words them. */
export const refuse = (
  { response }: Asked,
  status: number,
  headers: Record<string, string> = {},
  code: string | null = null
) => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(JSON.stringify({ error: { message: "no", type: "error", param: null, code } }))
}

export const scenariosOf = (count: number, prefix = "Scenario") => ({
  scenarios: Array.from({ length: count }, (_, i) => ({
    label: `${prefix} ${i + 1}`,
    instructions: `${prefix}: you are person ${i + 1} and want to know more.`,
    max_turns: 8
  }))
})

export const turn = { text: "Yes, that works for me.", hangs_up: false }

const countIn = ({ body }: Asked) =>
  Number(/Write exactly (\d+) scenarios/.exec(body.messages.at(-1)?.content ?? "")?.[1] ?? 1)

/** Answers each question in its form, and as many scenarios as were asked for. */
export const competent: Behaviour = (asked) => {
  const form = asked.body.response_format?.json_schema.name
  if (form === "scenarios") say(asked, scenariosOf(countIn(asked), `Request ${asked.number}`))
  else if (form === "turn") say(asked, turn)
  else say(asked, { reasoning: "It says “that is noted”.", verdict: "pass" })
}

/** A model's server on a local address: what is asked stands in `received` before `behave` answers. */
export const serve = (behave: Behaviour) =>
  Effect.gen(function* () {
    const received = yield* Queue.unbounded<Asked>()
    let number = 0
    let inFlight = 0
    let most = 0
    const server = createServer((request, response) => {
      if (request.method !== "POST") return void response.writeHead(404).end()
      inFlight += 1
      most = Math.max(most, inFlight)
      const end = response.end.bind(response)
      let isOpen = true
      const close = () => {
        if (isOpen) inFlight -= 1
        isOpen = false
      }
      response.on("close", close)
      response.end = ((...args: Parameters<typeof end>) => {
        close()
        return end(...args)
      }) as typeof end
      text(request).then(
        (body) => {
          const asked: Asked = {
            path: request.url ?? "",
            headers: request.headers,
            body: JSON.parse(body),
            response,
            number: number++
          }
          Queue.unsafeOffer(received, asked)
          behave(asked)
        },
        () => {}
      )
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/v1`, port, received, most: Effect.sync(() => most) }
  })

/** Answers the first requests by `first`, in turn, and the rest by the last of them. */
export const whileLocked =
  (...first: readonly [Behaviour, ...Array<Behaviour>]): Behaviour =>
  (asked) =>
    (first[asked.number] ?? first.at(-1)!)(asked)

/** Waits for the connection of a request to be closed, from now on. */
export const onceClosed = ({ response }: Asked): Effect.Effect<void> => {
  const closed = new Promise<void>((resolve) => void response.once("close", resolve))
  return Effect.promise(() => closed)
}
