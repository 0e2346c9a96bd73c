import { Clock, Effect, Option } from "effect"
import type { AgentDraft } from "../model/agents/Agent.ts"
import { render, variablesOf } from "../model/agents/Prompt.ts"
import { configOf } from "../model/calls/Call.ts"
import { second } from "../model/Codecs.ts"
import { toolsOf } from "../model/conversations/BuiltInTools.ts"
import type { ConversationState } from "../model/conversations/Conversation.ts"
import { attemptOf, newSession, type Session } from "../model/conversations/Session.ts"
import { SessionNotFound } from "../model/conversations/SessionErrors.ts"
import type { LineCapabilities } from "../model/conversations/Speech.ts"
import { settingsOf } from "../model/conversations/TalkSettings.ts"
import type { RawJson } from "../model/json/RawJson.ts"
import { AgentModel, type AgentRequest } from "../ports/AgentModel.ts"
import { Repository } from "../ports/Repository.ts"
import { makeSessionReading } from "./SessionReading.ts"

/** Names a session: its workspace, and its id. */
export interface SessionName {
  readonly workspace_id: string
  readonly session_id: string
}

/** A conversation that is about to be held, with all that it needs of the store. */
export interface Opened {
  readonly session: Session
  readonly state: ConversationState
  /** The number of its last slice; 0 of a conversation that begins. */
  readonly slices: number
  readonly agent: AgentDraft
  /** What its model is asked with, but for the messages. */
  readonly asked: Omit<AgentRequest, "messages">
  /** Null where no call is made. */
  readonly to_number: string | null
  readonly metadata: RawJson | null
}

/** After how many milliseconds a conversation that may last so many seconds counts as abandoned while it is open. */
export const abandonedAfter = (max_call_length: number): number => (max_call_length + 300) * second

export const makeSessionOpening = Effect.gen(function* () {
  const repository = yield* Repository
  const model = yield* AgentModel
  const { agentOf, standing } = yield* makeSessionReading

  const notFound = ({ session_id }: SessionName) => new SessionNotFound({ session_id })

  /** The call that a session of a call belongs to, while its attempt is under way. */
  const callOf = Effect.fnUntraced(function* (name: SessionName) {
    const { session_id, workspace_id } = name
    const attempt = Option.getOrNull(yield* repository.attempts.get(workspace_id, attemptOf(session_id)))
    if (attempt === null || attempt.session_id !== session_id) return yield* notFound(name)
    if (attempt.status !== "in_progress") return yield* notFound(name)
    const call = Option.getOrNull(yield* repository.calls.get(workspace_id, attempt.call_id))
    return call === null ? yield* notFound(name) : { attempt, call }
  })

  const first = Effect.fnUntraced(function* (name: SessionName, line: LineCapabilities) {
    const { attempt, call } = yield* callOf(name)
    const { agent_id, customer_id } = call
    const agent = Option.getOrNull(yield* agentOf(customer_id, agent_id, attempt.agent_version))
    if (agent === null) return yield* notFound(name)
    const settings = settingsOf(agent, configOf(call), variablesOf(call.custom_variables), line)
    const now = yield* Clock.currentTimeMillis
    const session = newSession(
      {
        session_id: name.session_id,
        customer_id,
        kind: "call",
        call_id: call.call_id,
        attempt_id: attempt.id,
        agent_id,
        agent_version: attempt.agent_version,
        status: "open",
        model: agent.model?.name ?? model.name,
        settings,
        variables: null,
        review_due_at: now + abandonedAfter(settings.max_call_length)
      },
      now
    )
    yield* repository.sessions.insert(session)
  })

  /** A trial whose line is there: its capabilities are known from here on. */
  const begin = Effect.fnUntraced(function* (session: Session, line: LineCapabilities) {
    const begun: Session = {
      ...session,
      status: "open",
      settings: { ...session.settings, line },
      version: session.version + 1
    }
    return (yield* repository.sessions.update(begun)) ? begun : session
  })

  /** What belongs to a session that is not over: fails when there is none, nor may begin. */
  const open = Effect.fnUntraced(function* (name: SessionName, line: LineCapabilities) {
    const { session_id, workspace_id } = name
    const stored = repository.sessions.get(workspace_id, session_id)
    if (Option.isNone(yield* stored)) yield* first(name, line)
    const found = Option.getOrNull(yield* stored)
    if (found === null || found.status === "over") return yield* notFound(name)
    // The address of a trial is good for one line.
    if (found.kind === "trial" && found.status !== "waiting") return yield* notFound(name)
    const session = found.status === "waiting" ? yield* begin(found, line) : found
    const agent = Option.getOrNull(yield* agentOf(workspace_id, session.agent_id, session.agent_version))
    if (agent === null) return yield* notFound(name)
    const call = session.kind === "call" ? (yield* callOf(name)).call : null
    const variables = variablesOf(call === null ? session.variables : call.custom_variables)
    return {
      session,
      ...(yield* standing(session)),
      agent,
      asked: {
        session_id,
        agent: {
          name: agent.name,
          prompt: render(agent.prompt, variables),
          language: agent.language,
          model: agent.model?.name ?? null,
          temperature: agent.model?.temperature ?? null
        },
        tools: toolsOf(agent)
      },
      to_number: call?.to_number ?? null,
      metadata: call?.metadata ?? null
    } satisfies Opened
  })

  /** Whether the session's attempt is under way, so that the session may begin. */
  const isUnderWay = (name: SessionName) => Effect.isSuccess(callOf(name))

  return { open, standing, isUnderWay }
})
