import { Cause, Clock, Effect, type Fiber, FiberMap, FiberSet, Metric, Queue, Stream } from "effect"
import { minute } from "../model/Codecs.ts"
import { type ConversationState, type ToolCall, utterancesOf } from "../model/conversations/Conversation.ts"
import { type ConversationEvent, step } from "../model/conversations/ConversationMachine.ts"
import type { ConversationCommand } from "../model/conversations/Draft.ts"
import { historyOf } from "../model/conversations/History.ts"
import { AgentModel, type AgentPart } from "../ports/AgentModel.ts"
import { Repository } from "../ports/Repository.ts"
import type { SpeechLine } from "../ports/SpeechLine.ts"
import { makeJournalWriter } from "./JournalWriter.ts"
import * as Metrics from "./Metrics.ts"
import type { Opened } from "./SessionOpening.ts"
import { makeTalkCharges } from "./TalkCharges.ts"
import { makeToolUses } from "./ToolUses.ts"

/** What is left of a conversation that was held. */
export interface Held {
  readonly state: ConversationState
  readonly used: { readonly input_tokens: number; readonly output_tokens: number }
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
 * Holds conversations: one machine over a line and a model each. What happens is written into the journal as it
 * goes; a tool is carried out once its use is stored.
 */
export const makeHolding = Effect.gen(function* () {
  const repository = yield* Repository
  const model = yield* AgentModel
  const { prepare } = yield* makeToolUses
  const charges = yield* makeTalkCharges

  /** `listen` runs beside the conversation, and tells it what reaches it from outside. */
  const hold = (
    opened: Opened,
    line: SpeechLine,
    listen: (tell: (event: ConversationEvent) => void) => Effect.Effect<void>
  ): Effect.Effect<Held> =>
    Effect.scoped(
      Effect.gen(function* () {
        const { asked, session } = opened
        const name = { workspace_id: session.customer_id, session_id: session.session_id }
        const events = yield* Queue.unbounded<ConversationEvent>()
        const tell = (event: ConversationEvent) => void events.unsafeOffer(event)
        const journal = yield* makeJournalWriter(
          (slice, utterances) => charges.store(session, slice, utterances),
          opened.slices,
          () => tell({ _tag: "HangUp" })
        )
        yield* Effect.forkScoped(listen(tell))
        const alarm = yield* makeAlarm(() => tell({ _tag: "TimerFired" }))
        const generations = yield* FiberMap.make<number, void>()
        const beside = yield* FiberSet.makeRuntime<never>()
        const tools = prepare(opened, journal)
        const used = { input_tokens: 0, output_tokens: 0 }
        let state = opened.state

        const heard = (generation: number, part: AgentPart) => {
          switch (part._tag) {
            case "Text":
              return tell({ _tag: "Delta", generation, text: part.text })
            case "ToolCalls":
              return tell({ _tag: "ToolsAsked", generation, calls: part.calls })
            case "Used":
              used.input_tokens += part.usage.input_tokens
              used.output_tokens += part.usage.output_tokens
          }
        }

        const generate = (generation: number, mayUseTools: boolean) =>
          Stream.runForEach(
            model.reply({ ...asked, messages: historyOf(state), tools: mayUseTools ? asked.tools : [] }),
            (part) => Effect.sync(() => heard(generation, part))
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
            Effect.tapDefect((defect) => Effect.logError("an agent's model failed", defect)),
            Effect.withSpan("Conversation.generation", { attributes: { session_id: name.session_id } })
          )

        const runTool = (call: ToolCall) =>
          Effect.map(tools.run(call), (result) => tell({ _tag: "ToolEnded", id: call.id, result }))

        const carryOut = (command: ConversationCommand): Effect.Effect<void> => {
          switch (command._tag) {
            case "Say":
            case "SendDigits":
            case "End":
              return line.send(command)
            case "Generate":
              return Effect.asVoid(
                FiberMap.run(generations, command.generation, generate(command.generation, command.tools))
              )
            case "CancelGeneration":
              return Effect.sync(() => {
                const found = FiberMap.unsafeGet(generations, command.generation)
                if (found._tag === "Some") found.value.unsafeInterruptAsFork(found.value.id())
              })
            case "RunTool":
              return Effect.sync(() => void beside(runTool(command.call)))
            case "DoNotCall":
              return opened.to_number === null
                ? Effect.void
                : Effect.flatMap(Clock.currentTimeMillis, (now) =>
                    repository.doNotCall.add(name.workspace_id, [opened.to_number!], now)
                  ).pipe(
                    Effect.catchAllCause((cause) =>
                      Effect.logError("a number could not be put on the do-not-call list", cause)
                    )
                  )
          }
        }

        const take = Effect.fnUntraced(function* (event: ConversationEvent) {
          const now = yield* Clock.currentTimeMillis
          journal.note(event, now)
          const before = state
          const taken = step(before, event, now)
          state = taken.state
          if (state.turns !== before.turns) journal.owe(utterancesOf(state) - utterancesOf(before))
          for (const command of taken.commands) yield* carryOut(command)
          if (state.turns !== before.turns || state.closing !== before.closing) journal.hurry()
          if (event._tag === "GenerationFailed") yield* Metric.increment(Metrics.modelFailures)
          alarm(taken.timer, now)
        })

        // The line is ours from here on: a tool that was under way when the process before died comes to its end.
        for (const call of tools.unfinished(state)) {
          if (call.result === null) yield* Effect.sync(() => void beside(runTool(call)))
          else tell({ _tag: "ToolEnded", id: call.id, result: call.result })
        }
        yield* Effect.forkScoped(
          Effect.ensuring(
            Stream.runForEach(line.events, (event) => Effect.sync(() => tell(event))),
            Effect.sync(() => tell({ _tag: "Closed", reason: "dropped" }))
          )
        )
        tell({ _tag: "TimerFired" })

        const talk = Effect.gen(function* () {
          while (state.over === null) {
            for (const event of yield* Queue.takeBetween(events, 1, 64)) {
              yield* take(event)
              if (state.over !== null) break
            }
          }
          yield* journal.flush
        })
        const lost = yield* Effect.raceFirst(Effect.as(talk, false), Effect.as(journal.lost, true))
        return { state, used, lost }
      })
    )

  return { hold }
})
