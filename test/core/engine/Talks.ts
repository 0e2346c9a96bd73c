import { Effect, type Layer, type Scope } from "effect"
import { assert, it } from "@effect/vitest"
import type * as SimulatedLine from "../../../core/engine/SimulatedLine.ts"
import { VirtualTime } from "../../../core/engine/VirtualTime.ts"
import type { AgentDraft } from "../../../core/model/agents/Agent.ts"
import { type Entry, readOn, entriesOf, unread } from "../../../core/model/conversations/Journal.ts"
import { transcriptOf } from "../../../core/model/conversations/Transcript.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { Agents } from "../../../core/usecases/Agents.ts"
import { layerOf, type Options, place, tenant } from "../../Platform.ts"

/** A test in virtual time, with a platform in memory of its own. */
export const inTime = (
  name: string,
  body: () => Effect.Effect<void, unknown, Scope.Scope | Layer.Layer.Success<ReturnType<typeof layerOf>>>,
  options: Options = {}
) =>
  it.live(name, () =>
    new VirtualTime(1_790_000_000_000).run(Effect.scoped(Effect.provide(body(), layerOf(options))))
  )

/** A callee who says these things, one after the other, and then hangs up. */
export const reading = (...lines: ReadonlyArray<string>): SimulatedLine.TalkingCallee => {
  const left = [...lines]
  return {
    act: () =>
      Effect.sync(() => {
        const text = left.shift()
        return text === undefined
          ? { _tag: "HangUp" as const }
          : { _tag: "Say" as const, text, hangs_up: false }
      })
  }
}

export const silent: SimulatedLine.TalkingCallee = { act: () => Effect.succeed({ _tag: "Listen" as const }) }

/** A callee who says this once, and then listens. */
export const sayingOnce = (text: string): SimulatedLine.TalkingCallee => {
  const { act } = reading(text)
  return {
    act: (heard) =>
      Effect.map(act(heard), (done) => (done._tag === "HangUp" ? { _tag: "Listen" as const } : done))
  }
}

/** A call that has been answered, by an agent that is changed so, and the name of its session. */
export const answeredWith = Effect.fnUntraced(function* (change: Partial<AgentDraft>) {
  const made = yield* tenant()
  yield* (yield* Agents).update(made.workspace.id, made.agent.id, { ...change, published: true })
  const call = yield* place(made, "0006", {
    custom_variables: { name: "Ada" },
    call_config: { max_call_length: 300, idle_timeout_warning: 8, idle_timeout_end: 20 }
  })
  yield* Effect.sleep("10 seconds")
  const { calls } = yield* Repository
  const live = yield* Effect.flatten(calls.get(made.workspace.id, call.call_id))
  assert.strictEqual(live.status, "in_progress")
  return { ...made, call: live, name: { workspace_id: made.workspace.id, session_id: live.session_id! } }
})

export const answered = answeredWith({})

export const stored = Effect.fnUntraced(function* (name: { workspace_id: string; session_id: string }) {
  const { sessions } = yield* Repository
  const session = yield* Effect.flatten(sessions.get(name.workspace_id, name.session_id))
  const slices = yield* sessions.slices(name.workspace_id, name.session_id, 0, 1_000)
  const entries: Array<Entry> = []
  let reading = unread(session.settings, session.started_at)
  for (const { body } of slices) {
    entries.push(...entriesOf(body, reading.said))
    reading = readOn(reading, body)
  }
  const { state } = reading
  return { session, slices, state, entries, transcript: transcriptOf(state) }
})
