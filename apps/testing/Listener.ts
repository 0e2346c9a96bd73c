import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { basePath, origin } from "./World.ts"

export interface ListenOptions {
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 0: any that is free. */
  readonly port?: number
}

const headersOf = ({ rawHeaders }: IncomingMessage): Headers => {
  const headers = new Headers()
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!)
  return headers
}

const requestOf = (incoming: IncomingMessage): Request => {
  const method = incoming.method!
  const bare = method === "GET" || method === "HEAD"
  return new Request(new URL(incoming.url!, origin), {
    method,
    headers: headersOf(incoming),
    body: bare ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>),
    duplex: "half"
  } as RequestInit)
}

const answer = async (response: Response, outgoing: ServerResponse) => {
  outgoing.writeHead(response.status, [...response.headers].flat())
  if (response.body === null) return void outgoing.end()
  await pipeline(Readable.fromWeb(response.body as never), outgoing)
}

/** Answers HTTP requests with `fetch`, for software that is not in this process. */
export const listen = async (
  fetch: (request: Request) => Promise<Response>,
  { host = "127.0.0.1", port = 0 }: ListenOptions
) => {
  const server = createServer((incoming, outgoing) => {
    fetch(requestOf(incoming))
      .then((response) => answer(response, outgoing))
      .catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, resolve)
  })
  const { address, family, port: bound } = server.address() as AddressInfo
  return {
    baseUrl: `http://${family === "IPv6" ? `[${address}]` : address}:${bound}${basePath}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
