import { Duration } from "effect"
import * as Codecs from "../../core/model/Codecs.ts"

type Unit = "milli" | "second" | "minute" | "hour" | "day" | "week"

/** A length of time: milliseconds, or a text such as `"15 minutes"`, `"1 hour"`, `"250 millis"`. */
export type Span = number | `${number} ${Unit}` | `${number} ${Unit}s`

/** In milliseconds. */
export const millisOf = (span: Span): number => {
  const millis = typeof span === "number" ? span : Duration.toMillis(Duration.decode(span))
  if (!Number.isFinite(millis) || millis < 0)
    throw new RangeError("a length of time is zero or more milliseconds, and finite")
  return Math.round(millis)
}

/** A moment, in epoch milliseconds. */
export const momentOf = (moment: Date | string): number => {
  const at = typeof moment === "string" ? Codecs.millisOf(moment) : moment.getTime()
  if (Number.isNaN(at)) throw new RangeError(`a moment is a Date or a text, which ${Codecs.timestampRule}`)
  return at
}
