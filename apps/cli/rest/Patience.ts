import * as Options from "@effect/cli/Options"
import { Duration, Effect, Schedule, Schema } from "effect"
import * as Flags from "../command/Flags.ts"
import { isOutage, type RestError } from "./RestErrors.ts"

const Interval = Schema.Number.pipe(
  Schema.filter((seconds) => (seconds >= 0.1 && seconds <= 3_600) || "must be a number from 0.1 to 3600")
)

/** How often the server is asked for what changes. */
export const interval = Flags.number(
  "interval",
  "SECONDS",
  "How often the server is asked; 1 when not given.",
  Interval
).pipe(Options.withDefault(1), Options.map(Duration.seconds))

/** 500 ms, doubled up to 5 s; an outage of more than five minutes is an error. */
const patiently = Schedule.exponential("500 millis").pipe(
  Schedule.modifyDelay((_, delay) => Duration.min(delay, "5 seconds")),
  Schedule.upTo("5 minutes")
)

/** Repeats a request through outages of up to five minutes, and says so once. */
export const insist = <A, R, R2>(
  question: Effect.Effect<A, RestError, R>,
  say: (text: string) => Effect.Effect<void, never, R2>
): Effect.Effect<A, RestError, R | R2> =>
  Effect.suspend(() => {
    let lost = false
    const once = (error: RestError) => {
      if (lost || !isOutage(error)) return Effect.void
      lost = true
      return say(`Connection lost, trying again: ${error.message}.`)
    }
    return question.pipe(
      Effect.tapError(once),
      Effect.retry({ schedule: patiently, while: isOutage }),
      Effect.zipLeft(Effect.suspend(() => (lost ? say("Connected again.") : Effect.void)))
    )
  })
