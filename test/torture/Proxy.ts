import { connect, createServer, type Socket } from "node:net"
import { Effect } from "effect"

/** A way to a server that can be cut half open. */
export interface Proxy {
  readonly port: number
  /** From now on nothing passes on the connections that are open, and neither end is told. */
  readonly cut: Effect.Effect<void>
  /** Ends the connections that were cut. New ones pass. */
  readonly mend: Effect.Effect<void>
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
  silent: boolean
}

export const make = (target: number) =>
  Effect.gen(function* () {
    const pairs = new Set<Pair>()
    const end = (pair: Pair) => {
      pairs.delete(pair)
      pair.client.destroy()
      pair.server.destroy()
    }
    const proxy = createServer((client) => {
      const server = connect(target, "127.0.0.1")
      const pair: Pair = { client, server, silent: false }
      pairs.add(pair)
      const pass = (from: Socket, to: Socket) => {
        from.setNoDelay(true)
        from.on("data", (data) => !pair.silent && to.write(data))
        from.on("error", () => undefined)
        from.on("close", () => !pair.silent && end(pair))
      }
      pass(client, server)
      pass(server, client)
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void proxy.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          proxy.close()
          for (const pair of pairs) end(pair)
        })
    )
    const address = proxy.address()
    return {
      port: typeof address === "object" ? address!.port : 0,
      cut: Effect.sync(() => {
        for (const pair of pairs) pair.silent = true
      }),
      mend: Effect.sync(() => {
        for (const pair of pairs) if (pair.silent) end(pair)
      })
    } satisfies Proxy
  })
