import type { ClientRequest, IncomingMessage } from "node:http"
import { Effect } from "effect"
import type { AgentPart } from "../../core/ports/AgentModel.ts"
import {
  ModelBusy,
  type ModelFailure,
  ModelTimedOut,
  ModelUnavailable,
  ModelUnusable
} from "../../core/ports/ModelFailure.ts"
import { fromStatus } from "./Failures.ts"
import { countTokens } from "./OpenQuestion.ts"
import { ServerSentEvents } from "./ServerSentEvents.ts"
import { StreamedAnswer } from "./StreamedAnswer.ts"
import { isUsedUp } from "./Wire.ts"

export interface ReplyOptions {
  /** Begins a request, over a new connection if `fresh`; `withUsage`: it asks for the usage. */
  readonly send: (withUsage: boolean, fresh: boolean) => ClientRequest
  readonly withUsage: boolean
  /** The server does not know how to be asked for the usage. */
  readonly onUsageRefused: () => void
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Each part, as it comes. */
  readonly hear: (part: AgentPart) => void
  /** Milliseconds until the first token, and between two. */
  readonly firstToken: number
  readonly stall: number
}

/** Bytes of a refusal that are read. */
const mostRefusal = 64 * 1_024

/** How long the end of a connection that is to be kept may take, in milliseconds. */
const linger = 1_000

const codeOf = (error: NodeJS.ErrnoException): string =>
  /^[A-Z][A-Z0-9_]{2,60}$/.test(error.code ?? "") ? error.code! : "UNKNOWN"

const failureOf = (status: number, header: string | undefined, body: string, now: number): ModelFailure => {
  const failure = fromStatus(status, header, status === 429 && isUsedUp(body), now)
  return failure._tag === "SlowDown"
    ? new ModelBusy({
        message: "the model takes no more for the moment",
        retry_after: Math.max(1, Math.ceil((failure.wait ?? 1_000) / 1_000))
      })
    : failure
}

/**
 * One streamed answer, from the request to its end. Its parts are heard in the turn of the event loop that brings them:
 * no fiber lies between, since thousands of answers come word by word.
 */
export class StreamedReply {
  readonly #options: ReplyOptions
  readonly #answer = new StreamedAnswer()
  #request: ClientRequest | undefined
  readonly #parts: Array<AgentPart> = []
  #outcome: ModelFailure | "end" | undefined
  #resume: ((outcome: ModelFailure | "end") => void) | undefined
  /** When the last token came; before the first, when it was asked. */
  #aliveAt: number

  constructor(options: ReplyOptions) {
    this.#options = options
    this.#aliveAt = options.now()
    this.#send(options.withUsage, false)
  }

  /** Completes when the answer is whole. */
  readonly ended: Effect.Effect<void, ModelFailure> = Effect.async((resume) => {
    this.#resume = (outcome) => resume(outcome === "end" ? Effect.void : Effect.fail(outcome))
    if (this.#outcome !== undefined) this.#resume(this.#outcome)
  })

  /** When it is given up unless something comes before, epoch milliseconds. */
  get dueAt(): number {
    return this.#aliveAt + (this.#answer.begun ? this.#options.stall : this.#options.firstToken)
  }

  /** Nothing came in time. An answer that had come to its end counts. */
  expire(): void {
    if (this.#answer.finished) return this.#finish()
    this.#settle(
      new ModelTimedOut({
        message: this.#answer.begun ? "the model's answer stalled" : "the model did not answer in time"
      })
    )
  }

  /** Ends the request. A connection whose answer is whole is kept. */
  close(): void {
    const request = this.#request
    if (request === undefined) return
    if (this.#outcome === "end") request.setTimeout(linger, () => request.destroy())
    else request.destroy()
    this.#outcome ??= "end"
  }

  #settle(outcome: ModelFailure | "end"): void {
    if (this.#outcome !== undefined) return
    this.#outcome = outcome
    this.#resume?.(outcome)
  }

  #tell(): void {
    for (const part of this.#parts) this.#options.hear(part)
    this.#parts.length = 0
  }

  #send(withUsage: boolean, fresh: boolean): void {
    const request = this.#options.send(withUsage, fresh)
    this.#request = request
    let answered = false
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (request !== this.#request || answered) return
      // A kept connection that the server closed meanwhile.
      const isStale = request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE")
      if (isStale && !fresh && this.#outcome === undefined) return this.#send(withUsage, true)
      this.#settle(new ModelUnavailable({ message: `the model cannot be reached (${codeOf(error)})` }))
    })
    request.on("response", (response) => {
      answered = true
      response.on("error", () => {
        if (request === this.#request) this.#brokenOff()
      })
      const status = response.statusCode ?? 0
      if (status >= 200 && status < 300) this.#listen(response)
      else this.#refused(response, status, withUsage)
    })
  }

  #listen(response: IncomingMessage): void {
    const events = new ServerSentEvents()
    const read = (next: () => ReadonlyArray<string>) => {
      if (this.#outcome !== undefined) return
      try {
        for (const data of next()) this.#read(data)
      } catch {
        this.#settle(new ModelUnusable({ message: "the model's answer is too long" }))
      }
    }
    response.on("data", (bytes: Buffer) => read(() => events.push(bytes)))
    response.on("end", () => {
      read(() => events.end())
      this.#finish()
    })
    response.on("close", () => this.#brokenOff())
  }

  #read(data: string): void {
    if (this.#outcome !== undefined) return
    const result = this.#answer.read(data, this.#parts)
    if (this.#answer.begun) this.#aliveAt = this.#options.now()
    this.#tell()
    if (result === "last") this.#finish()
    else if (result !== "more") this.#settle(result)
  }

  #finish(): void {
    if (this.#outcome !== undefined) return
    const end = this.#answer.end()
    if (!("parts" in end)) return this.#settle(end)
    for (const part of end.parts) this.#options.hear(part)
    countTokens(end.usage)
    this.#settle("end")
  }

  #brokenOff(): void {
    if (this.#answer.finished) this.#finish()
    else this.#settle(new ModelUnavailable({ message: "the model's answer broke off" }))
  }

  #refused(response: IncomingMessage, status: number, withUsage: boolean): void {
    if (withUsage && (status === 400 || status === 422)) {
      response.resume()
      return this.#again()
    }
    const chunks: Array<Buffer> = []
    let read = 0
    const done = () =>
      this.#settle(
        failureOf(
          status,
          response.headers["retry-after"],
          Buffer.concat(chunks).toString("utf8"),
          this.#options.now()
        )
      )
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk)
      read += chunk.length
      if (read > mostRefusal) done()
    })
    response.on("end", done)
    response.on("close", done)
  }

  /** The same without asking for the usage. */
  #again(): void {
    this.#send(false, false)
    this.#request!.once("response", ({ statusCode = 0 }) => {
      if (statusCode >= 200 && statusCode < 300) this.#options.onUsageRefused()
    })
  }
}
