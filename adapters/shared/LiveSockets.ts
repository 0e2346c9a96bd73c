import { Context, Effect, Layer } from "effect"
import { isBelow } from "./CarrierCallbacks.ts"
import type { SessionName } from "./SessionTokens.ts"

/** A WebSocket that stands. */
export interface LiveSocket {
  /** Has texts heard as they arrive, and those before first. To be called once. `hear` does not throw. */
  readonly listen: (hear: (text: string) => void) => void
  /** Has the code heard that the socket is closed with: 1006 when its connection broke. To be called once. */
  readonly onClosed: (hear: (code: number) => void) => void
  /** Sends a text. A socket that is closed drops it, and one whose peer reads too slowly is dropped itself. */
  readonly send: (text: string) => void
  /** Closes it with a code, and breaks the connection when the peer does not close its side soon. */
  readonly close: (code: number) => Effect.Effect<void>
  /** Has heard that the server is about to stop: it drops the socket a few seconds later. To be called once. */
  readonly onLeaving: (hear: () => void) => void
}

/** A request for a WebSocket, before anything is answered; the names of headers are in lower case. */
export interface SocketRequest {
  /** The path with its query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

export type SocketAnswer =
  | { readonly _tag: "Refused"; readonly status: 400 | 403 | 404 | 503; readonly message: string }
  | {
      readonly _tag: "Accepted"
      /** What a place may have been kept for. */
      readonly name: string
      /** Talks over the socket. When it has ended, the socket is closed. */
      readonly run: (socket: LiveSocket) => Effect.Effect<void>
    }

/** Talks for a session over a socket. */
export type SocketTalk = (session: SessionName, socket: LiveSocket) => Effect.Effect<void>

export type SocketHandler = (request: SocketRequest) => Effect.Effect<SocketAnswer>

export const refused = (
  status: Extract<SocketAnswer, { readonly _tag: "Refused" }>["status"],
  message: string
): SocketAnswer => ({ _tag: "Refused", status, message })

const nothingHere: SocketHandler = () => Effect.succeed(refused(404, "there is nothing at this path"))

/** Passes a request to the first adapter whose path it is. */
export const among =
  (adapters: ReadonlyArray<readonly [path: string, accept: SocketHandler]>): SocketHandler =>
  (request) => {
    const [, accept] = adapters.find(([path]) => isBelow(path, request.url)) ?? ["", nothingHere]
    return accept(request)
  }

/** Decides on requests for WebSockets, and talks over those that it accepts. The adapter of each checks the client. */
export class LiveSockets extends Context.Tag("outdial/LiveSockets")<
  LiveSockets,
  { readonly accept: SocketHandler }
>() {
  /** For a platform whose calls are talked on elsewhere. */
  static readonly none = Layer.succeed(this, { accept: nothingHere })
}
