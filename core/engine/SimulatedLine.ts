import { Effect, type Scope } from "effect"
import * as Playout from "../model/conversations/Playout.ts"
import {
  charactersPerSecond,
  type LineCapabilities,
  type LineCommand,
  type LineEvent
} from "../model/conversations/Speech.ts"
import type { SpeechLine } from "../ports/SpeechLine.ts"
import { Emitter } from "./Emitter.ts"
import { makeStart } from "./Starting.ts"
import { makeTimer } from "./Timer.ts"

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
    const timer = yield* makeTimer
    const start = yield* makeStart
    const heard: Array<Heard> = [...(options.heard ?? [])]
    let playout = Playout.silent
    let complete = false
    let closed = false
    let isActing = false
    let isPlaying = false

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

    const play = () => {
      const at = Playout.next(playout)
      isPlaying = at !== null
      if (at !== null) timer(Math.max(0, at - clock.unsafeCurrentTimeMillis()), sound)
      else if (complete) answer()
    }

    const sound = () => {
      const told = Playout.advance(playout, clock.unsafeCurrentTimeMillis())
      playout = told.playout
      tell(told.events)
      const isHeardInPart = told.events.some(({ _tag }) => _tag === "Played") && playout.speaking
      if (callee.interrupts === true && isHeardInPart) answer()
      play()
    }

    const hangUp = () => {
      isActing = false
      tell([{ _tag: "Closed", reason: "hangup" }])
    }

    const speak = (text: string, hangs_up: boolean) => {
      tell([{ _tag: "CalleeSpeaking", on: true }])
      const cut = Playout.interrupt(playout, clock.unsafeCurrentTimeMillis())
      playout = cut.playout
      tell(cut.events)
      const isTold = options.partials !== false || cut.events.length > 0
      const partials = isTold ? partialsOf(text) : []
      const step = (text.length * 1_000) / charactersPerSecond / (partials.length + 1)
      const next = (i: number) => {
        const partial = partials[i]
        if (partial !== undefined) {
          tell([{ _tag: "CalleeSaid", text: partial, final: false, language: null }])
          return void timer(step, () => next(i + 1))
        }
        heard.push({ role: "callee", text })
        isActing = hangs_up
        tell([
          { _tag: "CalleeSpeaking", on: false },
          { _tag: "CalleeSaid", text, final: true, language: null }
        ])
        if (hangs_up) timer(closing, hangUp)
      }
      timer(step, () => next(0))
    }

    const perform = (act: CalleeAct) => {
      isActing = act._tag === "Say"
      switch (act._tag) {
        case "Say":
          return speak(act.text, act.hangs_up)
        case "Press":
          heard.push({ role: "callee", text: `[keys pressed: ${act.digits}]` })
          return tell([...act.digits].map((digit) => ({ _tag: "Digit" as const, digit })))
        case "HangUp":
          return hangUp()
        case "Listen":
          heard.push({ role: "callee", text: "…" })
      }
    }

    const answer = () => {
      complete = false
      if (isActing || closed) return
      isActing = true
      timer(reaction, () => start(Effect.map(callee.act(heard), perform)))
    }

    const send = (command: LineCommand): void => {
      if (closed) return
      switch (command._tag) {
        case "Say":
          playout = Playout.say(playout, command.text, command.interruptible, clock.unsafeCurrentTimeMillis())
          complete = command.last
          if (!isPlaying) play()
          return
        case "End":
          timer(closing, () => tell([{ _tag: "Closed", reason: "ended" }]))
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
