import { Cause, Effect, type Fiber, FiberMap, FiberSet, Metric, Queue, Stream } from "effect"
import { minute } from "../model/Codecs.ts"
import type { ConversationState, ToolCall, ToolUse } from "../model/conversations/Conversation.ts"
import { type ConversationEvent, step } from "../model/conversations/ConversationMachine.ts"
import type { ConversationCommand } from "../model/conversations/Draft.ts"
import { historyOf, type Message } from "../model/conversations/History.ts"
import type { AgentModel, AgentPart, AgentRequest } from "../ports/AgentModel.ts"
import type { SpeechLine } from "../ports/SpeechLine.ts"
import { faultOf } from "./Faults.ts"
import * as Metrics from "./Metrics.ts"

/** What is kept of a conversation while it is held. */
export interface TalkRecord {
  readonly note: (event: ConversationEvent, at: number) => void
  /** A turn was added, or the end begins: called before what follows from it is carried out. */
  readonly changed: (state: ConversationState, before: ConversationState) => Effect.Effect<void>
  /** Completes once all that was noted is stored. */
  readonly flush: Effect.Effect<void>
  /** Completes when nothing more is to be held or stored here. */
  readonly lost: Effect.Effect<void>
}

/** A conversation that is about to be held, with all that it needs. */
export interface Talk {
  readonly session_id: string
  readonly state: ConversationState
  /** The line comes back to a conversation that was connected before, and tells so first of all. */
  readonly again: boolean
  /** What the model is asked with, but for the messages. */
  readonly asked: Omit<AgentRequest, "messages">
  readonly reply: AgentModel["Type"]["reply"]
  readonly tools: {
    readonly run: (call: ToolCall) => Effect.Effect<string>
    /** Uses that were under way when the process that held it died; one without a result is carried out again. */
    readonly unfinished: (state: ConversationState) => ReadonlyArray<ToolUse>
  }
  /** The callee asked not to be called again. */
  readonly doNotCall: Effect.Effect<void>
  readonly record: TalkRecord
}

/** What is left of a conversation that was held. */
export interface Held {
  readonly state: ConversationState
  /** Another process, or another line, goes on with it: nothing more is to be stored of it here. */
  readonly lost: boolean
}

/** Rings no later than `at`; it may ring early, where an earlier time was set before. */
const makeAlarm = Effect.fnUntraced(function* (ring: () => void) {
  const start = yield* FiberSet.makeRuntime<never>()
  let rings = Infinity
  let sleeping: Fiber.RuntimeFiber<void> | null = null
  return (at: number | null, now: number) => {
    if (at === null || (sleeping !== null && rings <= at)) return
    sleeping?.unsafeInterruptAsFork(sleeping.id())
    rings = at
    sleeping = start(
      Effect.sleep(Math.min(Math.max(0, at - now), minute)).pipe(
        Effect.zipRight(
          Effect.sync(() => {
            sleeping = null
            ring()
          })
        )
      )
    )
  }
})

/**
 * Holds a conversation: one machine over a line and a model. `listen` runs beside it, and tells it what reaches it
 * from outside.
 */
export const hold = (
  talk: Talk,
  line: SpeechLine,
  listen: (tell: (event: ConversationEvent) => void) => Effect.Effect<void>
): Effect.Effect<Held> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { asked, record, tools } = talk
      const events = yield* Queue.unbounded<ConversationEvent>()
      const tell = (event: ConversationEvent) => void events.unsafeOffer(event)
      yield* Effect.forkScoped(listen(tell))
      const alarm = yield* makeAlarm(() => tell({ _tag: "TimerFired" }))
      const generations = yield* FiberMap.make<number, void>()
      const beside = yield* FiberSet.makeRuntime<never>()
      let state = talk.state

      const heard = (generation: number, part: AgentPart) => {
        switch (part._tag) {
          case "Text":
            return tell({ _tag: "Delta", generation, text: part.text })
          case "ToolCalls":
            return tell({ _tag: "ToolsAsked", generation, calls: part.calls })
          case "Used":
            return tell({ _tag: "TokensUsed", ...part.usage })
        }
      }

      const generate = (generation: number, mayUseTools: boolean, messages: ReadonlyArray<Message>) =>
        Stream.runForEachChunk(
          talk.reply({ ...asked, messages, tools: mayUseTools ? asked.tools : [] }),
          (parts) =>
            Effect.sync(() => {
              for (const part of parts) heard(generation, part)
            })
        ).pipe(
          Effect.matchCause({
            onSuccess: () => tell({ _tag: "Generated", generation }),
            onFailure: (cause) => {
              if (Cause.isInterruptedOnly(cause)) return
              const failure = Cause.failureOption(cause)
              const message = failure._tag === "Some" ? failure.value.message : "the model failed"
              tell({ _tag: "GenerationFailed", generation, message })
            }
          }),
          Effect.tapDefect((defect) => Effect.logError("an agent's model failed", faultOf(defect))),
          Effect.withSpan("Conversation.generation", { attributes: { session_id: talk.session_id } })
        )

      const runTool = (call: ToolCall) =>
        Effect.map(tools.run(call), (result) => tell({ _tag: "ToolEnded", id: call.id, result }))

      const carryOut = (command: ConversationCommand, at: ConversationState): Effect.Effect<void> => {
        switch (command._tag) {
          case "Say":
          case "SendDigits":
          case "End":
            return line.send(command)
          case "Generate":
            return Effect.asVoid(
              FiberMap.run(
                generations,
                command.generation,
                generate(command.generation, command.tools, historyOf(at))
              )
            )
          case "CancelGeneration":
            return Effect.sync(() => {
              const found = FiberMap.unsafeGet(generations, command.generation)
              if (found._tag === "Some") found.value.unsafeInterruptAsFork(found.value.id())
            })
          case "RunTool":
            return Effect.sync(() => void beside(runTool(command.call)))
          case "DoNotCall":
            return talk.doNotCall
        }
      }

      const clock = yield* Effect.clock

      /** Takes what has happened, one after the other, and then carries out what is asked for. */
      const take = Effect.fnUntraced(function* (happened: Iterable<ConversationEvent>) {
        const now = clock.unsafeCurrentTimeMillis()
        const first = state
        const asked: Array<readonly [command: ConversationCommand, at: ConversationState]> = []
        let timer: number | null = null
        let failures = 0
        for (const event of happened) {
          record.note(event, now)
          const taken = step(state, event, now)
          state = taken.state
          timer = taken.timer
          for (const command of taken.commands) asked.push([command, state])
          if (event._tag === "GenerationFailed") failures += 1
          if (state.over !== null) break
        }
        if (state.turns !== first.turns || state.closing !== first.closing)
          yield* record.changed(state, first)
        for (const [command, at] of asked) yield* carryOut(command, at)
        if (failures > 0) yield* Metric.incrementBy(Metrics.modelFailures, failures)
        alarm(timer, now)
      })

      // Counts before any deadline: while no process held the talk, its callee did not keep silent.
      if (talk.again) yield* take([{ _tag: "Connected" }])
      const told = talk.again ? Stream.drop(line.events, 1) : line.events

      // The line is ours from here on: a tool that was under way when the process before died comes to its end.
      for (const call of tools.unfinished(state)) {
        if (call.result === null) yield* Effect.sync(() => void beside(runTool(call)))
        else tell({ _tag: "ToolEnded", id: call.id, result: call.result })
      }
      yield* Effect.forkScoped(
        Effect.ensuring(
          Stream.runForEach(told, (event) => Effect.sync(() => tell(event))),
          Effect.sync(() => tell({ _tag: "Closed", reason: "dropped" }))
        )
      )
      tell({ _tag: "TimerFired" })

      const talking = Effect.gen(function* () {
        while (state.over === null) {
          yield* take(yield* Queue.takeBetween(events, 1, 64))
        }
        yield* record.flush
      })
      const lost = yield* Effect.raceFirst(Effect.as(talking, false), Effect.as(record.lost, true))
      return { state, lost }
    })
  )
