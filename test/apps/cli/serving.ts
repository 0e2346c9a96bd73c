import { Effect } from "effect"
import type * as http from "node:http"
import type { Screen } from "../../../apps/cli/terminal/Output.ts"
import { asText, listen } from "../../Listener.ts"
import { commandLine } from "./commandLine.ts"

export const key = `od_live_0123456789abcdef_${"s".repeat(64)}`

export interface Got {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

export type Answering = (got: Got, response: http.ServerResponse, nth: number) => void

/** A server that answers in a test's own words and keeps what it was asked, and a command line that asks it. */
export const serving = Effect.fnUntraced(function* (
  answer: Answering,
  options: { readonly columns?: number; readonly screen?: Screen } = {}
) {
  const requests: Array<Got> = []
  const server = yield* listen(asText, ({ bytes: body, headers, method, number, request, response }) => {
    const got = { method, path: request.url!, headers, body }
    requests.push(got)
    answer(got, response, number + 1)
  })
  const { port } = server
  const url = `${server.url}/v0`
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
