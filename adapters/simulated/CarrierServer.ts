import { Clock, Data, Effect, Either, FiberSet, Layer, Schema, type Scope, Stream } from "effect"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { pipeline } from "node:stream/promises"
import type { CarrierUnreachable, LookupFailed } from "../../core/ports/CallDialer.ts"
import * as LedgerFile from "./LedgerFile.ts"
import * as ProgressLog from "./ProgressLog.ts"
import { engine, type EngineOptions } from "./SimulatedCarrier.ts"
import { DialBody, HangUpBody } from "./Wire.ts"

export interface CarrierServerOptions extends Omit<EngineOptions, "journal"> {
  /** Default 0: any free port. */
  readonly port?: number | undefined
  /** Default 127.0.0.1. */
  readonly host?: string | undefined
  /** Where every dial is written, and synced, before it is answered. */
  readonly ledgerFile: string
  /** How much progress is kept for readers that come back. Default 100,000. */
  readonly replay?: number | undefined
}

/** The ledger's file cannot be opened or read, or the port not listened on. */
export class CarrierServerFailed extends Data.TaggedError("CarrierServerFailed")<{
  readonly message: string
  readonly cause: unknown
}> {}

const bodyLimit = 1_000_000
/** A reader that comes for the first time hears this much of the past, in milliseconds. */
const overlap = 120_000
const heartbeat = 10_000

interface Answer {
  readonly status: number
  readonly body?: unknown
}

const coded = (status: number, code: string, message: string, more: object = {}): Answer => ({
  status,
  body: { error: { code, message, ...more } }
})

const decodeDial = Schema.decodeUnknownEither(Schema.parseJson(DialBody))
const decodeHangUp = Schema.decodeUnknownEither(Schema.parseJson(HangUpBody))
const unreadable = (cause: unknown) =>
  new CarrierServerFailed({ message: "the ledger's file cannot be read", cause })
const malformed = coded(400, "invalid_request", "the body is not what is expected")

const bodyOf = (request: http.IncomingMessage) =>
  Effect.promise(async () => {
    let text = ""
    request.setEncoding("utf8")
    for await (const chunk of request) {
      if (text.length <= bodyLimit) text += chunk
    }
    return text
  })

const send = (response: http.ServerResponse, { body, status }: Answer) => {
  const text = body === undefined ? "" : JSON.stringify(body)
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text)
  })
  response.end(text)
}

/** A question without an answer: the carrier cannot tell, or is out of reach. */
const notTold = ({ _tag, message }: LookupFailed | CarrierUnreachable): Effect.Effect<Answer> =>
  Effect.succeed(
    _tag === "LookupFailed" ? coded(409, "conflict", message) : coded(503, "service_unavailable", message)
  )

/**
 * The simulated carrier as a server of its own, for as long as the scope lives. What its ledger holds from
 * before is known to it again; calls go on where they would be by now.
 */
export const serve = Effect.fnUntraced(function* (
  options: CarrierServerOptions
): Effect.fn.Return<{ readonly port: number; readonly url: string }, CarrierServerFailed, Scope.Scope> {
  const ledger = yield* LedgerFile.open(options.ledgerFile).pipe(Effect.mapError(unreadable))
  const { driver, progress: heard, restore } = yield* engine({ ...options, journal: ledger.append })
  yield* Effect.tryPromise({
    try: async () => {
      for await (const entry of ledger.entries()) restore(entry, ledger.lastWritten - overlap)
    },
    catch: unreadable
  })

  const log = ProgressLog.make(options.replay ?? 100_000, (yield* Clock.currentTimeMillis) * 1_024)
  yield* heard.pipe(
    Stream.runForEachChunk((chunk) => Effect.sync(() => log.add(chunk))),
    Effect.forkScoped
  )

  const progress = (response: http.ServerResponse, after: number) => {
    response.writeHead(200, { "content-type": "application/x-ndjson" })
    response.flushHeaders()
    const beat = setInterval(() => response.write("\n"), heartbeat)
    const reader = log.follow(after, (lines) => response.write(lines))
    response.on("drain", reader.more)
    response.on("close", () => {
      clearInterval(beat)
      reader.stop()
    })
  }

  const dials = async function* () {
    for await (const entry of ledger.entries()) if (entry._tag === "Dial") yield `${JSON.stringify(entry)}\n`
  }

  const dial = Effect.fnUntraced(function* (request: http.IncomingMessage) {
    const body = decodeDial(yield* bodyOf(request))
    if (Either.isLeft(body)) return malformed
    return yield* driver.dial(body.right).pipe(
      Effect.map((carrier_call_id): Answer => ({ status: 200, body: { carrier_call_id } })),
      Effect.catchTags({
        DialRefused: ({ code, message, outcome, sub_status }) =>
          Effect.succeed(coded(422, code, message, { outcome, sub_status })),
        CarrierUnreachable: ({ message }) => Effect.succeed(coded(503, "service_unavailable", message)),
        DialInDoubt: ({ message }) => Effect.succeed(coded(504, "gateway_timeout", message))
      })
    )
  })

  const hangUp = Effect.fnUntraced(function* (request: http.IncomingMessage) {
    const body = decodeHangUp(yield* bodyOf(request))
    if (Either.isLeft(body)) return malformed
    return yield* driver.hangUp(body.right).pipe(Effect.as<Answer>({ status: 204 }), Effect.catchAll(notTold))
  })

  const lookup = (query: URLSearchParams) =>
    driver.lookup({ workspace_id: query.get("workspace_id") ?? "", key: query.get("key") ?? "" }).pipe(
      Effect.map((body): Answer => ({ status: 200, body })),
      Effect.catchAll(notTold)
    )

  const handle = Effect.fnUntraced(function* (request: http.IncomingMessage, response: http.ServerResponse) {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://carrier")
    switch (`${request.method} ${pathname}`) {
      case "POST /dial":
        return send(response, yield* dial(request))
      case "POST /hangup":
        return send(response, yield* hangUp(request))
      case "GET /lookup":
        return send(response, yield* lookup(searchParams))
      case "GET /ping":
        return send(response, { status: 204 })
      case "GET /ledger":
        return yield* Effect.promise(() => pipeline(dials, response))
      case "GET /progress": {
        const after = searchParams.get("after")
        const now = yield* Clock.currentTimeMillis
        return progress(response, after === null ? log.before(now - overlap) : Number(after) || 0)
      }
      default:
        return send(response, coded(404, "not_found", "there is no such operation"))
    }
  })

  const run = yield* FiberSet.makeRuntime<never>()
  const server = http.createServer((request, response) => {
    run(
      Effect.catchAllCause(handle(request, response), () =>
        Effect.sync(() => {
          if (!response.headersSent) send(response, coded(500, "internal_error", "the carrier failed"))
          else response.destroy()
        })
      )
    )
  })
  server.keepAliveTimeout = 65_000
  yield* Effect.acquireRelease(
    Effect.async<void, CarrierServerFailed>((resume) => {
      const failed = (cause: Error) =>
        resume(
          Effect.fail(new CarrierServerFailed({ message: "the carrier's port cannot be listened on", cause }))
        )
      server.once("error", failed)
      server.listen(options.port ?? 0, options.host ?? "127.0.0.1", () => {
        server.off("error", failed)
        resume(Effect.void)
      })
    }),
    () =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  const { address, family, port } = server.address() as AddressInfo
  return { port, url: `http://${family === "IPv6" ? `[${address}]` : address}:${port}` }
})

/** The server as part of an application. */
export const layer = (options: CarrierServerOptions): Layer.Layer<never, CarrierServerFailed> =>
  Layer.scopedDiscard(serve(options))
