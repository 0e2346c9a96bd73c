import { Context, type Effect, type Scope } from "effect"
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import type { WebSockets } from "./WebSockets.ts"

/** Where an HTTP server with a listener hands over requests for WebSockets. */
export class Upgrades extends Context.Tag("outdial/http/Upgrades")<
  Upgrades,
  {
    /** Until the scope ends. Then the server stops, and its sockets with it. */
    readonly serve: (sockets: WebSockets) => Effect.Effect<void, never, Scope.Scope>
  }
>() {}

export const wantsSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.trim().toLowerCase() === "websocket"

const isHopping = (name: string) => /^(?:upgrade|http2-settings)$/i.test(name)

/** A `Connection` header without the names of an upgrade. */
const without = (value: string) =>
  value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => !isHopping(name))
    .join(", ")

/**
 * The connection of a request that asks for a protocol which is not spoken here, as if it had not asked: a server may
 * ignore that it did (RFC 9110, 7.8; curl asks for HTTP/2 so). Node has no way to answer it once it has told of it.
 */
export const anew = (request: IncomingMessage, socket: Duplex, head: Buffer): Duplex => {
  const { httpVersion, method, rawHeaders, url } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at]!, rawHeaders[at + 1]!]
    const kept = /^connection$/i.test(name) ? without(value) : value
    if (!isHopping(name) && kept !== "") lines.push(`${name}: ${kept}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]))
  return socket
}
