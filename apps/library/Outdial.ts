import { ConfigError, Context, Effect, Exit, Layer, ManagedRuntime, type Runtime } from "effect"
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import type { Upgrade } from "../../adapters/http/server/WebSockets.ts"
import { CarrierReports } from "../../core/engine/CarrierReports.ts"
import { Events } from "../../core/engine/Events.ts"
import { Agents } from "../../core/usecases/Agents.ts"
import { AuditLog } from "../../core/usecases/AuditLog.ts"
import { AvailableNumbers } from "../../core/usecases/AvailableNumbers.ts"
import { CallBatches } from "../../core/usecases/CallBatches.ts"
import { Calls } from "../../core/usecases/Calls.ts"
import { Campaigns } from "../../core/usecases/Campaigns.ts"
import { Carriers } from "../../core/usecases/Carriers.ts"
import { Changes } from "../../core/usecases/Changes.ts"
import { Credits } from "../../core/usecases/Credits.ts"
import { DoNotCallList } from "../../core/usecases/DoNotCallList.ts"
import { Imports } from "../../core/usecases/Imports.ts"
import { People } from "../../core/usecases/People.ts"
import { PhoneNumbers } from "../../core/usecases/PhoneNumbers.ts"
import { Recipients } from "../../core/usecases/Recipients.ts"
import { Recordings } from "../../core/usecases/Recordings.ts"
import { Runs } from "../../core/usecases/Runs.ts"
import { Sessions } from "../../core/usecases/Sessions.ts"
import { Simulations } from "../../core/usecases/Simulations.ts"
import { Suites } from "../../core/usecases/Suites.ts"
import { Templates } from "../../core/usecases/Templates.ts"
import { UsageReports } from "../../core/usecases/UsageReports.ts"
import { Webhooks } from "../../core/usecases/Webhooks.ts"
import { Workspaces } from "../../core/usecases/Workspaces.ts"
import { sentence } from "../platform/Explain.ts"
import { assemble, type Services } from "./Assembly.ts"
import { EventStream, type Wanted } from "./EventStream.ts"
import { quiet } from "./Logs.ts"
import type { Options } from "./Options.ts"
import * as Groups from "./promises/Groups.ts"
import { knowing, type Known, type Life, promised, thrown } from "./promises/Promised.ts"
import { Disposed, InvalidOptions } from "./promises/Refusals.ts"
import type { UseCases } from "./promises/UseCases.ts"

/** The use cases over a runtime's services. */
const useCasesOf = (runtime: Runtime.Runtime<Services>, life: Life): UseCases => {
  const known = knowing(Context.get(runtime.context, Workspaces))
  const of = <Id extends Services, Shape, Verbs extends object>(
    tag: Context.Tag<Id, Shape>,
    group: (use: Shape) => Verbs,
    whose?: Known
  ) => promised<Shape>()(group(Context.get(runtime.context, tag)), runtime, life, whose)
  return {
    workspaces: of(Workspaces, Groups.workspaces),
    calls: { ...of(Calls, Groups.calls, known), ...of(CarrierReports, Groups.reports) },
    callBatches: of(CallBatches, Groups.callBatches, known),
    campaigns: of(Campaigns, Groups.campaigns, known),
    simulations: of(Simulations, Groups.simulations, known),
    recipients: of(Recipients, Groups.recipients, known),
    imports: of(Imports, Groups.imports, known),
    agents: of(Agents, Groups.agents, known),
    doNotCall: of(DoNotCallList, Groups.doNotCall, known),
    recordings: of(Recordings, Groups.recordings, known),
    sessions: of(Sessions, Groups.sessions, known),
    templates: of(Templates, Groups.templates, known),
    suites: of(Suites, Groups.suites, known),
    runs: of(Runs, Groups.runs, known),
    webhooks: of(Webhooks, Groups.webhooks, known),
    people: of(People, Groups.people, known),
    audit: of(AuditLog, Groups.audit, known),
    usage: of(UsageReports, Groups.usage, known),
    carriers: of(Carriers, Groups.carriers),
    changes: of(Changes, Groups.changes, known),
    credits: of(Credits, Groups.credits, known),
    numbers: { ...of(PhoneNumbers, Groups.numbers, known), ...of(AvailableNumbers, Groups.availableNumbers) }
  }
}

/** What `upgrade` reads of a request of `node:http`. */
export interface UpgradeRequest {
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

/** The connection of such a request. */
export interface UpgradedConnection {
  readonly destroy: () => unknown
}

/** A platform that runs in this process. */
export interface Outdial extends UseCases {
  /**
   * Everything that happens to calls from now on, as it happens: what webhooks would be told, whether there are any
   * or not. It is what this process commits; of other processes on the same store it hears nothing. No work waits for
   * a reader: one that is more than 16,384 events behind loses the oldest. What must not be lost goes to a webhook.
   * Leave the loop, or call `return()`, to stop listening.
   */
  readonly events: (wanted?: Wanted) => EventStream
  /**
   * Answers a request to the REST interface: `/v0/…`, `/docs`, `/openapi.json`, `/health/…`, `/metrics` and
   * `/callbacks/…`. Bodies are limited as on the server (256 KiB, 30 seconds). It is bound: it can be handed over.
   */
  readonly fetch: (request: Request) => Promise<Response>
  /**
   * Takes a request for a WebSocket, as node's HTTP server tells of it by its event `upgrade`: those of Twilio's relay
   * below `/callbacks/`, and those that try an agent out below `/v0/conversations/`. Any other is refused with 404. It is
   * bound: `server.on("upgrade", outdial.upgrade)`. For runtimes that have `node:http`.
   */
  readonly upgrade: (request: UpgradeRequest, socket: UpgradedConnection, head: Uint8Array) => void
  /** Ends the loops, lets what is in hand come to its end, and closes the store. What waits goes on at the next start. */
  readonly dispose: () => Promise<void>
  /** Runs Effect programs on the services of this platform. */
  readonly runtime: ManagedRuntime.ManagedRuntime<Services, never>
  /** The services of this platform as a layer: providing it starts nothing anew. */
  readonly layer: Layer.Layer<Services>
}

const listening = (runtime: Runtime.Runtime<Services>) => {
  const open = new Set<EventStream>()
  const events = Context.get(runtime.context, Events)
  return {
    events: (wanted: Wanted = {}) => {
      const stream: EventStream = new EventStream(events, wanted, runtime, () => open.delete(stream))
      open.add(stream)
      return stream
    },
    close: () => Promise.all([...open].map((stream) => stream.return()))
  }
}

/** The REST interface, which is made at its first request. */
const serving = (options: Options, services: Context.Context<Services>) => {
  let made: Promise<() => Promise<void>> | undefined
  let handle: ((request: Request) => Promise<Response>) | undefined
  let over = false
  const make = async () => {
    const { FetchHandler, restOf } = await import("./Rest.ts")
    const rest = ManagedRuntime.make(Layer.provide(restOf(options, services), quiet(options.log)))
    const exit = await rest.runPromiseExit(FetchHandler)
    if (Exit.isFailure(exit)) throw refusal(thrown(exit.cause))
    handle = exit.value.fetch
    return () => rest.dispose()
  }
  return {
    fetch: async (request: Request) => {
      if (handle === undefined && over) throw new Disposed()
      if (handle === undefined) await (made ??= make())
      return handle!(request)
    },
    close: async () => {
      over = true
      const dispose = await made?.catch(() => undefined)
      await dispose?.()
    }
  }
}

/** WebSockets, which are made at their first request. */
const upgrading = (options: Options, services: Context.Context<Services>) => {
  let made: Promise<readonly [Upgrade, () => Promise<void>]> | undefined
  let over = false
  const make = async () => {
    const { SocketHandler, socketsOf } = await import("./Upgrades.ts")
    const sockets = ManagedRuntime.make(Layer.provide(socketsOf(options, services), quiet(options.log)))
    const { upgrade } = await sockets.runPromise(SocketHandler)
    return [upgrade, () => sockets.dispose()] as const
  }
  return {
    upgrade: (request: UpgradeRequest, socket: UpgradedConnection, head: Uint8Array) => {
      if (over) return void socket.destroy()
      made ??= make()
      made.then(
        ([upgrade]) => upgrade(request as IncomingMessage, socket as Duplex, head as Buffer),
        () => socket.destroy()
      )
    },
    close: async () => {
      over = true
      await (await made?.catch(() => undefined))?.[1]()
    }
  }
}

/** What building one is rejected with: a wrong setting is told in words. */
const refusal = (error: unknown): unknown =>
  ConfigError.isConfigError(error) ? new InvalidOptions(sentence(error) ?? "an option is not valid") : error

/** Builds a platform and starts it. */
export const make = async (options: Options): Promise<Outdial> => {
  const managed = ManagedRuntime.make(Layer.provideMerge(assemble(options), quiet(options.log)))
  const exit = await Effect.runPromiseExit(managed.runtimeEffect)
  if (Exit.isFailure(exit)) {
    await managed.dispose()
    throw refusal(thrown(exit.cause))
  }
  const runtime = exit.value
  const rest = serving(options, runtime.context)
  const sockets = upgrading(options, runtime.context)
  const listeners = listening(runtime)
  const life: Life = { over: false }
  let disposed: Promise<void> | undefined
  const dispose = async () => {
    life.over = true
    await Promise.all([sockets.close(), rest.close()])
    await listeners.close()
    await managed.dispose()
  }
  return {
    ...useCasesOf(runtime, life),
    events: listeners.events,
    fetch: rest.fetch,
    upgrade: sockets.upgrade,
    dispose: () => (disposed ??= dispose()),
    runtime: managed as ManagedRuntime.ManagedRuntime<Services, never>,
    layer: Layer.succeedContext(runtime.context)
  }
}
