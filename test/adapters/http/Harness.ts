import { Context, Effect, Layer, Logger, Redacted } from "effect"
import * as http from "node:http"
import * as net from "node:net"
import * as HttpServer from "@effect/platform/HttpServer"
import * as Http from "../../../adapters/http/server/Http.ts"
import * as NodeServer from "../../../adapters/http/server/NodeServer.ts"
import * as Token from "../../../adapters/jwt/Token.ts"
import * as TokenVerifier from "../../../adapters/jwt/TokenVerifier.ts"
import * as RateLimits from "../../../adapters/memory/RateLimits.ts"
import * as RecordingStores from "../../../adapters/memory/RecordingStore.ts"
import * as SignedLinks from "../../../adapters/recordings/SignedLinks.ts"
import { CarrierCallbacks } from "../../../adapters/shared/CarrierCallbacks.ts"
import * as SimulatedSender from "../../../adapters/simulated/SimulatedSender.ts"
import * as Inbox from "../../../adapters/simulated/WebhookInbox.ts"
import { inMemory } from "../../../apps/platform/InMemory.ts"
import { platform } from "../../../apps/platform/Platform.ts"
import type { Ports } from "../../../apps/platform/Ports.ts"
import type { CarrierReports } from "../../../core/engine/CarrierReports.ts"
import { allScopes, type Scope } from "../../../core/model/workspaces/Principal.ts"
import type { AgentSimulator } from "../../../core/ports/AgentSimulator.ts"
import { CallDialer, CarrierUnreachable } from "../../../core/ports/CallDialer.ts"
import { Dispatcher } from "../../../core/ports/Dispatcher.ts"
import type { MessageSender } from "../../../core/ports/MessageSender.ts"
import type { NumberInventory } from "../../../core/ports/NumberInventory.ts"
import type { RecordingStore } from "../../../core/ports/RecordingStore.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import type { ScenarioGenerator } from "../../../core/ports/ScenarioGenerator.ts"
import type { TemplateRegistry } from "../../../core/ports/TemplateRegistry.ts"
import { Credits } from "../../../core/usecases/Credits.ts"
import { PhoneNumbers } from "../../../core/usecases/PhoneNumbers.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"

export interface Options extends Partial<NodeServer.Options> {
  readonly repository?: Layer.Layer<Repository>
  readonly logRequests?: boolean
  readonly corsOrigins?: ReadonlyArray<string>
  readonly basePath?: string
  readonly extra?: Layer.Layer<never>
  readonly generator?: Layer.Layer<ScenarioGenerator>
  readonly inventory?: Layer.Layer<NumberInventory>
  readonly registry?: Layer.Layer<TemplateRegistry>
  readonly recordings?: Layer.Layer<RecordingStore>
  readonly links?: SignedLinks.Options
  readonly sender?: Layer.Layer<MessageSender, never, CarrierReports>
  readonly simulator?: Layer.Layer<AgentSimulator>
  /** Generations of scenarios that a workspace has, at once and per minute. Default 1,000. */
  readonly generations?: number
  /** Requests that a credential has, at once and per minute. Default unlimited. */
  readonly requests?: number
  /** Does what is due, instead of only noting which workspace was woken. */
  readonly works?: boolean
  /** Who takes what a carrier calls back. */
  readonly callbacks?: Layer.Layer<CarrierCallbacks>
}

export interface Reply {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
  readonly bytes: Buffer
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any
}

export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Whether the answer is done with its head: one may have no end. Default false. */
  readonly headAlone?: boolean
}

export const tokenSecret = Redacted.make("a secret for tests, of at least 32 bytes")

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** One request over a connection of its own. */
export const send = (
  port: number,
  path: string,
  { body, headAlone = false, headers = {}, method = "GET" }: Sent = {}
) =>
  Effect.async<Reply, Error>((resume) => {
    const request = http.request(
      { host: "127.0.0.1", port, path, method, headers, agent: false },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", (error) => resume(Effect.fail(error)))
        const answer = () => {
          const bytes = Buffer.concat(chunks)
          const text = bytes.toString("utf8")
          resume(
            Effect.succeed({
              status: response.statusCode!,
              headers: response.headers,
              text,
              bytes,
              json: parsed(text)
            })
          )
        }
        if (!headAlone) return void response.on("end", answer)
        answer()
        response.destroy()
      }
    )
    request.on("error", (error) => resume(Effect.fail(error)))
    request.end(body)
    return Effect.sync(() => request.destroy())
  })

/** Bytes over a bare socket; everything that came back until the server closed. */
export const exchange = (port: number, ...pieces: ReadonlyArray<string | Uint8Array>) =>
  Effect.async<string>((resume) => {
    const socket = net.connect(port, "127.0.0.1", () => {
      for (const piece of pieces) socket.write(piece)
    })
    const chunks: Array<Buffer> = []
    socket.on("data", (chunk: Buffer) => chunks.push(chunk))
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(Buffer.concat(chunks).toString("utf8"))))
    return Effect.sync(() => socket.destroy())
  })

/** The JSON body of an answer that came over a bare socket. */
export const bodyOf = (reply: string) => JSON.parse(reply.slice(reply.indexOf("\r\n\r\n") + 4))

/** A real listener on a free port over the repository in memory, with one workspace and its keys. */
export const start = Effect.fnUntraced(function* (options: Options = {}) {
  const woken: Array<string> = []
  const carrier = { available: true }
  const basePath = options.basePath ?? "/v0"
  const unreachable = { message: "nothing is dialled here" }
  const noted = Layer.succeed(Dispatcher, { wake: (id) => Effect.sync(() => void woken.push(id)) })
  const ports: Ports = {
    ...inMemory,
    ...(options.repository && { store: options.repository }),
    ...(options.generator && { generator: options.generator }),
    ...(options.inventory && { inventory: options.inventory }),
    ...(options.registry && { registry: options.registry }),
    ...(options.simulator && { simulator: options.simulator }),
    audio: options.recordings ?? RecordingStores.layer(),
    sender: options.sender ?? SimulatedSender.layer({ speed: Infinity }),
    links: SignedLinks.layer({ basePath, ...options.links }),
    rateLimits: RateLimits.layer(
      { limit: options.generations ?? 1_000, window: "1 minute" },
      options.requests === undefined ? null : { limit: options.requests, window: "1 minute" }
    ),
    dispatcher: options.works === true ? inMemory.dispatcher : noted,
    carrier: Layer.succeed(CallDialer, {
      dial: () => Effect.fail(new CarrierUnreachable(unreachable)),
      lookup: () => Effect.fail(new CarrierUnreachable(unreachable)),
      hangUp: () => Effect.void,
      available: Effect.sync(() => carrier.available),
      awaitAvailable: Effect.suspend(() => (carrier.available ? Effect.void : Effect.never))
    })
  }
  const server = NodeServer.layer({ host: "127.0.0.1", port: 0, ...options })
  const { corsOrigins, logRequests = false } = options
  const app = Http.layer({ basePath, corsOrigins, logRequests }).pipe(
    Layer.provideMerge(Layer.mergeAll(server, platform(ports), Inbox.layer)),
    Layer.provideMerge(TokenVerifier.layer({ secret: tokenSecret })),
    Layer.provide(options.callbacks ?? CarrierCallbacks.none),
    Layer.provide(options.extra ?? Layer.empty)
  )
  const context = yield* Layer.build(app)
  const { address } = Context.get(context, HttpServer.HttpServer)
  const port = address._tag === "TcpAddress" ? address.port : 0

  const workspaces = Context.get(context, Workspaces)
  const credits = Context.get(context, Credits)
  const workspace = yield* workspaces.create({ name: "Test" })
  yield* credits.topUp(workspace.id, 100, null)
  const keyWith = (scopes: ReadonlyArray<Scope>, workspace_id = workspace.id) =>
    Effect.map(Effect.orDie(workspaces.createKey(workspace_id, { name: "test", scopes })), ({ key }) => key)
  const key = yield* keyWith(allScopes)
  const from = yield* Context.get(context, PhoneNumbers).add(workspace.id, {
    number: "+14155550100",
    label: null
  })

  const repository = Context.get(context, Repository)
  const countCalls = Effect.map(
    repository.calls.list(workspace.id, {}, { limit: 1, offset: 0 }),
    ({ total }) => total
  )

  const call = (path: string, sent: Sent & { readonly json?: unknown } = {}) =>
    send(port, `${basePath}${path}`, {
      ...sent,
      method: sent.method ?? (sent.body === undefined && sent.json === undefined ? "GET" : "POST"),
      headers: {
        "x-api-key": key,
        ...((sent.json !== undefined || sent.body !== undefined) && { "content-type": "application/json" }),
        ...sent.headers
      },
      ...(sent.json !== undefined && { body: JSON.stringify(sent.json) })
    })

  return {
    port,
    context,
    workspace,
    workspaces,
    repository,
    credits,
    key,
    keyWith,
    from,
    woken,
    carrier,
    countCalls,
    /** A request under the base path, with the key of all scopes. */
    call,
    /** A request anywhere, with nothing added. */
    raw: (path: string, sent?: Sent) => send(port, path, sent),
    token: (scopes: ReadonlyArray<Scope>, workspace_id = workspace.id) =>
      Token.sign(tokenSecret, { workspace_id, scopes }, "1 minute")
  }
})

/** The least that places a call. */
export const minimal = { agent_id: "agent_1", to_number: "+14155550123" }

/** Every log line, as text, as a production logger would write it. */
export const captured = () => {
  const lines: Array<string> = []
  const waiting = new Set<() => void>()
  const logger = Logger.map(Logger.jsonLogger, (line) => {
    lines.push(line)
    for (const look of waiting) look()
  })
  /** Waits until there are so many. */
  const awaitLines = (count: number) =>
    Effect.async<void>((resume) => {
      const look = () => {
        if (lines.length < count) return
        waiting.delete(look)
        resume(Effect.void)
      }
      waiting.add(look)
      look()
    })
  return { lines, awaitLines, layer: Logger.replace(Logger.defaultLogger, logger) }
}

export interface FormPart {
  readonly name?: string
  readonly filename?: string
  readonly type?: string
  readonly content: string | Uint8Array
}

/** A form as browsers send it. */
export const form = (...parts: ReadonlyArray<FormPart>) => {
  const boundary = "----WebKitFormBoundary7MA4YWxkTrZu0gW"
  const pieces = parts.flatMap(
    ({ content, filename = "recipients.csv", name = "file", type = "text/csv" }) => [
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\n` +
        `Content-Type: ${type}\r\n\r\n`,
      content,
      "\r\n"
    ]
  )
  return {
    method: "POST",
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)))
  }
}
