import { subscribe, unsubscribe } from "node:diagnostics_channel"
import type { Socket } from "node:net"
import { Effect } from "effect"

/** Keeps others from reaching ports that this process listens on. */
export const make = Effect.gen(function* () {
  const closed = new Set<number>()
  const open = new Set<Socket>()
  const onSocket = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket }
    if (closed.has(socket.localPort!)) return socket.destroy()
    open.add(socket)
    return socket.once("close", () => open.delete(socket))
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => subscribe("net.server.socket", onSocket)),
    () => Effect.sync(() => unsubscribe("net.server.socket", onSocket))
  )
  return {
    /** From now on every connection to the port, open or new, is turned away. */
    close: (port: number) =>
      Effect.sync(() => {
        closed.add(port)
        for (const socket of open) if (socket.localPort === port) socket.destroy()
      })
  }
})
