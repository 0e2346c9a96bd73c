import { createServer } from "node:http"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Context, Effect, Layer } from "effect"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { WebSocketServer } from "ws"
import * as NodeServer from "../../../adapters/http/server/NodeServer.ts"
import { Upgrades } from "../../../adapters/http/server/Upgrades.ts"
import * as WebSockets from "../../../adapters/http/server/WebSockets.ts"
import * as TalkingModel from "../../../adapters/llm/AgentModel.ts"
import { capabilities } from "../../../adapters/relay/Frames.ts"
import * as Holding from "../../../adapters/relay/Holding.ts"
import { LiveSockets } from "../../../adapters/shared/LiveSockets.ts"
import { OpenSockets } from "../../../adapters/shared/OpenSockets.ts"
import { platform } from "../../../apps/platform/Platform.ts"
import { ConversationRunner } from "../../../core/engine/ConversationRunner.ts"
import { newSession } from "../../../core/model/conversations/Session.ts"
import { settingsOf } from "../../../core/model/conversations/TalkSettings.ts"
import { Dispatcher } from "../../../core/ports/Dispatcher.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { Agents } from "../../../core/usecases/Agents.ts"
import * as Platform from "../Platform.ts"

/** Holds conversations at `/<number>`: `server.ts own|bare <port> <address of the model> <conversations>`. */
const [, , name, port, model, conversations] = process.argv
const listener = { host: "127.0.0.1", port: Number(port) }
const most = Number(conversations)

/** Tells the bytes of the heap that are in use once what is garbage is gone. */
const collect = (() => {
  setFlagsFromString("--expose-gc")
  return runInNewContext("gc") as () => void
})()
process.on("SIGUSR2", () => {
  collect()
  process.stdout.write(`live ${process.memoryUsage().heapUsed}\n`)
})

/** No more than it takes: what the callee says goes to the model, what the model says to the relay. */
const bare = () => {
  const server = createServer()
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on("connection", (socket) => {
    const answer = async (text: string) => {
      const body = JSON.stringify({ stream: true, messages: [{ role: "user", content: text }] })
      const headers = { "content-type": "application/json" }
      const { body: stream } = await fetch(`${model}/chat/completions`, { method: "POST", headers, body })
      let left = ""
      for await (const chunk of stream!.pipeThrough(new TextDecoderStream())) {
        const lines = (left + chunk).split("\n")
        left = lines.pop()!
        for (const line of lines) {
          if (!line.startsWith("data: ") || line === "data: [DONE]") continue
          const token = JSON.parse(line.slice(6)).choices[0]?.delta.content
          if (token !== undefined) socket.send(JSON.stringify({ type: "text", token, last: false }))
        }
      }
      socket.send(JSON.stringify({ type: "text", token: "", last: true }))
    }
    socket.on("message", (data: Buffer) => {
      const frame = JSON.parse(String(data))
      if (frame.type === "prompt" && frame.last === true) void answer(frame.voicePrompt)
    })
  })
  server.listen(listener.port, listener.host, () => process.stdout.write("serves\n"))
}

const graph = platform({
  ...Platform.timeless,
  agentModel: TalkingModel.layer({ url: model!, model: "stand-in" }),
  dispatcher: Layer.succeed(Dispatcher, { wake: () => Effect.void })
}).pipe(Layer.provide(Layer.setTracerEnabled(false)))

const sessionId = (n: number) => `sess_${String(n).padStart(26, "0")}`

/** Sessions that wait for their lines, as those of agents that are tried out do. */
const waiting = Effect.gen(function* () {
  const { sessions } = yield* Repository
  const { agent_id, workspace_id } = yield* Platform.workspaceWith({
    max_concurrency: 1,
    calls_per_second: 1
  })
  const agent = yield* (yield* Agents).get(workspace_id, agent_id)
  const settings = {
    ...settingsOf(agent, {}, new Map(), capabilities),
    idle_timeout_warning: 600,
    idle_timeout_end: 1_200,
    max_call_length: 3_600
  }
  for (let n = 0; n < most; n++) {
    const session = newSession(
      {
        session_id: sessionId(n),
        customer_id: workspace_id,
        kind: "trial",
        call_id: null,
        attempt_id: null,
        agent_id,
        agent_version: null,
        status: "waiting",
        model: "stand-in",
        settings,
        variables: null,
        review_due_at: null
      },
      Date.now()
    )
    yield* sessions.insert(session)
  }
  return workspace_id
})

const own = Effect.gen(function* () {
  const context = yield* Layer.build(graph)
  const workspace_id = yield* Effect.provide(waiting, context)
  const runner = Context.get(context, ConversationRunner)
  const server = yield* Layer.build(NodeServer.layer(listener))
  yield* Context.get(server, HttpServer.HttpServer).serve(HttpServerResponse.empty())
  const adapters = Context.make(LiveSockets, {
    accept: ({ url }) =>
      Effect.sync(() => ({
        _tag: "Accepted" as const,
        name: url,
        run: (socket) =>
          Holding.hold(runner, { workspace_id, session_id: sessionId(Number(url.slice(1))) }, socket)
      }))
  })
  const places = yield* Layer.build(OpenSockets.layer(most))
  const sockets = yield* Effect.provide(WebSockets.make({}), Context.merge(adapters, places))
  yield* Context.get(server, Upgrades).serve(sockets)
  process.stdout.write("serves\n")
  return yield* Effect.never
}).pipe(Effect.scoped)

if (name === "bare") bare()
else await Effect.runPromise(own)
