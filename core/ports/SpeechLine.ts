import type { LineCapabilities, LineCommand, LineEvent } from "../model/conversations/Speech.ts"

/** One live line, at the level of text. It belongs to the scope in which it was made. */
export interface SpeechLine {
  readonly capabilities: LineCapabilities
  /**
   * Has what the line tells heard from its beginning on, and from then on as it happens; `Closed` comes last and always.
   * To be called once. `hear` does not throw.
   */
  readonly listen: (hear: (event: LineEvent) => void) => void
  /** Hands a command over, and waits for nothing. A line that is closed drops it. */
  readonly send: (command: LineCommand) => void
}
