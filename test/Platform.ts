import { ConfigProvider, Effect, Layer } from "effect"
import type { CarrierLedger } from "../adapters/simulated/CarrierLedger.ts"
import * as Simulated from "../adapters/simulated/SimulatedCarrier.ts"
import * as SimulatedSender from "../adapters/simulated/SimulatedSender.ts"
import * as Inbox from "../adapters/simulated/WebhookInbox.ts"
import { inMemory } from "../apps/platform/InMemory.ts"
import { limits } from "../apps/platform/Limits.ts"
import { platform } from "../apps/platform/Platform.ts"
import { CarrierReports } from "../core/engine/CarrierReports.ts"
import { ConversationRunner } from "../core/engine/ConversationRunner.ts"
import { fromJson } from "../core/model/calls/PlaceCall.ts"
import type { CampaignDraft } from "../core/model/campaigns/CampaignBody.ts"
import { RawJson } from "../core/model/json/RawJson.ts"
import type { AgentModel } from "../core/ports/AgentModel.ts"
import type * as AgentSimulator from "../core/ports/AgentSimulator.ts"
import type { CallDialer } from "../core/ports/CallDialer.ts"
import type { CallReviewer } from "../core/ports/CallReviewer.ts"
import type { Prices } from "../core/ports/Prices.ts"
import type { Repository } from "../core/ports/Repository.ts"
import type * as ScenarioGenerator from "../core/ports/ScenarioGenerator.ts"
import type { ToolRunner } from "../core/ports/ToolRunner.ts"
import { Agents } from "../core/usecases/Agents.ts"
import { Calls } from "../core/usecases/Calls.ts"
import { Campaigns } from "../core/usecases/Campaigns.ts"
import { Credits } from "../core/usecases/Credits.ts"
import { PhoneNumbers } from "../core/usecases/PhoneNumbers.ts"
import { Recipients } from "../core/usecases/Recipients.ts"
import { Webhooks } from "../core/usecases/Webhooks.ts"
import { type WorkspaceDraft, Workspaces } from "../core/usecases/Workspaces.ts"
import * as Tables from "./adapters/tables/InProcess.ts"

export interface Options {
  readonly carrier?: Simulated.SimulatedCarrierOptions
  /** Callees talk, and their conversations are held here. */
  readonly talking?: boolean
  /** Who makes scenarios, plays their personas and judges. */
  readonly model?: Layer.Layer<AgentSimulator.AgentSimulator | ScenarioGenerator.ScenarioGenerator>
  /** What agents that talk think with, if not rules. */
  readonly mind?: Layer.Layer<AgentModel>
  /** What carries out agents' own tools, if they are not answered within the process. */
  readonly tools?: Layer.Layer<ToolRunner>
  /** What things cost; by default as the settings have it. */
  readonly prices?: Layer.Layer<Prices>
  /** What reads the transcripts of calls. */
  readonly reviewer?: Layer.Layer<CallReviewer>
  readonly settings?: ConfigProvider.ConfigProvider
  /** Where everything is kept, if not in memory. */
  readonly store?: Layer.Layer<Repository>
}

/** The whole platform in memory: every port has its real in-memory adapter, and time is the test's. */
export const layerOf = ({
  carrier = {},
  mind,
  model,
  prices,
  reviewer,
  settings,
  store,
  talking = false,
  tools
}: Options) => {
  const dialer: Layer.Layer<CallDialer | CarrierLedger, never, CarrierReports | ConversationRunner> = talking
    ? Simulated.layerTalking({ ...carrier, speed: carrier.speed ?? 1 })
    : Simulated.layer(carrier)
  const sender = SimulatedSender.layer({ speed: carrier.speed })
  return platform({
    ...inMemory,
    ...limits,
    ...(store !== undefined && { store }),
    ...(tools !== undefined && { tools }),
    ...(model !== undefined && { generator: model, simulator: model }),
    ...(prices !== undefined && { prices }),
    ...(reviewer !== undefined && { reviewer }),
    ...(mind !== undefined && { agentModel: mind }),
    tables: Tables.layer,
    carrier: dialer,
    sender
  }).pipe(
    // What the platform uses of these tests look into: a layer is built once.
    Layer.provideMerge(Layer.mergeAll(dialer, sender, Inbox.layer)),
    Layer.provide(Layer.merge(CarrierReports.layer, ConversationRunner.layer)),
    Layer.provide(Layer.setConfigProvider(settings ?? ConfigProvider.fromMap(new Map())))
  )
}

export const layer = (carrier: Simulated.SimulatedCarrierOptions = {}) => layerOf({ carrier })

/** A workspace with a published agent, a number, credits and one webhook for everything. */
export const tenant = Effect.fnUntraced(function* (draft: Partial<WorkspaceDraft> = {}, credits = 1_000) {
  const workspace = yield* (yield* Workspaces).create({
    name: "Test",
    calls_per_second: 1_000,
    max_concurrency: 1_000,
    ...draft
  })
  const agents = yield* Agents
  const { id } = yield* agents.create(workspace.id, {
    name: "Agent",
    channel: "voice",
    prompt: "Call {{name}}",
    first_message: "Hello {{name}}",
    voice: "default",
    language: "en-US",
    idle_timeout_warning: 10,
    idle_timeout_end: 30,
    max_call_length: 600
  })
  const agent = yield* agents.update(workspace.id, id, { published: true })
  const number = yield* (yield* PhoneNumbers).add(workspace.id, { number: "+14155550100", label: null })
  if (credits > 0) yield* (yield* Credits).topUp(workspace.id, credits, null)
  const webhook = yield* (yield* Webhooks).create(workspace.id, {
    url: "https://example.com/hook",
    event_types: []
  })
  return { workspace, agent, number, webhook }
})

export type Tenant = Effect.Effect.Success<ReturnType<typeof tenant>>

/** Places a call to the simulated callee whose number ends in `digits`. */
export const place = Effect.fnUntraced(function* (
  { agent, workspace }: Tenant,
  digits: string,
  body: object = {}
) {
  const calls = yield* Calls
  const request = yield* fromJson(
    JSON.stringify({ agent_id: agent.id, to_number: `+1415555${digits}`, ...body })
  )
  return yield* calls.place(workspace.id, request)
})

/** A campaign that calls `numbers`, each with a name of its own. It is not started. */
export const campaign = Effect.fnUntraced(function* (
  { agent, workspace }: Tenant,
  numbers: ReadonlyArray<string>,
  draft: Partial<CampaignDraft> = {}
) {
  const { campaign } = yield* (yield* Campaigns).create(workspace.id, {
    name: "Campaign",
    agent_id: agent.id,
    channel: "voice",
    from_phone_number_id: null,
    template: null,
    call_config: null,
    max_concurrency: null,
    calls_per_minute: null,
    recipient_timezone: null,
    skip_public_holidays: false,
    failure_breaker: null,
    scheduled_for: null,
    metadata: null,
    ...draft
  })
  const recipients = yield* Recipients
  for (let at = 0; at < numbers.length; at += 1_000) {
    yield* recipients.add(
      workspace.id,
      campaign.id,
      numbers.slice(at, at + 1_000).map((phone_number) => ({
        phone_number,
        timezone: null,
        variables: RawJson(`{"name":"${phone_number.slice(-4)}"}`)
      }))
    )
  }
  return campaign
})

/** Distinct numbers whose callee behaves as `digits` say. */
export const callees = (count: number, digits: string, from = 0): ReadonlyArray<string> =>
  Array.from(
    { length: count },
    (_, i) =>
      `+1${String(2_010_000 + from + i)
        .padStart(6, "0")
        .slice(0, 7)}${digits}`
  )
