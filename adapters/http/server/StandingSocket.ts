import { Effect } from "effect"
import type { WebSocket } from "ws"
import { Emitter } from "../../../core/engine/Emitter.ts"
import type { LiveSocket } from "../../shared/LiveSockets.ts"

/** Bytes that may wait for a peer which does not read, and frames of a peer which may wait to be heard. */
const mostUnread = 256 * 1_024
const mostUnheard = 1_024

/** Closes a socket, and breaks its connection when the peer does not close its side within two seconds. */
export const bye = (socket: WebSocket, code: number): void => {
  if (socket.readyState === socket.CLOSED) return
  const timer = setTimeout(() => socket.terminate(), 2_000)
  timer.unref()
  socket.once("close", () => clearTimeout(timer))
  socket.close(code)
}

/** A WebSocket of the package `ws` as adapters see it. A peer that reads too slowly or sends too fast is dropped. */
export const stand = (socket: WebSocket, leaving: Emitter<void>): LiveSocket => {
  const frames = new Emitter<string>()
  const closed = new Emitter<number>()

  socket.on("message", (data: Buffer, isBinary) => {
    if (isBinary) return
    frames.tell(data.toString("utf8"))
    if (frames.waiting > mostUnheard) socket.terminate()
  })
  // A fault closes the socket, too, and only that counts.
  socket.on("error", () => {})
  socket.on("close", closed.tell)

  return {
    listen: frames.listen,
    onClosed: closed.listen,
    send: (text) => {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > mostUnread) socket.terminate()
      else socket.send(text)
    },
    close: (code) => Effect.sync(() => bye(socket, code)),
    onLeaving: leaving.listen
  }
}
