import { Clock, Effect, type Fiber, FiberSet, type Scope } from "effect"
import * as Playout from "../model/conversations/Playout.ts"
import {
  charactersPerSecond,
  type LineCapabilities,
  type LineCommand,
  type LineEvent
} from "../model/conversations/Speech.ts"
import type { SpeechLine } from "../ports/SpeechLine.ts"
import { Emitter } from "./Emitter.ts"

/** What a callee does when it is its turn. */
export type CalleeAct =
  | { readonly _tag: "Say"; readonly text: string; readonly hangs_up: boolean }
  | { readonly _tag: "Press"; readonly digits: string }
  | { readonly _tag: "HangUp" }
  /** It says nothing, and waits for the agent. */
  | { readonly _tag: "Listen" }

/** What has been said on the line so far, as the callee has heard and said it: `…` where it has said nothing. */
export interface Heard {
  readonly role: "agent" | "callee"
  readonly text: string
}

/** A callee who talks. */
export interface TalkingCallee {
  /** Whether it speaks first, as a machine does. */
  readonly opens?: boolean
  /** Whether it speaks over an agent that goes on after a first clause. */
  readonly interrupts?: boolean
  /** Asked when the line is open, each time the agent has finished, and each time a silence has lasted for a while. */
  readonly act: (heard: ReadonlyArray<Heard>) => Effect.Effect<CalleeAct>
}

export interface LineOptions {
  /** What was said on a line before, with which the talk goes on here. */
  readonly heard?: ReadonlyArray<Heard>
  /** Whether it tells what the callee is saying before that is final. Where the callee interrupts, it always does. */
  readonly partials?: boolean
}

export const capabilities: LineCapabilities = {
  reportsPlayout: true,
  endDropsSpeech: true,
  reportsPartials: true,
  reportsMessageEnd: true
}

/** Milliseconds from the end of what the callee hears to its answer. */
const reaction = 700
/** What a line takes to close once it is told to. */
const closing = 90

/** The words up to now, in steps of a quarter of a second: each text replaces the one before. */
const partialsOf = (text: string): ReadonlyArray<string> => {
  const words = text.split(" ")
  const each = Math.max(1, Math.round(charactersPerSecond / 4 / 5))
  return Array.from({ length: Math.max(0, Math.ceil(words.length / each) - 1) }, (_, i) =>
    words.slice(0, (i + 1) * each).join(" ")
  )
}

/**
 * A line to a callee who is made up. Speech takes its time by the fiber's clock: about fifteen characters a second,
 * the agent's after 0.3 s, the callee's after a reaction time. The callee's last words end the line when it hangs up.
 */
export const make = (
  callee: TalkingCallee,
  options: LineOptions = {}
): Effect.Effect<SpeechLine, never, Scope.Scope> =>
  Effect.gen(function* () {
    const events = new Emitter<LineEvent>()
    const clock = yield* Effect.clock
    const heard: Array<Heard> = [...(options.heard ?? [])]
    const start = yield* FiberSet.makeRuntime<never>()
    let playout = Playout.silent
    let complete = false
    let closed = false
    let speaking: Fiber.RuntimeFiber<void> | null = null
    let playing: Fiber.RuntimeFiber<void> | null = null

    const tell = (told: ReadonlyArray<LineEvent>) => {
      for (const event of told) {
        if (closed) return
        if (event._tag === "Played") {
          const last = heard.at(-1)
          if (last?.role === "agent")
            heard[heard.length - 1] = { role: "agent", text: last.text + event.text }
          else heard.push({ role: "agent", text: event.text })
        }
        if (event._tag === "Closed") closed = true
        events.tell(event)
      }
    }

    const play = Effect.gen(function* () {
      for (let at = Playout.next(playout); at !== null; at = Playout.next(playout)) {
        yield* Effect.sleep(Math.max(0, at - (yield* Clock.currentTimeMillis)))
        const told = Playout.advance(playout, yield* Clock.currentTimeMillis)
        playout = told.playout
        tell(told.events)
        const isHeardInPart = told.events.some(({ _tag }) => _tag === "Played") && playout.speaking
        if (callee.interrupts === true && isHeardInPart) answer()
      }
      playing = null
      if (complete) answer()
    })

    const speak = Effect.fnUntraced(function* (text: string, hangs_up: boolean) {
      tell([{ _tag: "CalleeSpeaking", on: true }])
      const cut = Playout.interrupt(playout, yield* Clock.currentTimeMillis)
      playout = cut.playout
      tell(cut.events)
      const isTold = options.partials !== false || cut.events.length > 0
      const partials = isTold ? partialsOf(text) : []
      const step = (text.length * 1_000) / charactersPerSecond / (partials.length + 1)
      for (const partial of partials) {
        yield* Effect.sleep(step)
        tell([{ _tag: "CalleeSaid", text: partial, final: false, language: null }])
      }
      yield* Effect.sleep(step)
      heard.push({ role: "callee", text })
      tell([
        { _tag: "CalleeSpeaking", on: false },
        { _tag: "CalleeSaid", text, final: true, language: null }
      ])
      if (!hangs_up) return
      yield* Effect.sleep(closing)
      tell([{ _tag: "Closed", reason: "hangup" }])
    })

    const act = Effect.gen(function* () {
      yield* Effect.sleep(reaction)
      const next = yield* callee.act(heard)
      switch (next._tag) {
        case "Say":
          yield* speak(next.text, next.hangs_up)
          break
        case "Press":
          heard.push({ role: "callee", text: `[keys pressed: ${next.digits}]` })
          for (const digit of next.digits) tell([{ _tag: "Digit", digit }])
          break
        case "HangUp":
          tell([{ _tag: "Closed", reason: "hangup" }])
          break
        case "Listen":
          heard.push({ role: "callee", text: "…" })
      }
      speaking = null
    })

    const answer = () => {
      complete = false
      if (speaking === null && !closed) speaking = start(act)
    }

    const send = (command: LineCommand): void => {
      if (closed) return
      switch (command._tag) {
        case "Say":
          playout = Playout.say(playout, command.text, command.interruptible, clock.unsafeCurrentTimeMillis())
          complete = command.last
          if (playing === null && Playout.next(playout) !== null) playing = start(play)
          else if (playing === null && complete) answer()
          return
        case "End":
          start(
            Effect.delay(
              Effect.sync(() => tell([{ _tag: "Closed", reason: "ended" }])),
              closing
            )
          )
          return
        case "SendDigits":
      }
    }

    if (options.heard === undefined) tell([{ _tag: "Connected" }])
    if (callee.opens === true || options.heard?.at(-1)?.role === "agent") answer()
    return {
      capabilities,
      listen: events.listen,
      send
    }
  })
