import * as http from "node:http"
import { buffer } from "node:stream/consumers"
import { Deferred, Effect } from "effect"
import { type ClientOptions, createClient, type OutdialError } from "../../../apps/client/main.ts"
import { type Options, start } from "../../adapters/http/Harness.ts"
import { type Arrived, asText, listen } from "../../Listener.ts"

export const baseOf = (port: number) => `http://127.0.0.1:${port}/v0`

/** Repeats at once, so that no test waits. */
export const atOnce = { minDelayMs: 0 }

export const clientOf = (port: number, apiKey: string, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: baseOf(port), retry: atOnce, ...options, apiKey, token: undefined })

/** A real server, with an agent and credits, and its client. */
export const startClient = Effect.fnUntraced(function* (options: Options = {}) {
  const server = yield* start(options)
  const outdial = clientOf(server.port, server.key)
  const agent = yield* ask(() => outdial.agents.create({ name: "Reminders", prompt: "Hello {{name}}" }))
  return { ...server, outdial, agent, body: { agent_id: agent.id, to_number: "+14155550123" } }
})

export const ask = <A>(send: () => Promise<A>) => Effect.promise(send)

/** What an operation fails of. */
export const failureOf = (send: () => Promise<unknown>): Effect.Effect<OutdialError> =>
  Effect.orDie(Effect.flip(Effect.tryPromise({ try: send, catch: (error) => error as OutdialError })))

/** A signal, and what aborts it. */
export const aborter = () => new AbortController()

export const collect = async <A>(records: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const record of records) all.push(record)
  return all
}

/**
 * What becomes of a request on its way: it passes; its answer is lost once the server has acted; it is lost before;
 * no answer comes; an answer begins and never ends; or another server answers.
 */
export type Fate =
  | "pass"
  | "lose_answer"
  | "lose"
  | "hang"
  | "begin"
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }

const forward = (
  port: number,
  { bytes, headers, method, request }: Arrived,
  answer: (response: http.IncomingMessage, body: Buffer) => void
) => {
  const path = request.url
  const onward = http.request({ host: "127.0.0.1", port, path, method, headers, agent: false })
  onward.on("response", async (response) => answer(response, await buffer(response)))
  onward.end(bytes)
}

/** A way to a server on which the requests meet their fates, one after the other; the later ones pass. */
export const wayTo = Effect.fnUntraced(function* (port: number, fates: ReadonlyArray<Fate>) {
  const hanging = yield* Deferred.make<void>()
  const server = yield* listen(asText, (arrived) => {
    const { number, request, response } = arrived
    const fate = fates[number] ?? "pass"
    if (fate === "hang") return Deferred.unsafeDone(hanging, Effect.void)
    if (fate === "begin") return void response.writeHead(200).write("recipient_id\r\n")
    if (fate === "lose") return void request.socket.destroy()
    if (typeof fate === "object") {
      return void response.writeHead(fate.status, fate.headers).end(fate.body ?? "")
    }
    forward(port, arrived, ({ headers, statusCode }, body) => {
      if (fate === "lose_answer") return void request.socket.destroy()
      response.writeHead(statusCode!, headers).end(body)
    })
  })
  return { port: server.port, requests: server.asked, hanging }
})
