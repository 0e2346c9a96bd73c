import { Either, Option } from "effect"
import type { Agent } from "../agents/Agent.ts"
import { render, variablesOf } from "../agents/Prompt.ts"
import type { CampaignTemplate } from "../messages/CampaignTemplate.ts"
import type { MessageRequest } from "../messages/MessageRequest.ts"
import { fill, type Parameters } from "../messages/Parameters.ts"
import { blocked } from "../numbers/DestinationPolicy.ts"
import type { Template } from "../templates/Template.ts"
import type { Workspace } from "../workspaces/Workspace.ts"
import type { Attempt } from "./Attempt.ts"
import { type Call, configOf, type SubStatus } from "./Call.ts"
import { idleTimeouts } from "./CallConfig.ts"
import { nextOpening } from "./CallingWindow.ts"
import type { DialRequest } from "./DialRequest.ts"

/** What is known at dial time. */
export interface DialFacts {
  readonly workspace: Workspace
  readonly agent: Option.Option<Agent>
  readonly caller_id_exists: boolean
  readonly do_not_call: boolean
  /** Of a message: what its campaign sends, with the template as it stands. */
  readonly message: { readonly wanted: CampaignTemplate; readonly template: Option.Option<Template> } | null
}

/** A template with what its placeholders are replaced by. */
export interface Message {
  readonly template: Template
  readonly parameters: Parameters
}

export type DialDecision =
  | { readonly _tag: "Dial"; readonly agent: Agent; readonly message: Message | null }
  | { readonly _tag: "Wait"; readonly until: number }
  | { readonly _tag: "Refuse"; readonly sub_status: SubStatus }

const refuse = (sub_status: SubStatus): DialDecision => ({ _tag: "Refuse", sub_status })

/** When the call's window is open: at `now`, or later. */
export const opening = (call: Call, now: number): number => {
  const { call_time } = configOf(call)
  return call_time === undefined ? now : nextOpening(call_time, now)
}

/** The message that a recipient is sent, or why there is none. */
const compose = (
  call: Call,
  { template, wanted }: NonNullable<DialFacts["message"]>
): Either.Either<Message, SubStatus> => {
  if (Option.isNone(template)) return Either.left("template_not_found")
  if (template.value.status !== "approved") return Either.left("template_not_approved")
  return fill(template.value, wanted.variables ?? {}, variablesOf(call.custom_variables)).pipe(
    Either.mapBoth({
      onLeft: () => "template_variable_missing" as const,
      onRight: (parameters) => ({ template: template.value, parameters })
    })
  )
}

/** Whether a due call may be dialled now. The window comes first: what is wrong outside it may be mended by then. */
export const decide = (call: Call, facts: DialFacts, now: number): DialDecision => {
  const until = opening(call, now)
  if (until > now) return { _tag: "Wait", until }
  if (Option.isNone(facts.agent)) return refuse("agent_not_found")
  const agent = facts.agent.value
  const channel = call.channel
  if (agent.channel !== channel) return refuse(channel === "voice" ? "agent_not_voice" : "agent_not_msg")
  if (!agent.published) return refuse("agent_not_published")
  if (!facts.caller_id_exists) return refuse("phone_number_not_found")
  if (facts.do_not_call) return refuse("do_not_call")
  if (blocked(call.to_number, facts.workspace) !== null) return refuse("destination_blocked")
  if (facts.message === null) return { _tag: "Dial", agent, message: null }
  const message = compose(call, facts.message)
  return Either.isLeft(message) ? refuse(message.left) : { _tag: "Dial", agent, message: message.right }
}

/** What the provider of messages is asked for. */
export const messageRequest = (call: Call, attempt: Attempt, message: Message): MessageRequest => ({
  key: attempt.id,
  workspace_id: call.customer_id,
  call_id: call.call_id,
  session_id: attempt.session_id,
  to_number: call.to_number,
  from_number: call.from_number,
  ...message
})

/** What goes out once the intent to is stored: a dial, or a message. */
export type Outgoing = DialRequest | MessageRequest

export const isMessage = (request: Outgoing): request is MessageRequest => "template" in request

/** What the carrier is asked for. The call's own configuration goes before the agent's. */
export const dialRequest = (call: Call, attempt: Attempt, agent: Agent): DialRequest => {
  const config = configOf(call)
  const variables = variablesOf(call.custom_variables)
  return {
    key: attempt.id,
    workspace_id: call.customer_id,
    call_id: call.call_id,
    session_id: attempt.session_id,
    to_number: call.to_number,
    from_number: call.from_number,
    agent: {
      agent_id: agent.id,
      prompt: render(agent.prompt, variables),
      first_message: render(agent.first_message, variables),
      voice: agent.voice,
      language: agent.language,
      interruptible: agent.interruptible,
      voicemail: agent.voicemail,
      transcription: agent.transcription,
      speech: agent.speech
    },
    ...idleTimeouts(config, agent),
    max_call_length: config.max_call_length ?? agent.max_call_length
  }
}
