import { Effect, Schema, Stream } from "effect"
import { SessionUpdate } from "../../../core/model/conversations/Session.ts"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import { Sessions } from "../../../core/usecases/Sessions.ts"
import { Api } from "../contract/Api.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"
import * as ServerSentEvents from "./ServerSentEvents.ts"

const encode = Schema.encodeSync(SessionUpdate)

const eventOf = (update: SessionUpdate): string => {
  const { type, ...data } = encode(update)
  return ServerSentEvents.event(type, JSON.stringify(data))
}

export const layer = Operations.group(
  Api,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    return handlers
      .handle("tryOut", ({ path: { agent_id }, payload, request }) =>
        Json.inWorkspace((id) => {
          const variables = RawJson(JSON.stringify(payload.custom_variables))
          const trial = sessions.tryOut(
            id,
            agent_id,
            { version: payload.version, variables },
            Json.originOf(request)
          )
          return Effect.map(trial, ({ expires_at, session, url }) => ({
            session_id: session.session_id,
            agent_id,
            agent_version: session.agent_version,
            url,
            url_expires_at: expires_at
          }))
        })
      )
      .handle("get", ({ path }) => Json.inWorkspace((id) => sessions.get(id, path.session_id)))
      .handle("transcript", ({ path: { session_id } }) =>
        Json.inWorkspace((id) =>
          Effect.map(sessions.transcript(id, session_id), (turns) => ({ session_id, turns }))
        )
      )
      .handle("erase", ({ path }) => Json.inWorkspace((id) => sessions.erase(id, path.session_id)))
      .handle("events", ({ path }) =>
        Json.inWorkspace((id) =>
          Effect.map(sessions.events(id, path.session_id), (updates) =>
            ServerSentEvents.streamed(Stream.map(updates, eventOf))
          )
        )
      )
  })
)
