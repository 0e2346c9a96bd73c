import { connect, createServer, type Socket } from "node:net"
import { Effect } from "effect"

/** What becomes of a commit: it arrives and its answer is lost, or it is lost itself. */
export type Loss = "answer" | "commit"

/** A COMMIT as the protocol has it, and the answer to it. */
const commit = Buffer.from("Q\u0000\u0000\u0000\u000bcommit\u0000", "latin1")
const committed = Buffer.from("COMMIT\u0000", "latin1")

/** A way to the server on which connections are lost as `lose` says of the nth commit. */
export const proxyTo = (port: number, lose: (nth: number) => Loss | undefined) =>
  Effect.gen(function* () {
    let commits = 0
    const lost = { answer: 0, commit: 0 }
    const sockets = new Set<Socket>()
    const proxy = createServer((client) => {
      const server = connect(port, "127.0.0.1")
      let losing = false
      const cut = () => {
        client.destroy()
        server.destroy()
      }
      for (const socket of [client, server]) {
        sockets.add(socket)
        socket.on("error", cut).on("close", () => {
          sockets.delete(socket)
          cut()
        })
      }
      client.on("data", (data) => {
        const loss = data.includes(commit) && !losing ? lose(++commits) : undefined
        if (loss !== undefined) lost[loss] += 1
        if (loss === "commit") return cut()
        if (loss === "answer") losing = true
        server.write(data)
      })
      server.on("data", (data) => {
        if (!losing) client.write(data)
        else if (data.includes(committed)) cut()
      })
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void proxy.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.async<void>((resume) => {
          proxy.close(() => resume(Effect.void))
          for (const socket of sockets) socket.destroy()
        })
    )
    const address = proxy.address()
    return { port: typeof address === "object" ? address!.port : 0, lost }
  })
