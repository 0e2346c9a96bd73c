import { Option, Schema } from "effect"
import type { LineCapabilities, LineCommand, LineEvent } from "../../core/model/conversations/Speech.ts"

/** The most that one frame may have. */
export const mostBytes = 64 * 1_024

const text = Schema.optionalWith(Schema.NullOr(Schema.String), { nullable: true })

/**
 * The frames that a relay sends, as far as they are read: types and fields that are not named here are ignored.
 * Source: Twilio's documentation of ConversationRelay, "WebSocket messages".
 */
const Frame = Schema.parseJson(
  Schema.Union(
    Schema.Struct({
      type: Schema.Literal("setup"),
      sessionId: text,
      accountSid: text,
      callSid: text,
      callStatus: text,
      capabilities: Schema.optional(
        Schema.Struct({
          reportsPlayout: Schema.optional(Schema.Boolean),
          reportsPartials: Schema.optional(Schema.Boolean)
        })
      )
    }),
    Schema.Struct({
      type: Schema.Literal("prompt"),
      voicePrompt: Schema.String,
      lang: text,
      last: Schema.optional(Schema.Boolean)
    }),
    Schema.Struct({
      type: Schema.Literal("interrupt"),
      durationUntilInterruptMs: Schema.optional(Schema.Union(Schema.Number, Schema.NumberFromString))
    }),
    Schema.Struct({ type: Schema.Literal("dtmf"), digit: Schema.String }),
    Schema.Struct({ type: Schema.Literal("error"), description: text }),
    Schema.Struct({ type: Schema.Literal("info"), name: Schema.String, value: Schema.String })
  )
)

const decode = Schema.decodeUnknownOption(Frame)

/** Who a relay speaks for, as its first frame tells. */
export interface Setup {
  readonly _tag: "Setup"
  readonly relay_session_id: string | null
  readonly account_id: string | null
  /** Null where no carrier has a call. */
  readonly carrier_call_id: string | null
  /** The relay comes back to a call that has been talked on before. */
  readonly again: boolean
  /** What the relay says that it can do; null for one that does not say, as Twilio's. */
  readonly capabilities: LineCapabilities | null
}

/** A code in the description of an error, such as `64107`. */
const codeIn = (description: string): string => /\b(\d{5})\b/.exec(description)?.[1] ?? "unknown"

/**
 * The errors after which a relay cannot go on with the call: what it was asked for is not valid (64101), it has run for
 * as long as it may (64104), it has no such voice (64106), it hears nothing (64108), too many run at one time (64109).
 * Source: Twilio's error and warning dictionary.
 */
export const fatalCodes: ReadonlySet<string> = new Set(["64101", "64104", "64106", "64108", "64109"])

/** A relay that could not read ten frames of ours in a row closes the socket: another would come to the same end. */
export const refusedFrames = {
  closedWith: 1_007,
  error: {
    _tag: "LineError",
    code: "64107",
    message: "the relay could not read what it was sent",
    fatal: true
  }
} as const satisfies { readonly closedWith: number; readonly error: LineEvent }

const infoOf = (name: string, value: string): LineEvent | null => {
  switch (name) {
    case "agentSpeaking":
      return { _tag: "AgentSpeaking", on: value === "on" }
    case "clientSpeaking":
      return { _tag: "CalleeSpeaking", on: value === "on" }
    case "tokensPlayed":
      return { _tag: "Played", text: value }
    default:
      return null
  }
}

interface Claims {
  readonly reportsPlayout?: boolean | undefined
  readonly reportsPartials?: boolean | undefined
}

/** What a relay can do that says so itself, such as a page in a browser: no carrier of calls is behind it. */
const claimed = ({ reportsPartials = false, reportsPlayout = false }: Claims): LineCapabilities => ({
  reportsPlayout,
  reportsPartials,
  endDropsSpeech: true,
  reportsMessageEnd: false
})

/** What a frame tells; null for one that is no JSON, of an unknown type, of wrong types, or too long. */
export const read = (frame: string): Setup | LineEvent | null => {
  if (frame.length > mostBytes) return null
  const decoded = decode(frame)
  if (Option.isNone(decoded)) return null
  const value = decoded.value
  switch (value.type) {
    case "setup":
      return {
        _tag: "Setup",
        relay_session_id: value.sessionId ?? null,
        account_id: value.accountSid ?? null,
        carrier_call_id: value.callSid ?? null,
        again: value.callStatus === "IN_PROGRESS",
        capabilities: value.capabilities === undefined ? null : claimed(value.capabilities)
      }
    case "prompt":
      // Without partial prompts a relay sends final ones alone, and does not say so.
      return {
        _tag: "CalleeSaid",
        text: value.voicePrompt,
        final: value.last ?? true,
        language: value.lang ?? null
      }
    case "interrupt":
      return { _tag: "Interrupted", heard_ms: value.durationUntilInterruptMs ?? null }
    case "dtmf":
      return { _tag: "Digit", digit: value.digit }
    case "error": {
      const message = value.description ?? ""
      const code = codeIn(message)
      return { _tag: "LineError", code, message, fatal: fatalCodes.has(code) }
    }
    case "info":
      return infoOf(value.name, value.value)
  }
}

/** The frame that carries a command out. */
export const write = (command: LineCommand): string => {
  switch (command._tag) {
    case "Say": {
      const { interruptible, last, preemptible, text: token } = command
      return JSON.stringify({ type: "text", token, last, interruptible, preemptible })
    }
    case "SendDigits":
      return JSON.stringify({ type: "sendDigits", digits: command.digits })
    case "End":
      return JSON.stringify({ type: "end", handoffData: command.token })
  }
}

/**
 * How a relay's connection has come to its end, by the code it was closed with: 1000 when the call is over or was ended
 * as we asked, anything else when the connection broke.
 */
export const closedBy = (code: number, endedByUs: boolean): LineEvent => ({
  _tag: "Closed",
  reason: code !== 1_000 ? "dropped" : endedByUs ? "ended" : "hangup"
})

/** What a relay can do when the attributes of its TwiML ask for speaker events, playout and partial prompts. */
export const capabilities: LineCapabilities = {
  reportsPlayout: true,
  endDropsSpeech: true,
  reportsPartials: true,
  reportsMessageEnd: true
}
