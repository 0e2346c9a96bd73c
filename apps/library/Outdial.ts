import { ConfigError, Context, Effect, Exit, Layer, ManagedRuntime, type Runtime } from "effect"
import { CarrierReports, type CarrierReportsShape } from "../../core/engine/CarrierReports.ts"
import { Events } from "../../core/engine/Events.ts"
import { Agents, type AgentsShape } from "../../core/usecases/Agents.ts"
import { AvailableNumbers, type AvailableNumbersShape } from "../../core/usecases/AvailableNumbers.ts"
import { Calls, type CallsShape } from "../../core/usecases/Calls.ts"
import { Campaigns, type CampaignsShape } from "../../core/usecases/Campaigns.ts"
import { Credits, type CreditsShape } from "../../core/usecases/Credits.ts"
import { DoNotCallList, type DoNotCallListShape } from "../../core/usecases/DoNotCallList.ts"
import { Imports, type ImportsShape } from "../../core/usecases/Imports.ts"
import { PhoneNumbers, type PhoneNumbersShape } from "../../core/usecases/PhoneNumbers.ts"
import { Recipients, type RecipientsShape } from "../../core/usecases/Recipients.ts"
import { Recordings, type RecordingsShape } from "../../core/usecases/Recordings.ts"
import { Runs, type RunsShape } from "../../core/usecases/Runs.ts"
import { Simulations, type SimulationsShape } from "../../core/usecases/Simulations.ts"
import { Suites, type SuitesShape } from "../../core/usecases/Suites.ts"
import { Templates, type TemplatesShape } from "../../core/usecases/Templates.ts"
import { Webhooks, type WebhooksShape } from "../../core/usecases/Webhooks.ts"
import { Workspaces, type WorkspacesShape } from "../../core/usecases/Workspaces.ts"
import { sentence } from "../platform/Explain.ts"
import { assemble, type Services } from "./Assembly.ts"
import { EventStream, type Wanted } from "./EventStream.ts"
import { quiet } from "./Logs.ts"
import type { Options } from "./Options.ts"
import * as Groups from "./promises/Groups.ts"
import { type Life, promised, thrown } from "./promises/Promised.ts"
import { Disposed, InvalidOptions } from "./promises/Refusals.ts"
import type { UseCases } from "./promises/UseCases.ts"

/** The use cases over a runtime's services. */
const useCasesOf = (runtime: Runtime.Runtime<Services>, life: Life): UseCases => {
  const { context } = runtime
  const verbs =
    <Shape>() =>
    <Verbs extends object>(group: Verbs) =>
      promised<Shape>()(group, runtime, life)
  return {
    workspaces: verbs<WorkspacesShape>()(Groups.workspaces(Context.get(context, Workspaces))),
    calls: verbs<CallsShape & Pick<CarrierReportsShape, "record">>()(
      Groups.calls(Context.get(context, Calls), Context.get(context, CarrierReports))
    ),
    campaigns: verbs<CampaignsShape>()(Groups.campaigns(Context.get(context, Campaigns))),
    simulations: verbs<SimulationsShape>()(Groups.simulations(Context.get(context, Simulations))),
    recipients: verbs<RecipientsShape>()(Groups.recipients(Context.get(context, Recipients))),
    imports: verbs<ImportsShape>()(Groups.imports(Context.get(context, Imports))),
    agents: verbs<AgentsShape>()(Groups.agents(Context.get(context, Agents))),
    doNotCall: verbs<DoNotCallListShape>()(Groups.doNotCall(Context.get(context, DoNotCallList))),
    recordings: verbs<RecordingsShape>()(Groups.recordings(Context.get(context, Recordings))),
    templates: verbs<TemplatesShape>()(Groups.templates(Context.get(context, Templates))),
    suites: verbs<SuitesShape>()(Groups.suites(Context.get(context, Suites))),
    runs: verbs<RunsShape>()(Groups.runs(Context.get(context, Runs))),
    webhooks: verbs<WebhooksShape>()(Groups.webhooks(Context.get(context, Webhooks))),
    credits: verbs<CreditsShape>()(Groups.credits(Context.get(context, Credits))),
    numbers: {
      ...verbs<PhoneNumbersShape>()(Groups.numbers(Context.get(context, PhoneNumbers))),
      ...verbs<AvailableNumbersShape>()(Groups.availableNumbers(Context.get(context, AvailableNumbers)))
    }
  }
}

/** A platform that runs in this process. */
export interface Outdial extends UseCases {
  /**
   * Everything that happens to calls from now on, as it happens: what webhooks would be told, whether there are any
   * or not. It is what this process commits; of other processes on the same store it hears nothing. Nobody waits for
   * a reader: one that is more than 16,384 events behind loses the oldest. What must not be lost goes to a webhook.
   * Leave the loop, or call `return()`, to stop listening.
   */
  readonly events: (wanted?: Wanted) => EventStream
  /**
   * Answers a request to the REST interface: `/v0/…`, `/docs`, `/openapi.json`, `/health/…`, `/metrics` and
   * `/callbacks/…`. Bodies are limited as on the server (256 KiB, 30 seconds). It is bound: it can be handed over.
   */
  readonly fetch: (request: Request) => Promise<Response>
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
  const listeners = listening(runtime)
  const life: Life = { over: false }
  let disposed: Promise<void> | undefined
  const dispose = async () => {
    life.over = true
    await rest.close()
    await listeners.close()
    await managed.dispose()
  }
  return {
    ...useCasesOf(runtime, life),
    events: listeners.events,
    fetch: rest.fetch,
    dispose: () => (disposed ??= dispose()),
    runtime: managed as ManagedRuntime.ManagedRuntime<Services, never>,
    layer: Layer.succeedContext(runtime.context)
  }
}
