/** What a live line tells, at the level of text. Times and texts are as the line gives them, late or twice included. */
export type LineEvent =
  | { readonly _tag: "Connected" }
  /** The callee makes sound, which need not become words. */
  | { readonly _tag: "CalleeSpeaking"; readonly on: boolean }
  /** What the callee is saying: each text replaces the one before until one is final. */
  | {
      readonly _tag: "CalleeSaid"
      readonly text: string
      readonly final: boolean
      readonly language: string | null
    }
  | { readonly _tag: "AgentSpeaking"; readonly on: boolean }
  /** A piece of what the agent says has been heard. */
  | { readonly _tag: "Played"; readonly text: string }
  /** The line has dropped what it had to say still. What was heard of it was told by `Played` before. */
  | { readonly _tag: "Interrupted"; readonly heard_ms: number | null }
  | { readonly _tag: "Digit"; readonly digit: string }
  | {
      readonly _tag: "LineError"
      readonly code: string
      readonly message: string
      /** The call cannot go on. */
      readonly fatal: boolean
    }
  /**
   * `hangup`: the callee or the carrier ended the call. `ended`: our `End` was carried out. `dropped`: the connection
   * broke, and the call may go on with another.
   */
  | { readonly _tag: "Closed"; readonly reason: "hangup" | "ended" | "dropped" }

/** What a line is asked to do. */
export type LineCommand =
  | {
      readonly _tag: "Say"
      readonly text: string
      /** Nothing more of this turn follows. */
      readonly last: boolean
      readonly interruptible: boolean
      /** The next text may cut it. */
      readonly preemptible: boolean
    }
  | { readonly _tag: "SendDigits"; readonly digits: string }
  /** Ends the line. The token comes back with the carrier's word that the call is ours to direct. */
  | { readonly _tag: "End"; readonly token: string }

/** What a line can do, since carriers differ. */
export interface LineCapabilities {
  /** It tells by `Played` and `AgentSpeaking` what is heard. */
  readonly reportsPlayout: boolean
  /** Its `End` drops what is still to be said. */
  readonly endDropsSpeech: boolean
  /** It tells what the callee is saying before that is final. */
  readonly reportsPartials: boolean
  /** It tells when a voicemail's announcement is over. */
  readonly reportsMessageEnd: boolean
}

/** What a line can do on which text is shown or typed, where its first frame does not say more. */
export const textAlone: LineCapabilities = {
  reportsPlayout: false,
  endDropsSpeech: true,
  reportsPartials: false,
  reportsMessageEnd: false
}

/** Characters that are spoken in a second, and the pause before the first. */
export const charactersPerSecond = 15
export const startup = 300

/** How long so many characters take to be spoken, in milliseconds. */
export const spokenFor = (length: number): number =>
  length === 0 ? 0 : startup + (length * 1_000) / charactersPerSecond

/** How much of a text has been spoken after so many milliseconds: whole words. */
export const spokenAfter = (text: string, millis: number): string => {
  const length = Math.floor(((millis - startup) * charactersPerSecond) / 1_000)
  if (length >= text.length) return text
  const cut = text.slice(0, Math.max(0, length))
  return cut.slice(0, cut.search(/\S*$/)).trimEnd()
}

const spaces = /\s/

/** The beginning of a text that has as many characters as `heard`, spaces not counted: a line may change those. */
export const heardOf = (text: string, heard: string): string => {
  let left = 0
  for (const character of heard) if (!spaces.test(character)) left += 1
  if (left === 0) return ""
  let end = 0
  for (const character of text) {
    if (left === 0) break
    end += character.length
    if (!spaces.test(character)) left -= 1
  }
  return text.slice(0, end)
}
