import { Chunk, Clock, Context, Effect, Layer, Option, Stream } from "effect"
import { makeNoting } from "../engine/Noting.ts"
import { abandonedAfter, makeSessionOpening } from "../engine/SessionOpening.ts"
import { draftOf } from "../model/agents/Agent.ts"
import { AgentNotFound, AgentVersionNotFound } from "../model/agents/AgentErrors.ts"
import { variablesOf } from "../model/agents/Prompt.ts"
import type { Attempt } from "../model/calls/Attempt.ts"
import { readOn, unread } from "../model/conversations/Journal.ts"
import {
  attemptOf,
  newSession,
  noTotals,
  type Session,
  type SessionRecord,
  type SessionUpdate
} from "../model/conversations/Session.ts"
import { SessionNotFound, SessionUnderWay } from "../model/conversations/SessionErrors.ts"
import { textAlone } from "../model/conversations/Speech.ts"
import { settingsOf } from "../model/conversations/TalkSettings.ts"
import { transcriptOf, type TranscriptTurn } from "../model/conversations/Transcript.ts"
import type { RawJson } from "../model/json/RawJson.ts"
import { AgentModel } from "../ports/AgentModel.ts"
import { Ids } from "../ports/Ids.ts"
import { Repository } from "../ports/Repository.ts"
import { type TrialLink, TrialLinks } from "../ports/TrialLinks.ts"

/** How often a session that is open is looked at for what has been said since. */
const lookEvery = 500

/** Slices that are read at one time. */
const together = 200

/** The session of an attempt on which nothing was talked here. */
const untalked = (attempt: Attempt, agent_id: string): SessionRecord => ({
  session_id: attempt.session_id,
  kind: "call",
  call_id: attempt.call_id,
  attempt_id: attempt.id,
  agent_id,
  agent_version: attempt.agent_version,
  status: attempt.status === "in_progress" || attempt.status === "scheduled" ? "waiting" : "over",
  reason: null,
  error_code: null,
  started_at: attempt.started_at ?? attempt.created_at,
  connected_at: null,
  ended_at: attempt.completed_at,
  credits: 0,
  model: null,
  ...noTotals,
  review_status: "none",
  review: null
})

/** How an agent is tried out: by a version or, when that is null, by its draft. */
export interface Trial {
  readonly version: number | null
  /** What fills the placeholders. */
  readonly variables: RawJson | null
}

/** A conversation that waits for its line. */
export interface TrialSession extends TrialLink {
  readonly session: Session
}

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const links = yield* TrialLinks
  const model = yield* AgentModel
  const ids = yield* Ids
  const { noted } = yield* makeNoting
  const { standing } = yield* makeSessionOpening

  const tryOut: SessionsShape["tryOut"] = Effect.fn("Sessions.tryOut")(function* (
    workspace_id,
    agent_id,
    { variables, version },
    origin
  ) {
    const draft = Option.getOrNull(yield* repository.agents.get(workspace_id, agent_id))
    if (draft === null) return yield* new AgentNotFound({ agent_id })
    const kept =
      version === null
        ? Option.some(draftOf(draft))
        : Option.map(yield* repository.agents.version(workspace_id, agent_id, version), ({ agent }) => agent)
    if (Option.isNone(kept)) return yield* new AgentVersionNotFound({ agent_id, version: version ?? 0 })
    const agent = kept.value
    const now = yield* Clock.currentTimeMillis
    const session = newSession(
      {
        session_id: yield* ids.make("sess"),
        customer_id: workspace_id,
        kind: "trial",
        call_id: null,
        attempt_id: null,
        agent_id,
        agent_version: version,
        status: "waiting",
        model: agent.model?.name ?? model.name,
        settings: settingsOf(agent, {}, variablesOf(variables), textAlone),
        variables,
        review_due_at: now + abandonedAfter(agent.max_call_length)
      },
      now
    )
    yield* repository.sessions.insert(session)
    return { session, ...links.make({ workspace_id, session_id: session.session_id }, now, origin) }
  })

  const talked = (workspace_id: string, session_id: string) =>
    repository.sessions.get(workspace_id, session_id)

  const get: SessionsShape["get"] = Effect.fn("Sessions.get")(function* (workspace_id, session_id) {
    const found = yield* talked(workspace_id, session_id)
    if (Option.isSome(found)) return found.value
    const attempt = Option.getOrNull(yield* repository.attempts.get(workspace_id, attemptOf(session_id)))
    if (attempt === null || attempt.session_id !== session_id)
      return yield* new SessionNotFound({ session_id })
    const call = Option.getOrNull(yield* repository.calls.get(workspace_id, attempt.call_id))
    return call === null ? yield* new SessionNotFound({ session_id }) : untalked(attempt, call.agent_id)
  })

  const transcript: SessionsShape["transcript"] = Effect.fn("Sessions.transcript")(
    function* (workspace_id, session_id) {
      const found = yield* talked(workspace_id, session_id)
      if (Option.isSome(found)) return transcriptOf((yield* standing(found.value)).state)
      yield* get(workspace_id, session_id)
      return []
    }
  )

  /** Follows the journal of a session, and tells each turn once it is over, until the session is. */
  const follow = ({ customer_id, session_id, settings, started_at }: Session) =>
    Stream.unfoldChunkEffect(
      { reading: unread(settings, started_at), read: 0, told: 0, over: false },
      Effect.fnUntraced(function* (before) {
        if (before.over) return Option.none()
        let { read, reading } = before
        for (;;) {
          const slices = yield* repository.sessions.slices(customer_id, session_id, read, together)
          for (const { body, number } of slices) {
            reading = readOn(reading, body)
            read = number
          }
          if (slices.length > 0) continue
          const stored = Option.getOrNull(yield* talked(customer_id, session_id))
          const turns = transcriptOf(reading.state)
          const over = stored === null || stored.status === "over"
          const updates: Array<SessionUpdate> = turns
            .slice(before.told)
            .map((turn, i) => ({ type: "turn", number: before.told + i + 1, turn }))
          if (over && stored !== null) updates.push({ type: "over", session: stored })
          if (updates.length > 0 || over) {
            const next = { reading, read, told: turns.length, over }
            return Option.some([Chunk.fromIterable(updates), next] as const)
          }
          yield* Effect.sleep(lookEvery)
        }
      })
    )

  const events: SessionsShape["events"] = Effect.fn("Sessions.events")(function* (workspace_id, session_id) {
    const awaited: Effect.Effect<Option.Option<Session>> = Effect.gen(function* () {
      for (;;) {
        const found = yield* talked(workspace_id, session_id)
        if (Option.isSome(found)) return found
        const attempt = Option.getOrNull(yield* repository.attempts.get(workspace_id, attemptOf(session_id)))
        if (attempt === null || attempt.completed_at !== null) return Option.none()
        yield* Effect.sleep(lookEvery)
      }
    })
    yield* get(workspace_id, session_id)
    return Stream.unwrap(
      Effect.map(awaited, Option.match({ onNone: () => Stream.empty, onSome: (session) => follow(session) }))
    )
  })

  const erase: SessionsShape["erase"] = Effect.fn("Sessions.erase")(function* (workspace_id, session_id) {
    const found = yield* talked(workspace_id, session_id)
    if (Option.isSome(found)) {
      if (found.value.status !== "over") return yield* new SessionUnderWay({ session_id })
      yield* noted(workspace_id, repository.sessions.erase(workspace_id, session_id))
    }
    return yield* get(workspace_id, session_id)
  })

  return Sessions.of({ tryOut, get, transcript, events, erase })
})

export interface SessionsShape {
  /**
   * Makes a conversation without a carrier, that waits for a line at an address which is good for a minute. No number
   * is called. `origin` is where the request has reached the server.
   */
  readonly tryOut: (
    workspace_id: string,
    agent_id: string,
    trial: Trial,
    origin?: string
  ) => Effect.Effect<TrialSession, AgentNotFound | AgentVersionNotFound>
  /** A session of a call that was not talked on here is known by its attempt. */
  readonly get: (workspace_id: string, session_id: string) => Effect.Effect<SessionRecord, SessionNotFound>
  /** What was said, oldest first, as far as it is stored: at most a second late. */
  readonly transcript: (
    workspace_id: string,
    session_id: string
  ) => Effect.Effect<ReadonlyArray<TranscriptTurn>, SessionNotFound>
  /**
   * Each turn once it is over, from the first, and at last the session when it is over. At every process, whichever
   * holds the conversation. A session that nothing is said on ends without a word.
   */
  readonly events: (
    workspace_id: string,
    session_id: string
  ) => Effect.Effect<Stream.Stream<SessionUpdate>, SessionNotFound>
  /** Deletes what was said, and what was learnt from it; the record stays. Deleting twice is deleting once. */
  readonly erase: (
    workspace_id: string,
    session_id: string
  ) => Effect.Effect<SessionRecord, SessionNotFound | SessionUnderWay>
}

/** Conversations: what they came to, what was said, and what is being said. */
export class Sessions extends Context.Tag("outdial/Sessions")<Sessions, SessionsShape>() {
  static readonly layer = Layer.effect(this, make)
}
