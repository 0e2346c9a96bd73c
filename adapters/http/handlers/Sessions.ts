import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Duration, Effect, Schema, Stream } from "effect"
import { SessionUpdate } from "../../../core/model/conversations/Session.ts"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import { Sessions } from "../../../core/usecases/Sessions.ts"
import { Api } from "../contract/Api.ts"
import * as Json from "./Json.ts"

const encode = Schema.encodeSync(SessionUpdate)

const eventOf = (update: SessionUpdate): string => {
  const { type, ...data } = encode(update)
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Comments between the events, so that no proxy takes the connection for a dead one. */
const comments = Stream.drop(Stream.as(Stream.tick(Duration.seconds(15)), ":\n\n"), 1)

const streamed = (updates: Stream.Stream<SessionUpdate>) =>
  HttpApp.unsafeEjectStreamScope(
    HttpServerResponse.stream(
      Stream.encodeText(
        Stream.merge(Stream.map(updates, eventOf), comments, { haltStrategy: "left" }).pipe((text) =>
          Stream.concat(Stream.make(":\n\n"), text)
        )
      ),
      { contentType: "text/event-stream" }
    )
  )

export const layer = HttpApiBuilder.group(
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
        Json.inWorkspace((id) => Effect.map(sessions.events(id, path.session_id), streamed))
      )
  })
)
