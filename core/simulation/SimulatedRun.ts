import { Effect, Layer, Logger, LogLevel, Random, RuntimeFlags, RuntimeFlagsPatch } from "effect"
import { CarrierReports, relay } from "../engine/CarrierReports.ts"
import { VirtualTime } from "../engine/VirtualTime.ts"
import { statsOf } from "../model/campaigns/CampaignCounters.ts"
import { RawJson } from "../model/json/RawJson.ts"
import { calleesOf, callTimeOf, type Plan, type Run } from "../model/simulation/Plan.ts"
import { CallDialer } from "../ports/CallDialer.ts"
import { Agents } from "../usecases/Agents.ts"
import { Campaigns } from "../usecases/Campaigns.ts"
import { Credits } from "../usecases/Credits.ts"
import { DoNotCallList } from "../usecases/DoNotCallList.ts"
import { PhoneNumbers } from "../usecases/PhoneNumbers.ts"
import { Recipients } from "../usecases/Recipients.ts"
import { Workspaces } from "../usecases/Workspaces.ts"
import { makeCallees } from "./Callees.ts"
import type { Log } from "./Log.ts"

/** Recipients that come in at one time. */
const slice = 1_000
const noVariables = RawJson("{}")
const plenty = 1e15

/** Counting fibers costs time, and a simulation reports no metrics. */
const uncounted = RuntimeFlagsPatch.disable(RuntimeFlags.RuntimeMetrics)

/** The carrier of a simulation. */
export type Callees = Layer.Layer<CallDialer, never, CarrierReports>

/** The use cases that a simulation calls, and through which its engine runs. */
export type Platform = Agents | Campaigns | Credits | DoNotCallList | PhoneNumbers | Recipients | Workspaces

/** A workspace as the plan has it, and the campaign in draft with its recipients. */
const prepared = Effect.fnUntraced(function* (plan: Plan) {
  const { id: workspace_id } = yield* (yield* Workspaces).create({ name: "Simulation", ...plan.workspace })
  const agents = yield* Agents
  const agent = yield* agents.create(workspace_id, {
    name: "Agent",
    channel: "voice",
    prompt: "",
    first_message: "",
    voice: "default",
    language: "en-US",
    idle_timeout_warning: 10,
    idle_timeout_end: 30,
    max_call_length: plan.max_call_length
  })
  yield* agents.update(workspace_id, agent.id, { published: true })
  yield* (yield* PhoneNumbers).add(workspace_id, { number: "+14155550100", label: null })
  const credits = plan.credits ?? plenty
  if (credits > 0) yield* (yield* Credits).topUp(workspace_id, credits, null)
  if (plan.do_not_call.length > 0) yield* (yield* DoNotCallList).add(workspace_id, plan.do_not_call)
  const { campaign } = yield* (yield* Campaigns).create(workspace_id, {
    name: "Simulation",
    agent_id: agent.id,
    channel: "voice",
    from_phone_number_id: null,
    template: null,
    recipient_timezone: null,
    scheduled_for: null,
    metadata: null,
    ...plan.campaign
  })
  const recipients = yield* Recipients
  for (let at = 0; at < plan.people.length; at += slice) {
    const people = plan.people.slice(at, at + slice)
    yield* recipients.add(
      workspace_id,
      campaign.id,
      people.map((person) => ({ ...person, variables: noVariables }))
    )
  }
  return { workspace_id, campaign_id: campaign.id }
})

/** The campaign from its start to when nothing happens any more. */
const played = Effect.fnUntraced(function* (plan: Plan, seed: number, time: VirtualTime, log: Log) {
  const { campaign_id, workspace_id } = yield* prepared(plan)
  const campaigns = yield* Campaigns
  yield* campaigns.start(workspace_id, campaign_id)
  yield* time.quiet
  const { campaign, counters } = yield* campaigns.get(workspace_id, campaign_id)
  const ended_at = campaign.completed_at ?? log.lastAt
  return {
    seed,
    status: campaign.status,
    status_reason: campaign.status_reason,
    ended_at,
    stats: statsOf(counters),
    credits: (plan.credits ?? plenty) - (yield* (yield* Credits).balance(workspace_id)),
    peak: log.peak,
    tries: log.tries(plan.people.length),
    calls: log.calls(ended_at),
    reached: log.reached(ended_at)
  } satisfies Run
})

/** The time zone of a callee: their own, or that of the campaign's window. */
const zonesOf = (plan: Plan) => {
  const own = new Map<string, string>()
  for (const { phone_number, timezone } of plan.people) {
    if (timezone !== null) own.set(phone_number, timezone)
  }
  const standard = callTimeOf(plan)?.timezone ?? "UTC"
  return (number: string) => own.get(number) ?? standard
}

/**
 * Plays a plan to its end with the callees of one seed, and writes into the log how far it is.
 *
 * @param platformOf the system, with these callees in the place of the carrier
 */
export const play = <E>(
  plan: Plan,
  seed: number,
  log: Log,
  platformOf: (callees: Callees) => Layer.Layer<Platform, E>
): Effect.Effect<Run> =>
  Effect.suspend(() => {
    const time = new VirtualTime(plan.starts_at)
    const { dialer, progress } = makeCallees({
      time,
      seed,
      log,
      model: calleesOf(plan, seed),
      beat_seconds: plan.beat_seconds,
      zoneOf: zonesOf(plan)
    })
    const callees: Callees = Layer.scoped(
      CallDialer,
      Effect.gen(function* () {
        yield* relay(progress, (yield* CarrierReports).record)
        return dialer
      })
    )
    return time.run(
      played(plan, seed, time, log).pipe(
        Effect.provide(platformOf(callees)),
        Effect.withRandom(Random.make(seed)),
        Logger.withMinimumLogLevel(LogLevel.None),
        Effect.withRuntimeFlagsPatch(uncounted)
      )
    )
  }).pipe(Effect.orDie)
