import { Effect } from "effect"
import type { ConversationRunnerShape } from "../../core/engine/ConversationRunner.ts"
import * as SimulatedLine from "../../core/engine/SimulatedLine.ts"
import { sessionOf } from "../../core/model/conversations/Session.ts"
import type { Play } from "../../core/ports/AgentSimulator.ts"
import { between } from "./Behaviour.ts"
import type { Dial } from "./LedgerEntry.ts"
import { PersonaCache } from "./personas/PersonaReading.ts"
import { personaLine } from "./personas/PersonaVoice.ts"
import * as ScaledClock from "./ScaledClock.ts"

const silent: SimulatedLine.TalkingCallee = { act: () => Effect.succeed({ _tag: "Listen" }) }

const announcement =
  "You have reached a voicemail. The person you have called cannot answer right now. Please leave a message after the tone."

/** It speaks once, whatever it hears, and listens from then on. */
const machine = (): SimulatedLine.TalkingCallee => {
  let spoke = false
  return {
    opens: true,
    act: () =>
      Effect.sync(() => {
        if (spoke) return { _tag: "Listen" as const }
        spoke = true
        return { _tag: "Say" as const, text: announcement, hangs_up: false }
      })
  }
}

/** How the people behave whom the simulated carrier reaches, each of them by the call. */
const manners = [
  'Friendly. Says "Yes, that works for me."',
  'In a hurry. Says "Can we make this quick?" and "Yes, fine."',
  'Sceptical. Says "Who is calling, please?" and "What is it about?"',
  'Talkative and polite. Says "That is kind of you to call." and "Yes, I will be there."'
]

const personas = new PersonaCache()

/** A person who answers by rules, the same in the same call. */
const person = (dial: Dial): SimulatedLine.TalkingCallee => {
  const instructions = manners[between(0, manners.length - 1, dial.call_id, 7)]!
  const scenario = { label: "callee", instructions, runs: 1, max_turns: 2 * between(3, 6, dial.call_id, 8) }
  return {
    act: (heard) =>
      Effect.sync(() => {
        const play: Play = {
          key: dial.key,
          agent: { name: "", prompt: "", first_message: "", language: "en" },
          scenario,
          transcript: heard.map(({ role, text }) => ({
            role: role === "agent" ? ("agent" as const) : ("persona" as const),
            text,
            at: 0
          }))
        }
        return { _tag: "Say" as const, ...personaLine(personas.read(instructions), play) }
      })
  }
}

const calleeOf = (dial: Dial): SimulatedLine.TalkingCallee => {
  switch (dial.to_number.slice(-4)) {
    case "0004":
      return machine()
    case "0006":
      return silent
    default:
      return person(dial)
  }
}

/** Has an answered call talked on, at the pace of its clock. Completes when the talk is over. */
export const talk = (runner: ConversationRunnerShape, dial: Dial, speed: number): Effect.Effect<void> => {
  const name = { workspace_id: dial.workspace_id, session_id: sessionOf(dial.key) }
  const detect = Effect.gen(function* () {
    yield* Effect.sleep("1500 millis")
    yield* runner.tell(name, { _tag: "AnsweredBy", who: "machine" })
    yield* Effect.sleep("7 seconds")
    yield* runner.tell(name, { _tag: "MessageEnded" })
  })
  const held = Effect.scoped(
    Effect.gen(function* () {
      const line = yield* SimulatedLine.make(calleeOf(dial))
      if (dial.to_number.endsWith("0004")) yield* Effect.forkScoped(detect)
      yield* runner.hold(name, line)
    })
  ).pipe(Effect.catchTag("SessionNotFound", () => Effect.logDebug("a call that is over is not talked on")))
  return speed === 1
    ? held
    : Effect.flatMap(ScaledClock.make(speed), (clock) => Effect.withClock(held, clock))
}
