import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, HashMap, Layer, Logger, LogLevel, Option, Tracer } from "effect"
import { requestOf } from "../../contracts/AgentModel.ts"
import { playOf, transcriptOf } from "../../contracts/AgentSimulator.ts"
import { transcriptOf as talkOf } from "../../contracts/CallReviewer.ts"
import { appointmentPrompt, requestFor } from "../../contracts/ScenarioGenerator.ts"
import { connectTo, key } from "./Client.ts"
import { type Behaviour, competent, refuse, say } from "./OpenAiServer.ts"

const secrets = ["+4915112345678", "Vitoria Sandoval", "hunter2", "orange juice"]

/** Everything that a tracer and a logger are told. */
const watching = () => {
  const told: Array<string> = []
  const tracer = Tracer.make({
    span: (name, parent, context, links, startTime, kind, options) => {
      const attributes = new Map<string, unknown>(Object.entries(options?.attributes ?? {}))
      told.push(name, JSON.stringify(options?.attributes ?? {}))
      return {
        _tag: "Span",
        name,
        parent,
        context,
        links,
        kind,
        attributes,
        spanId: "1",
        traceId: "1",
        sampled: true,
        status: { _tag: "Started", startTime },
        attribute: (name, value) => void told.push(`${name}=${String(value)}`),
        event: (name, _, attributes) => void told.push(`${name} ${JSON.stringify(attributes ?? {})}`),
        addLinks: () => {},
        end: (_, exit) => {
          if (Exit.isFailure(exit)) {
            told.push(Cause.pretty(exit.cause, { renderErrorCause: true }))
            for (const error of Cause.prettyErrors(exit.cause)) told.push(`${error.message} ${error.stack}`)
          }
        }
      } satisfies Tracer.Span
    },
    context: (f) => f()
  })
  const logger = Logger.make(({ annotations, cause, message }) => {
    told.push(JSON.stringify(message), Cause.pretty(cause), JSON.stringify([...HashMap.entries(annotations)]))
  })
  const layer = Layer.mergeAll(
    Layer.setTracer(tracer),
    Logger.replace(Logger.defaultLogger, logger),
    Logger.minimumLogLevel(LogLevel.All)
  )
  return { told, layer }
}

const behaviours: ReadonlyArray<readonly [string, Behaviour]> = [
  ["answers", competent],
  [
    "answers with what cannot be used",
    (asked) =>
      say(asked, { text: [secrets[3]], hangs_up: secrets[1], verdict: secrets[2], scenarios: secrets })
  ],
  ["answers with no JSON", (asked) => say(asked, `${secrets[1]} ${asked.headers.authorization}`)],
  [
    "refuses, repeating what it was sent",
    ({ body, headers, response }) => {
      response.writeHead(400, { "content-type": "application/json", "x-echo": String(headers.authorization) })
      response.end(JSON.stringify({ error: { message: JSON.stringify(body) } }))
    }
  ],
  ["fails", (asked) => refuse(asked, 500)],
  ["takes no more", (asked) => refuse(asked, 429, { "retry-after": "1000" })],
  ["hangs up", ({ response }) => void response.socket?.destroy()]
]

describe("nothing of prompts, transcripts and keys", () => {
  it.scoped.each(behaviours)("is told to logs, spans or errors when the model %s", ([, behaviour]) =>
    Effect.gen(function* () {
      const { layer, told } = watching()
      const model = yield* connectTo(behaviour)
      const play = playOf({
        agent: { prompt: `Call ${secrets[1]} at ${secrets[0]}. ${appointmentPrompt}` },
        scenario: { instructions: `Your password is ${secrets[2]}.` },
        transcript: transcriptOf(`A: Hello ${secrets[1]}`, `P: I drink ${secrets[3]}`)
      })
      const request = requestFor(play.agent.prompt, { hint: secrets[3]! })
      const verbs: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        model.simulator.personaTurn(play),
        model.simulator.judge(play, { name: "safety", criterion: secrets[2]! }),
        model.generator.generate(request),
        model.agentModel.reply(
          requestOf([{ role: "callee", text: `I drink ${secrets[3]}` }], {
            agent: { prompt: play.agent.prompt }
          }),
          () => undefined
        ),
        model.reviewer.review({
          session_id: "sess_1",
          agent: { name: secrets[1]!, prompt: play.agent.prompt, language: "en" },
          policy: { questions: [], qualified_when: secrets[2]! },
          transcript: talkOf(`A: Hello ${secrets[1]}`, `C: I drink ${secrets[3]}`)
        })
      ]
      for (const verb of verbs) {
        const exit = yield* Effect.exit(Effect.provide(verb, layer))
        if (Exit.isFailure(exit)) {
          const failure = Option.getOrThrow(Cause.failureOption(exit.cause))
          told.push(
            JSON.stringify(failure),
            String(failure),
            Cause.pretty(exit.cause, { renderErrorCause: true })
          )
        }
      }
      assert.include(told, "AgentSimulator.personaTurn")
      assert.include(told, "ScenarioGenerator.generate")
      assert.include(told, "CallReviewer.review")
      for (const secret of [...secrets, "Vitoria", key, "SECRET", "payment details"]) {
        assert.notInclude(told.join("\n"), secret)
      }
    })
  )
})
