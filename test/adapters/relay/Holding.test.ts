import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Queue, Scope } from "effect"
import { hold } from "../../../adapters/relay/Holding.ts"
import type { LiveSocket } from "../../../adapters/shared/LiveSockets.ts"
import type { ConversationRunnerShape } from "../../../core/engine/ConversationRunner.ts"
import { SessionNotFound } from "../../../core/model/conversations/SessionErrors.ts"
import { connect, serve } from "../http/SocketServer.ts"
import { frameOf, setup } from "./RelayPeer.ts"

const session = { workspace_id: "ws_1", session_id: "sess_1" }

const talking = Effect.fnUntraced(function* (held: ConversationRunnerShape["hold"]) {
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const left = yield* Deferred.make<void>()
  const run = (socket: LiveSocket) => {
    const onLeaving: LiveSocket["onLeaving"] = (hear) =>
      socket.onLeaving(() => {
        hear()
        Deferred.unsafeDone(left, Effect.void)
      })
    return hold({ hold: held }, session, { ...socket, onLeaving })
  }
  const { port } = yield* Scope.extend(serve({ run }), scope)
  const peer = yield* connect(port)
  peer.socket.send(JSON.stringify(setup))
  return { ...peer, left: Deferred.await(left), stop: Scope.close(scope, Exit.void) }
})

describe("a conversation over a relay's socket", () => {
  it.scopedLive("is held for its session until it is over, and the socket is closed then", () =>
    Effect.gen(function* () {
      const { closed, next } = yield* talking((name, line) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(name, session)
          const first = yield* Effect.async((resume) => line.listen((told) => resume(Effect.succeed(told))))
          assert.deepStrictEqual(first, { _tag: "Connected" })
          line.send({
            _tag: "Say",
            text: "Hello.",
            last: true,
            interruptible: true,
            preemptible: false
          })
        })
      )
      assert.deepInclude(JSON.parse(yield* next), { type: "text", token: "Hello." })
      assert.strictEqual(yield* closed, 1_000)
    })
  )

  it.scopedLive("whose session there is not is refused", () =>
    Effect.gen(function* () {
      const { closed } = yield* talking(() => new SessionNotFound({ session_id: "sess_1" }))
      assert.strictEqual(yield* closed, 1_008)
    })
  )

  it.scopedLive(
    "is let go of when the server stops, once neither side speaks, and its socket is dropped",
    () =>
      Effect.gen(function* () {
        const written = yield* Deferred.make<void>()
        const heard = yield* Queue.unbounded<string>()
        const { closed, left, socket, stop } = yield* talking((_, line) => {
          line.listen(({ _tag }) => void heard.unsafeOffer(_tag))
          return Effect.onInterrupt(Effect.never, () => Deferred.succeed(written, undefined))
        })
        socket.send(JSON.stringify(frameOf({ _tag: "AgentSpeaking", on: true })))
        assert.deepStrictEqual([yield* heard.take, yield* heard.take], ["Connected", "AgentSpeaking"])
        const stopping = yield* Effect.fork(stop)
        yield* left
        assert.isFalse(yield* Deferred.isDone(written))
        socket.send(JSON.stringify(frameOf({ _tag: "AgentSpeaking", on: false })))
        assert.strictEqual(yield* closed, 1_006)
        yield* Deferred.await(written)
        yield* Fiber.join(stopping)
      })
  )
})
