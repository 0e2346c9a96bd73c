import { Effect } from "effect"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import type { Screen } from "../../../apps/cli/terminal/Output.ts"
import { commandLine } from "./commandLine.ts"

export const key = `od_live_0123456789abcdef_${"s".repeat(64)}`

export interface Got {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

export type Answering = (got: Got, response: http.ServerResponse, nth: number) => void

/** Closes at once, connections in use included, as a process that is killed. */
const closed = (server: http.Server) =>
  Effect.async<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

export const listen = (answer: http.RequestListener, port = 0) =>
  Effect.acquireRelease(
    Effect.async<http.Server>((resume) => {
      const server = http.createServer(answer)
      server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    closed
  )

/** A server that answers in a test's own words and keeps what it was asked, and a command line that asks it. */
export const serving = Effect.fnUntraced(function* (
  answer: Answering,
  options: { readonly columns?: number; readonly screen?: Screen } = {}
) {
  const requests: Array<Got> = []
  const server = yield* listen((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { headers, method = "", url: path = "" } = request
      const got = { method, path, headers, body: Buffer.concat(chunks) }
      requests.push(got)
      answer(got, response, requests.length)
    })
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/v0`
  return {
    port,
    url,
    requests,
    run: commandLine({ OUTDIAL_URL: url, OUTDIAL_API_KEY: key }, options.columns, options.screen)
  }
})

/** Answers with JSON. */
export const json = (response: http.ServerResponse, body: unknown, status = 200) =>
  void response
    .writeHead(status, { "content-type": "application/json" })
    .end(typeof body === "string" ? body : JSON.stringify(body))

export const refusal = (code: string, message: string) => ({ error: { code, message } })

/** A terminal made up for a test; `shown` is what stands on its last line. */
export const screenOf = (columns: number) => {
  const written: Array<string> = []
  const waiting = new Set<() => void>()
  const shown = () => written.join("").split("\r\u001b[K").at(-1)!
  const screen: Screen = {
    columns: () => columns,
    write: (text) =>
      Effect.sync(() => {
        written.push(text)
        for (const look of waiting) look()
      })
  }
  /** Waits until the last line is of such a form. */
  const awaitShown = (pattern: RegExp) =>
    Effect.async<void>((resume) => {
      const look = () => {
        if (!pattern.test(shown())) return
        waiting.delete(look)
        resume(Effect.void)
      }
      waiting.add(look)
      look()
    })
  return { screen, written, shown, awaitShown }
}
