import * as Http from "node:http"
import * as Https from "node:https"
import { Duration, Effect, Layer, Redacted } from "effect"
import { makeTimer } from "../../core/engine/Timer.ts"
import { AgentModel, type AgentPart, type AgentRequest } from "../../core/ports/AgentModel.ts"
import { ModelBusy } from "../../core/ports/ModelFailure.ts"
import { StreamedReply } from "./StreamedReply.ts"
import { bodyOf } from "./TalkMessages.ts"
import { completionsUrl } from "./Wire.ts"

export interface Options {
  /** The base URL, such as `https://api.openai.com/v1`. */
  readonly url: string
  readonly apiKey?: Redacted.Redacted | undefined
  /** The model of agents that name none. */
  readonly model: string
  /** From the request to the first token. 8 seconds by default. */
  readonly firstToken?: Duration.DurationInput | undefined
  /** Between two tokens. 5 seconds by default. */
  readonly stall?: Duration.DurationInput | undefined
  /** Answers that may be under way at one time. 2,000 by default; one more is refused as busy. */
  readonly streams?: number | undefined
}

const full = new ModelBusy({ message: "too many answers of the model are under way", retry_after: 1 })

/** Begins requests to one address, by connections that are kept. */
const makePost = Effect.fnUntraced(function* ({ apiKey, url }: Options) {
  const to = completionsUrl(url)
  const { Agent, request } = to.protocol === "https:" ? Https : Http
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new Agent({ keepAlive: true, maxFreeSockets: Infinity })),
    (agent) => Effect.sync(() => agent.destroy())
  )
  return (body: string, fresh: boolean) => {
    const bytes = Buffer.from(body, "utf8")
    const sent = request(to, {
      method: "POST",
      agent: fresh ? false : agent,
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream",
        "content-length": String(bytes.length),
        ...(apiKey !== undefined && { authorization: `Bearer ${Redacted.value(apiKey)}` })
      }
    })
    sent.setNoDelay(true)
    sent.end(bytes)
    return sent
  }
})

const make = Effect.fnUntraced(function* (options: Options) {
  const post = yield* makePost(options)
  const timer = yield* makeTimer
  const firstToken = Duration.toMillis(options.firstToken ?? "8 seconds")
  const stall = Duration.toMillis(options.stall ?? "5 seconds")
  const most = options.streams ?? 2_000
  const clock = yield* Effect.clock
  let open = 0
  let withUsage = true

  /** Gives an answer up that does not come in time. One timer an answer, and none for each of its tokens. */
  const watch = (reply: StreamedReply): (() => void) => {
    let cancel = (): void => undefined
    const look = () => {
      const left = reply.dueAt - clock.unsafeCurrentTimeMillis()
      if (left > 0) cancel = timer(left, look)
      else reply.expire()
    }
    look()
    return () => cancel()
  }

  /** Asks, and has the parts of the answer heard. Refused when too many answers are under way. */
  const begin = (request: AgentRequest, hear: (part: AgentPart) => void) =>
    Effect.suspend(() => {
      if (open >= most) return full
      const reply = new StreamedReply({
        send: (withUsage, fresh) => post(bodyOf(request, options.model, withUsage), fresh),
        withUsage,
        onUsageRefused: () => {
          withUsage = false
        },
        hear,
        now: () => clock.unsafeCurrentTimeMillis(),
        firstToken,
        stall
      })
      open += 1
      return Effect.succeed({ reply, unwatch: watch(reply) })
    })

  return AgentModel.of({
    name: options.model,
    reply: (request, hear) =>
      Effect.acquireUseRelease(
        begin(request, hear),
        ({ reply }) => reply.ended,
        ({ reply, unwatch }) =>
          Effect.sync(() => {
            open -= 1
            unwatch()
            reply.close()
          })
      )
  })
})

/**
 * Agents that talk by a model behind `POST {url}/chat/completions`, whose answers are streamed word by word. Source:
 * OpenAI API reference, "Chat" and "Streaming".
 */
export const layer = (options: Options): Layer.Layer<AgentModel> => Layer.scoped(AgentModel, make(options))
