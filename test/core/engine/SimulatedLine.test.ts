import { Effect, Option, Queue } from "effect"
import { isDeepStrictEqual as isSame } from "node:util"
import * as ScaledClock from "../../../adapters/simulated/ScaledClock.ts"
import * as SimulatedLine from "../../../core/engine/SimulatedLine.ts"
import type { LineEvent } from "../../../core/model/conversations/Speech.ts"
import * as SpeechLine from "../../contracts/SpeechLine.ts"

/** What a callee does to have its line tell this at last; null for what comes of itself before that. */
const actOf = (event: LineEvent): SimulatedLine.CalleeAct | null => {
  if (event._tag === "Digit") return { _tag: "Press", digits: event.digit }
  return event._tag === "CalleeSaid" && event.final
    ? { _tag: "Say", text: event.text, hangs_up: false }
    : null
}

/** A line to a callee who does what a test asks for, and listens else. A hundred times as fast as it would be. */
const steered = Effect.gen(function* () {
  const clock = yield* ScaledClock.make(100)
  const acts = yield* Queue.unbounded<SimulatedLine.CalleeAct>()
  const heard = yield* Queue.unbounded<string>()
  const told = yield* Queue.unbounded<LineEvent>()
  const act: SimulatedLine.TalkingCallee["act"] = (all) =>
    Effect.flatMap(
      Queue.poll(acts),
      Option.match({
        onSome: Effect.succeed,
        onNone: () => Effect.as(heard.offer(all.at(-1)!.text), { _tag: "Listen" as const })
      })
    )
  const line = yield* Effect.withClock(SimulatedLine.make({ act }), clock)
  const toBeAsked = Effect.sync(() =>
    line.send({ _tag: "Say", text: "", last: true, interruptible: true, preemptible: false })
  )
  const does = (next: SimulatedLine.CalleeAct) => Effect.zipRight(acts.offer(next), toBeAsked)
  /** The line has told this, and all that came of itself before. */
  const passed = (event: LineEvent) => Effect.repeat(told.take, { until: (seen) => isSame(seen, event) })
  return {
    line: {
      ...line,
      listen: (hear) =>
        line.listen((event) => {
          hear(event)
          told.unsafeOffer(event)
        })
    },
    heard: heard.take,
    tell: Effect.fnUntraced(function* (events) {
      for (const event of events) {
        const next = actOf(event)
        if (next === null) continue
        yield* does(next)
        yield* passed(event)
      }
    }),
    leave: () => does({ _tag: "HangUp" })
  } satisfies SpeechLine.Ends
})

SpeechLine.suite("a line to a simulated callee", steered, {
  tells: [
    { _tag: "Digit", digit: "5" },
    { _tag: "Digit", digit: "#" },
    { _tag: "CalleeSpeaking", on: true },
    { _tag: "CalleeSaid", text: "Who", final: false, language: null },
    { _tag: "CalleeSaid", text: "Who is", final: false, language: null },
    { _tag: "CalleeSpeaking", on: false },
    { _tag: "CalleeSaid", text: "Who is this?", final: true, language: null }
  ],
  leaves: ["hangup"]
})
