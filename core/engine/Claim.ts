import { Clock, Effect, Option } from "effect"
import type { Agent } from "../model/agents/Agent.ts"
import type { Call } from "../model/calls/Call.ts"
import * as Machine from "../model/calls/CallMachine.ts"
import type { State, Step } from "../model/calls/CallStep.ts"
import {
  decide,
  type DialDecision,
  dialRequest,
  messageRequest,
  type Outgoing
} from "../model/calls/DialDecision.ts"
import type { CampaignState } from "../model/campaigns/Campaign.ts"
import type { Recipient } from "../model/campaigns/Recipient.ts"
import { sessionOf } from "../model/conversations/Session.ts"
import type { CampaignTemplate } from "../model/messages/CampaignTemplate.ts"
import type { Template } from "../model/templates/Template.ts"
import type { Workspace } from "../model/workspaces/Workspace.ts"
import { Repository } from "../ports/Repository.ts"
import { makeCallStore } from "./CallStore.ts"

type Dial = Extract<DialDecision, { readonly _tag: "Dial" }>

/** What one claim has read already. */
interface Known {
  readonly agents: Map<string, Option.Option<Agent>>
  readonly callerIds: Map<string, boolean>
  readonly templates: Map<string, Option.Option<Template>>
  /** Numbers that were looked for on the do-not-call list together. */
  readonly numbers: Map<string, boolean>
}

/** From how many calls on their numbers are looked for together: that takes two statements for up to a hundred of them. */
const several = 4

/** Looks at calls that are due in one workspace, all at one moment, inside one transaction. */
export const makeClaim = Effect.gen(function* () {
  const repository = yield* Repository
  const store = yield* makeCallStore

  const remembered = Effect.fnUntraced(function* <A>(
    known: Map<string, A>,
    key: string,
    read: Effect.Effect<A>
  ) {
    const found = yield* read
    known.set(key, found)
    return found
  })

  /** What a dial has to hold beyond what the call holds. */
  const missing = (call: Call) => Math.max(0, call.price_per_minute - call.credits_held)

  /** What to do with a call: of one claim, agents, caller IDs and templates are read once, and numbers together. */
  const open = Effect.fnUntraced(function* (workspace: Workspace) {
    const now = yield* Clock.currentTimeMillis
    const known: Known = {
      agents: new Map(),
      callerIds: new Map(),
      templates: new Map(),
      numbers: new Map()
    }
    /** All that the claim changes. */
    const batch = yield* store.batchAt(now)
    const id = batch.makeId

    const templateOf = (workspace_id: string, wanted: CampaignTemplate) =>
      remembered(known.templates, wanted.id, repository.templates.get(workspace_id, wanted.id))

    /** Looks for the numbers of calls that are about to be judged. */
    const lookUp = Effect.fnUntraced(function* (numbers: ReadonlyArray<string>) {
      if (numbers.length < several) return
      const blocked = yield* repository.doNotCall.among(workspace.id, numbers)
      for (const number of numbers) known.numbers.set(number, blocked.has(number))
    })

    /** `wanted` is what a messaging campaign sends; null of a call. */
    const judge = Effect.fnUntraced(function* (call: Call, wanted: CampaignTemplate | null = null) {
      const { agent_id, customer_id, from_phone_number_id, to_number } = call
      const agent =
        known.agents.get(agent_id) ??
        (yield* remembered(known.agents, agent_id, repository.agents.spoken(customer_id, agent_id)))
      const caller_id_exists =
        known.callerIds.get(from_phone_number_id) ??
        (yield* remembered(
          known.callerIds,
          from_phone_number_id,
          Effect.map(repository.phoneNumbers.get(customer_id, from_phone_number_id), Option.isSome)
        ))
      const message =
        wanted === null
          ? null
          : { wanted, template: known.templates.get(wanted.id) ?? (yield* templateOf(customer_id, wanted)) }
      const do_not_call =
        known.numbers.get(to_number) ?? (yield* repository.doNotCall.contains(customer_id, to_number))
      const decision = decide(call, { workspace, agent, caller_id_exists, do_not_call, message }, now)
      if (decision._tag !== "Dial" || missing(call) === 0) return decision
      return missing(call) > (yield* store.balance(batch, customer_id))
        ? ({ _tag: "Refuse", sub_status: "insufficient_credits" } satisfies DialDecision)
        : decision
    })

    /** The intent to dial, to be stored: the request goes out once it is. */
    const intend = (state: State, { agent, message }: Dial) => {
      const attempt_id = id("att")
      const agent_version = message === null ? agent.version : null
      const made = { attempt_id, session_id: sessionOf(attempt_id), agent_version }
      const step = Machine.intend(state, made, missing(state.call), now)
      const { attempt, call } = step
      const request: Outgoing =
        message === null ? dialRequest(call, attempt!, agent) : messageRequest(call, attempt!, message)
      return { step, request }
    }

    /** Reads the recipients of calls that are about to be judged. */
    const readRecipients = (calls: ReadonlyArray<Call>) => store.readRecipients(batch, workspace.id, calls)

    const recipientOf = (call: Call) => store.recipientOf(batch, call)

    /** A step of a waiting call. */
    const save = (before: State, step: Step) => store.saveIn(batch, before, step)

    /** Dials a waiting call. `call` is what it is to be dialled as. */
    const dial = Effect.fnUntraced(function* (before: State, call: Call, decision: Dial) {
      const { request, step } = intend({ ...before, call }, decision)
      yield* save(before, step)
      return request
    })

    /** Dials a recipient's call that begins with this. Answers what it makes of the campaign as well, to be stored. */
    const begin = (campaign: CampaignState, recipient: Recipient, call: Call, decision: Dial) => {
      const { request, step } = intend({ call, attempt: null }, decision)
      const { indexed_metadata_keys } = workspace
      const state = store.begin(batch, campaign, recipient, step, indexed_metadata_keys)
      return { request, state }
    }

    /** Stores what was claimed so far. */
    const finish = store.finish(batch)

    return { now, id, workspace, lookUp, readRecipients, recipientOf, judge, save, dial, begin, finish }
  })

  /** The call with the attempt that is to be dialled again, if there is one. */
  const waiting = (call: Call): Effect.Effect<State> =>
    call.redial ? store.stateOf(call) : Effect.succeed({ call, attempt: null })

  return { open, waiting }
})

export type Claim = Effect.Effect.Success<ReturnType<Effect.Effect.Success<typeof makeClaim>["open"]>>
