import { Cause, Deferred, Effect, type Fiber, Scope } from "effect"
import type { ConversationState, ToolCall, ToolUse } from "../model/conversations/Conversation.ts"
import { type ConversationEvent, step } from "../model/conversations/ConversationMachine.ts"
import type { ConversationCommand } from "../model/conversations/Draft.ts"
import { historyOf, type Message } from "../model/conversations/History.ts"
import type { AgentModel, AgentPart, AgentRequest } from "../ports/AgentModel.ts"
import type { SpeechLine } from "../ports/SpeechLine.ts"
import { makeAlarm } from "./Alarm.ts"
import { faultOf } from "./Faults.ts"
import * as Metrics from "./Metrics.ts"
import { span } from "./Span.ts"
import { makeStart } from "./Starting.ts"
import { makeTurnSpans } from "./TurnSpans.ts"

/** What is kept of a conversation while it is held. */
export interface TalkRecord {
  readonly note: (event: ConversationEvent, at: number) => void
  /**
   * A turn was added, or the end begins, or is there: called before what follows from it is carried out. Answers what that has to
   * wait for.
   */
  readonly changed: (state: ConversationState, before: ConversationState) => Effect.Effect<void> | null
  /** Completes once all that was noted is stored. */
  readonly flush: Effect.Effect<void>
}

/** A conversation that is about to be held, with all that it needs. */
export interface Talk {
  readonly session_id: string
  readonly state: ConversationState
  /** The line tells first of all that it is connected. */
  readonly connects: boolean
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

/** A conversation that is held here. */
export interface Here {
  readonly tell: (event: ConversationEvent) => void
  /** Nothing more is to be held of it here: another process, or another line, goes on with it. */
  readonly stop: () => void
}

/** What is left of a conversation that was held. */
export interface Held {
  readonly state: ConversationState
  /** It was stopped: nothing more is to be stored of it here. */
  readonly lost: boolean
}

/**
 * Holds a conversation: one machine over a line and a model. What happens is taken at once, in the turn of the event loop
 * that brings it, one event after the other. `listen` is given what reaches it from outside by.
 */
export const hold = (talk: Talk, line: SpeechLine, listen: (here: Here) => void): Effect.Effect<Held> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { asked, record, tools } = talk
      const clock = yield* Effect.clock
      const spans = yield* makeTurnSpans(talk.session_id)
      const start = yield* makeStart
      /** Completes when it is over and stored, or stopped, and dies of what it cannot go on after. */
      const done = yield* Deferred.make<{ readonly lost: boolean }>()
      const generations = new Map<number, Fiber.RuntimeFiber<void>>()
      const waiting: Array<ConversationEvent> = []
      let state = talk.state
      /** An event is being taken, or what follows from it waits; true for good once it has ended. */
      let isBusy = true

      const tell = (event: ConversationEvent): void => {
        waiting.push(event)
        if (!isBusy) takeAll()
      }

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
        talk
          .reply({ ...asked, messages, tools: mayUseTools ? asked.tools : [] }, (part) =>
            heard(generation, part)
          )
          .pipe(
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
            span("Conversation.generation", { session_id: talk.session_id })
          )

      const runTool = (call: ToolCall) =>
        Effect.map(tools.run(call), (result) => tell({ _tag: "ToolEnded", id: call.id, result }))

      /** Carries a command out. Answers what the next one has to wait for. */
      const carryOut = (command: ConversationCommand, at: ConversationState): Effect.Effect<void> | null => {
        switch (command._tag) {
          case "Say":
          case "SendDigits":
          case "End":
            line.send(command)
            return null
          case "Generate": {
            const { generation } = command
            const fiber = start(spans.within(generate(generation, command.tools, historyOf(at))))
            generations.set(generation, fiber)
            fiber.addObserver(() => generations.delete(generation))
            return null
          }
          case "CancelGeneration": {
            const fiber = generations.get(command.generation)
            fiber?.unsafeInterruptAsFork(fiber.id())
            return null
          }
          case "RunTool":
            start(spans.within(runTool(command.call)))
            return null
          case "DoNotCall":
            return talk.doNotCall
        }
      }

      const carryOutAll = (
        commands: ReadonlyArray<ConversationCommand>,
        at: ConversationState
      ): Effect.Effect<void> | null => {
        for (const [i, command] of commands.entries()) {
          const first = carryOut(command, at)
          if (first === null) continue
          const rest = Effect.suspend(() => carryOutAll(commands.slice(i + 1), at) ?? Effect.void)
          return Effect.zipRight(first, rest)
        }
        return null
      }

      /** Takes one event. Answers what the next one has to wait for. */
      const take = (event: ConversationEvent): Effect.Effect<void> | null => {
        const now = clock.unsafeCurrentTimeMillis()
        const before = state
        record.note(event, now)
        const { commands, state: after, timer } = step(before, event, now)
        state = after
        alarm(timer, now)
        spans.changed(after, before)
        if (event._tag === "GenerationFailed") Metrics.modelFailures.unsafeUpdate(1, [])
        const isChanged =
          after.turns !== before.turns || after.closing !== before.closing || after.over !== before.over
        const first = isChanged ? record.changed(after, before) : null
        if (first === null) return carryOutAll(commands, after)
        return Effect.zipRight(
          first,
          Effect.suspend(() => carryOutAll(commands, after) ?? Effect.void)
        )
      }

      const takeAll = (): void => {
        isBusy = true
        try {
          while (state.over === null) {
            const event = waiting.shift()
            if (event === undefined) return void (isBusy = false)
            const first = take(event)
            if (first === null) continue
            start(
              Effect.matchCause(first, {
                onSuccess: takeAll,
                onFailure: (cause) => Deferred.unsafeDone(done, Effect.failCause(cause))
              })
            )
            return
          }
          start(Effect.map(record.flush, () => Deferred.unsafeDone(done, Effect.succeed({ lost: false }))))
        } catch (defect) {
          Deferred.unsafeDone(done, Effect.die(defect))
        }
      }

      yield* Scope.addFinalizer(
        yield* Effect.scope,
        Effect.sync(() => {
          isBusy = true
          spans.end()
        })
      )
      const alarm = yield* makeAlarm(() => tell({ _tag: "TimerFired" }))
      // Counts before any deadline: while no process held the talk, its callee did not keep silent.
      let isTold = talk.connects
      if (isTold) waiting.push({ _tag: "Connected" })
      listen({ tell, stop: () => Deferred.unsafeDone(done, Effect.succeed({ lost: true })) })
      takeAll()
      // The line is ours from here on: a tool that was under way when the process before died comes to its end.
      for (const call of tools.unfinished(state)) {
        if (call.result === null) start(runTool(call))
        else tell({ _tag: "ToolEnded", id: call.id, result: call.result })
      }
      line.listen((event) => {
        if (isTold) isTold = false
        else tell(event)
      })
      tell({ _tag: "TimerFired" })

      const { lost } = yield* Deferred.await(done)
      return { state, lost }
    })
  )
