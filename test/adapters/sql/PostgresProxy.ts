import { Effect } from "effect"
import * as TcpProxy from "../../TcpProxy.ts"

/** What becomes of a commit: it arrives and its answer is lost, or it is lost itself. */
export type Loss = "answer" | "commit"

/** A COMMIT as the protocol has it, and the answer to it. */
const commit = Buffer.from("Q\u0000\u0000\u0000\u000bcommit\u0000", "latin1")
const committed = Buffer.from("COMMIT\u0000", "latin1")

/** A way to the server on which connections are lost as `lose` says of the nth commit. */
export const proxyTo = Effect.fnUntraced(function* (port: number, lose: (nth: number) => Loss | undefined) {
  let commits = 0
  const lost = { answer: 0, commit: 0 }
  const losing = new WeakSet<TcpProxy.Pair>()
  const proxy = yield* TcpProxy.make(port, {
    sent: (data, pair) => {
      const loss = data.includes(commit) && !losing.has(pair) ? lose(++commits) : undefined
      if (loss === undefined) return true
      lost[loss] += 1
      if (loss === "commit") TcpProxy.end(pair)
      else losing.add(pair)
      return loss === "answer"
    },
    answered: (data, pair) => {
      if (!losing.has(pair)) return true
      if (data.includes(committed)) TcpProxy.end(pair)
      return false
    }
  })
  return { port: proxy.port, lost }
})
