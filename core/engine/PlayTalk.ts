import { Clock, Deferred, Effect, FiberRef } from "effect"
import { draftOf } from "../model/agents/Agent.ts"
import { toolsOf } from "../model/conversations/BuiltInTools.ts"
import type { ConversationState, ToolCall } from "../model/conversations/Conversation.ts"
import { settingsOf } from "../model/conversations/TalkSettings.ts"
import { wrapUp } from "../model/conversations/Timers.ts"
import type { Play, Utterance } from "../model/suites/Play.ts"
import { playedUtterances, resumed } from "../model/suites/PlayedTalk.ts"
import type { Run } from "../model/suites/Run.ts"
import * as Machine from "../model/suites/RunMachine.ts"
import { testedAgent, variablesOfPlay } from "../model/suites/Subject.ts"
import { AgentModel, type AgentPart, type AgentRequest } from "../ports/AgentModel.ts"
import { AgentSimulator } from "../ports/AgentSimulator.ts"
import type { ModelFailure } from "../ports/ModelFailure.ts"
import { hold, type Talk } from "./HeldConversation.ts"
import type { PlayStep, Stored } from "./PlaySteps.ts"
import * as SimulatedLine from "./SimulatedLine.ts"
import { SkippedTime } from "./SkippedTime.ts"
import { makeToolUses, refused } from "./ToolUses.ts"

/** How a talk has ended here: `over`: it came to its end. The rest is as storing its last step went. */
export interface Talked {
  readonly play: Play
  readonly ended: "over" | Exclude<Stored, "stored">
}

const saysNothing = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text)
const keys = /^\[press ([0-9*#]{1,32})\]$/i

/** Texts that come one after the other, as one: no time passes between them. */
const joined = (parts: ReadonlyArray<AgentPart>): ReadonlyArray<AgentPart> => {
  const whole: Array<AgentPart> = []
  for (const part of parts) {
    const last = whole.at(-1)
    if (part._tag === "Text" && last?._tag === "Text") {
      whole[whole.length - 1] = { _tag: "Text", text: last.text + part.text }
    } else whole.push(part)
  }
  return whole
}

/**
 * Holds the talk of a play on the machine that holds calls, in a time of its own: models, tools and the store are work
 * outside of it, and take none of it. Each turn is stored and charged before anything follows from it, so that a talk
 * that breaks off goes on from what was said, and nothing is paid twice.
 */
export const makePlayTalk = Effect.gen(function* () {
  const model = yield* AgentModel
  const simulator = yield* AgentSimulator
  const { prepare } = yield* makeToolUses

  /** A model that fails ends the talk, which goes on later from what was said. */
  return Effect.fnUntraced(function* (
    run: Run,
    from: Play,
    store: (step: PlayStep) => Effect.Effect<Stored>
  ): Effect.fn.Return<Talked, ModelFailure> {
    const { subject } = run
    const { run_index, scenario } = from
    const clock = yield* Effect.clock
    const since = Math.max(clock.unsafeCurrentTimeMillis(), from.transcript.at(-1)?.at ?? 0)
    const time = new SkippedTime(since, yield* FiberRef.get(FiberRef.currentScheduler))
    /** Nothing more is to be said here, or can be. */
    const done = yield* Deferred.make<void, ModelFailure>()
    const agent = draftOf(subject.agent)
    const tested = testedAgent(subject, scenario, run_index)
    let play = from
    let ended: Talked["ended"] = "over"
    /** The persona hangs up after what it says. */
    let leaving = false

    /** Models, tools and the store go by the real time. */
    const outside = Effect.withClock(clock)

    const asking = <A>(work: Effect.Effect<A, ModelFailure>): Effect.Effect<A> =>
      Effect.catchAll(outside(work), (failure) => Effect.zipRight(Deferred.fail(done, failure), Effect.never))

    /** Before the last turn that there may be, the agent is told so. */
    const reply = (request: AgentRequest, hear: (part: AgentPart) => void) => {
      const isLast = scenario.max_turns - play.transcript.length <= 1
      const messages = isLast
        ? [...request.messages, { role: "note" as const, text: wrapUp }]
        : request.messages
      const parts: Array<AgentPart> = []
      const answered = asking(model.reply({ ...request, messages }, (part) => void parts.push(part)))
      return Effect.map(answered, () => joined(parts).forEach(hear))
    }

    const callee: SimulatedLine.TalkingCallee = {
      interrupts: scenario.traits?.interrupts === true,
      act: Effect.fnUntraced(function* (heard) {
        const at = yield* Clock.currentTimeMillis
        const transcript = heard.map(({ role, text }): Utterance => ({
          role: role === "agent" ? "agent" : "persona",
          text,
          at
        }))
        const spoken = transcript.filter(({ role, text }) => role === "persona" && !saysNothing(text)).length
        if (spoken >= (scenario.traits?.silent_after ?? Infinity)) return { _tag: "Listen" }
        const asked = { key: play.id, agent: tested, scenario, transcript }
        const { hangs_up, text } = yield* asking(simulator.personaTurn(asked))
        const digits = keys.exec(text.trim())?.[1]
        if (digits !== undefined) return { _tag: "Press", digits }
        if (saysNothing(text)) return { _tag: hangs_up ? "HangUp" : "Listen" }
        leaving = hangs_up
        return { _tag: "Say", text: text.trim(), hangs_up }
      })
    }

    const real = prepare(
      {
        agent,
        metadata: null,
        session: { customer_id: run.customer_id, session_id: play.id, call_id: null }
      },
      { flush: Effect.void }
    )
    const runTool = (call: ToolCall): Effect.Effect<string> => {
      const results = scenario.tool_results ?? {}
      if (!agent.tools.some(({ name }) => name === call.name)) {
        return Effect.succeed(refused("there is no tool of this name"))
      }
      if (Object.hasOwn(results, call.name)) return Effect.succeed(JSON.stringify(results[call.name]))
      return subject.real_tools ? outside(real.run(call)) : Effect.succeed(`{"ok":true}`)
    }

    /** Stores a step, made at the real time. Ends the talk when it cannot be stored, or was the last. */
    const keep = Effect.fnUntraced(function* (stepAt: (now: number) => PlayStep) {
      const stored = yield* outside(
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const step = stepAt(now)
          return Effect.tap(store(step), (stored) => {
            if (stored === "stored") play = step.next
          })
        })
      )
      if (stored !== "stored") ended = stored
      if (stored === "stored" && !play.over && play.open) return
      yield* Deferred.succeed(done, undefined)
      return yield* Effect.never
    })

    const changed = Effect.fnUntraced(function* (state: ConversationState) {
      const said = playedUtterances(state)
      const fresh = said.slice(play.transcript.length)
      const isOver =
        state.over !== null ||
        (state.closing !== null && state.cycle === null) ||
        (leaving && fresh.at(-1)?.role === "persona")
      for (const [i, utterance] of fresh.entries()) {
        const isEnd = isOver && i === fresh.length - 1
        yield* keep((now) => ({
          next: Machine.said(play, utterance, isEnd, run.judges, now),
          charged: true
        }))
      }
      if (isOver) {
        yield* keep((now) => ({ next: Machine.fellSilent(play, said, run.judges, now), charged: false }))
      }
    })

    const settings = settingsOf(
      agent,
      {},
      variablesOfPlay(subject, scenario, run_index),
      SimulatedLine.capabilities
    )
    const talk: Talk = {
      session_id: play.id,
      state: resumed(settings, from.transcript, time.unsafeCurrentTimeMillis()),
      connects: false,
      asked: {
        session_id: play.id,
        agent: {
          name: tested.name,
          prompt: tested.prompt,
          language: tested.language,
          model: agent.model?.name ?? null,
          temperature: agent.model?.temperature ?? null
        },
        tools: toolsOf(agent)
      },
      reply,
      tools: { run: runTool, unfinished: () => [] },
      doNotCall: Effect.void,
      record: { note: () => undefined, changed, flush: Effect.void }
    }
    const heard = from.transcript.map(({ role, text }): SimulatedLine.Heard => ({
      role: role === "agent" ? "agent" : "callee",
      text
    }))
    const talking = Effect.scoped(
      Effect.gen(function* () {
        const line = yield* SimulatedLine.make(callee, {
          ...(heard.length > 0 && { heard }),
          partials: false
        })
        yield* hold(talk, line, () => undefined)
      })
    )
    yield* Effect.raceFirst(Effect.withClock(talking, time), Deferred.await(done))
    return { play, ended }
  })
})
