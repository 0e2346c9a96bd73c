import { connect, createServer, type Socket } from "node:net"
import { Effect, type Scope } from "effect"

/** A way to a port of this machine that can stop passing anything, in both directions, without closing anything. */
export interface Way {
  readonly port: number
  /** From now on nothing passes, on new connections neither. */
  readonly block: Effect.Effect<void>
  /** Ends what was silent; new connections pass. */
  readonly clear: Effect.Effect<void>
}

export const make = (target: number): Effect.Effect<Way, never, Scope.Scope> =>
  Effect.gen(function* () {
    const open = new Set<Socket>()
    let blocked = false
    const endAll = () => {
      for (const socket of open) socket.destroy()
      open.clear()
    }
    const pass = (from: Socket, to: Socket) => {
      open.add(from)
      from.setNoDelay(true)
      from.on("data", (data) => !blocked && to.write(data))
      from.on("error", () => undefined)
      from.on("close", () => {
        open.delete(from)
        if (!blocked) to.destroy()
      })
    }
    const proxy = createServer((client) => {
      if (blocked) {
        open.add(client)
        client.on("error", () => undefined)
        client.resume()
        return
      }
      const server = connect(target, "127.0.0.1")
      pass(client, server)
      pass(server, client)
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void proxy.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          proxy.close()
          endAll()
        })
    )
    const address = proxy.address()
    return {
      port: typeof address === "object" ? address!.port : 0,
      block: Effect.sync(() => {
        blocked = true
      }),
      clear: Effect.sync(() => {
        blocked = false
        endAll()
      })
    }
  })
