import { type AddressInfo, connect, createServer, Socket } from "node:net"
import { Effect } from "effect"

/** The two ends of one connection through a proxy. */
export interface Pair {
  readonly client: Socket
  readonly server: Socket
  /** Nothing passes, and no end is closed. */
  silent: boolean
}

/** Sees what arrives; what it answers false to is not passed on. */
export interface Watch {
  readonly sent?: (data: Buffer, pair: Pair) => boolean
  readonly answered?: (data: Buffer, pair: Pair) => boolean
}

export const end = ({ client, server }: Pair) => {
  client.destroy()
  server.destroy()
}

/** A way to a port of this machine for as long as the scope lasts, which can fall silent without closing anything. */
export const make = (target: number, { answered, sent }: Watch = {}) =>
  Effect.gen(function* () {
    const pairs = new Set<Pair>()
    let blocked = false
    const pass = (from: Socket, to: Socket, pair: Pair, watch: Watch["sent"]) => {
      from.setNoDelay(true)
      from.on("data", (data) => {
        if (!pair.silent && (watch?.(data, pair) ?? true)) to.write(data)
      })
      from.on("error", () => undefined)
      from.on("close", () => {
        if (pair.silent) return
        pairs.delete(pair)
        end(pair)
      })
    }
    const proxy = createServer((client) => {
      const server = blocked ? new Socket() : connect(target, "127.0.0.1")
      const pair: Pair = { client, server, silent: blocked }
      pairs.add(pair)
      pass(client, server, pair, sent)
      pass(server, client, pair, answered)
    })
    const endAll = (which: (pair: Pair) => boolean) => {
      for (const pair of pairs) {
        if (!which(pair)) continue
        pairs.delete(pair)
        end(pair)
      }
    }
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void proxy.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.async<void>((resume) => {
          proxy.close(() => resume(Effect.void))
          endAll(() => true)
        })
    )
    const cut = Effect.sync(() => {
      for (const pair of pairs) pair.silent = true
    })
    return {
      port: (proxy.address() as AddressInfo).port,
      /** From now on nothing passes on the connections that are open, and neither end is told. New ones pass. */
      cut,
      /** From now on nothing passes, on new connections neither. */
      block: Effect.tap(cut, () => {
        blocked = true
      }),
      /** Ends what was silent. New connections pass. */
      mend: Effect.sync(() => {
        blocked = false
        endAll(({ silent }) => silent)
      })
    }
  })

export type TcpProxy = Effect.Effect.Success<ReturnType<typeof make>>
