import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { Effect, Queue } from "effect"

/** One request, once all of it has arrived. */
export interface Arrived<Body = string> {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage["headers"]
  readonly body: Body
  readonly bytes: Buffer
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** From 0, in the order of arrival. */
  readonly number: number
}

/** Answers a request, or leaves it without an answer. What it throws breaks the connection. */
export type Answer<Body = string> = (arrived: Arrived<Body>) => unknown

/** How a server reads bodies. */
export const asText = (text: string) => text
export const asForm = (text: string) => new URLSearchParams(text)
export const asJson =
  <Body>() =>
  (text: string): Body =>
    JSON.parse(text === "" ? "{}" : text) as Body

export const json = (
  { response }: Pick<Arrived, "response">,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {}
) => {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
}

/** Answers the first requests by these, in turn, and the rest by the last of them. */
export const inTurn =
  <Body>(...answers: readonly [Answer<Body>, ...Array<Answer<Body>>]): Answer<Body> =>
  (arrived) =>
    (answers[arrived.number] ?? answers.at(-1)!)(arrived)

export interface Options {
  readonly host?: string
  readonly port?: number
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Answers by the head of a request, and reads no body. */
  readonly unread?: boolean
}

/** A server on a local address for as long as the scope lasts: it keeps every request, and has it answered. */
export const listen = <Body>(
  decode: (text: string) => Body,
  answer: Answer<Body>,
  { host = "127.0.0.1", port = 0, tls, unread = false }: Options = {}
) =>
  Effect.gen(function* () {
    const asked: Array<Arrived<Body>> = []
    const received = yield* Queue.unbounded<Arrived<Body>>()
    const others: Array<(arrived: Arrived<Body>) => boolean> = []
    let arrivals = 0
    let connections = 0
    let underWay = 0
    let most = 0

    const receive = async (request: IncomingMessage, response: ServerResponse) => {
      most = Math.max(most, ++underWay)
      let isOver = false
      const end = () => {
        if (!isOver) underWay -= 1
        isOver = true
      }
      response.once("finish", end).once("close", end)
      const { pathname, searchParams } = new URL(request.url!, "http://localhost")
      const bytes = unread ? Buffer.alloc(0) : await buffer(request)
      const arrived: Arrived<Body> = {
        method: request.method!,
        path: pathname,
        query: searchParams,
        headers: request.headers,
        body: decode(bytes.toString("utf8")),
        bytes,
        request,
        response,
        number: arrivals++
      }
      asked.push(arrived)
      Queue.unsafeOffer(received, arrived)
      if (!others.some((other) => other(arrived))) await answer(arrived)
    }
    const handle: RequestListener = (request, response) =>
      void receive(request, response).catch(() => response.destroy())
    const server = tls === undefined ? createServer(handle) : createTlsServer(tls, handle)
    server.on("connection", () => connections++)
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(port, host, () => resume(Effect.void))),
      () =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    const address = server.address() as AddressInfo
    return {
      port: address.port,
      url: `${tls === undefined ? "http" : "https"}://${host}:${address.port}`,
      /** Every request so far, until a test takes it out. */
      asked,
      /** The same, to wait for the next. */
      received: received as Queue.Dequeue<Arrived<Body>>,
      /** They look at every request first; one that answers it says true. */
      others,
      /** How many connections were made so far. */
      connections: () => connections,
      /** How many requests were under way at one time, at most. */
      most: () => most
    }
  })
