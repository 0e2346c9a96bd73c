import type { Effect, Stream } from "effect"
import type { LineCapabilities, LineCommand, LineEvent } from "../model/conversations/Speech.ts"

/** One live line, at the level of text. It belongs to the scope in which it was made. */
export interface SpeechLine {
  readonly capabilities: LineCapabilities
  /** What the line tells, as it happens. Ends after `Closed`, which comes last and always. */
  readonly events: Stream.Stream<LineEvent>
  /** Hands a command over, and waits for nothing. A line that is closed drops it. */
  readonly send: (command: LineCommand) => Effect.Effect<void>
}
