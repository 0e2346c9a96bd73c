import { Effect, Option } from "effect"
import * as http from "node:http"
import * as https from "node:https"

const patience = "5 seconds"
/** Characters of an answer that are read. */
const most = 4_096

export interface Answer {
  readonly status: number
  readonly text: string
}

/** The answer to a GET, without redirects; none when there is none in time. */
export const ask = (address: string): Effect.Effect<Option.Option<Answer>> =>
  Effect.async<Option.Option<Answer>>((resume) => {
    const { get } = address.startsWith("https:") ? https : http
    const request = get(address, { agent: false }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (piece: string) => {
        text += piece
        if (text.length > most) response.destroy()
      })
      response.once("close", () => resume(Effect.succeedSome({ status: response.statusCode ?? 0, text })))
    })
    request.on("error", () => resume(Effect.succeedNone))
    return Effect.sync(() => request.destroy())
  }).pipe(Effect.timeoutTo({ duration: patience, onTimeout: Option.none, onSuccess: (answer) => answer }))
