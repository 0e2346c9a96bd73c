import { Deferred, Effect, Option, type Scope } from "effect"
import * as Relay from "../../../adapters/relay/SpeechLine.ts"
import type { LiveSocket } from "../../../adapters/shared/LiveSockets.ts"
import type { LineCommand, LineEvent } from "../../../core/model/conversations/Speech.ts"
import type { CarryingEnds } from "../../contracts/SpeechLine.ts"
import * as SocketServer from "../http/SocketServer.ts"

export const setup = {
  type: "setup",
  sessionId: "VX1",
  accountSid: "AC1",
  callSid: "CA1",
  parentCallSid: "",
  from: "+14155550100",
  to: "+14155550123",
  direction: "outbound-api",
  callStatus: "RINGING",
  customParameters: {}
}

/** The frame by which a relay tells an event. */
export const frameOf = (event: LineEvent): object => {
  switch (event._tag) {
    case "CalleeSpeaking":
      return { type: "info", name: "clientSpeaking", value: event.on ? "on" : "off" }
    case "AgentSpeaking":
      return { type: "info", name: "agentSpeaking", value: event.on ? "on" : "off" }
    case "Played":
      return { type: "info", name: "tokensPlayed", value: event.text }
    case "CalleeSaid":
      return { type: "prompt", voicePrompt: event.text, lang: event.language, last: event.final }
    case "Interrupted":
      return {
        type: "interrupt",
        utteranceUntilInterrupt: "Hel",
        durationUntilInterruptMs: String(event.heard_ms)
      }
    case "Digit":
      return { type: "dtmf", digit: event.digit }
    case "LineError":
      return { type: "error", description: event.message }
    case "Connected":
    case "Closed":
      throw new Error(`no frame tells ${event._tag}`)
  }
}

/** The command that a frame carries. */
export const commandOf = (frame: string): LineCommand => {
  const { digits, handoffData, interruptible, last, preemptible, token, type } = JSON.parse(frame)
  if (type === "text") return { _tag: "Say", text: token, last, interruptible, preemptible }
  if (type === "sendDigits") return { _tag: "SendDigits", digits }
  return { _tag: "End", token: handoffData }
}

/** What a relay tells in the course of an interruption, and some more. */
export const tells: ReadonlyArray<LineEvent> = [
  { _tag: "AgentSpeaking", on: true },
  { _tag: "Digit", digit: "5" },
  { _tag: "CalleeSpeaking", on: true },
  { _tag: "Played", text: "Hel" },
  { _tag: "Interrupted", heard_ms: 640 },
  { _tag: "CalleeSaid", text: "Who", final: false, language: "en-US" },
  { _tag: "AgentSpeaking", on: false },
  { _tag: "CalleeSpeaking", on: false },
  { _tag: "CalleeSaid", text: "Who is this?", final: true, language: "en-US" },
  { _tag: "LineError", code: "64107", message: "64107: invalid message", fatal: false }
]

export interface Peer extends CarryingEnds {
  readonly socket: Effect.Effect.Success<ReturnType<typeof SocketServer.connect>>
  readonly connected: Relay.Connected
}

type LiveSocketTalk = (socket: LiveSocket) => Effect.Effect<void>

/**
 * A line over a real socket on loopback whose relay's first frames are these. None when it is no line. A relay that
 * `ends` closes its socket when it is told to.
 */
export const open = Effect.fnUntraced(function* (
  frames: ReadonlyArray<string>,
  { ends = true, ...options }: Relay.Options & { readonly ends?: boolean } = {},
  through: (talk: LiveSocketTalk) => LiveSocketTalk = (talk) => talk
): Effect.fn.Return<Option.Option<Peer>, never, Scope.Scope> {
  const made = yield* Deferred.make<Option.Option<Relay.Connected>>()
  const run = (socket: LiveSocket) =>
    Effect.scoped(
      Effect.gen(function* () {
        const connected = yield* Relay.make(socket, options)
        yield* Deferred.succeed(made, connected)
        return yield* Option.isSome(connected) ? Effect.never : Effect.void
      })
    )
  const { port } = yield* Effect.orDie(SocketServer.serve({ run: through(run), grace: "20 millis" }))
  const socket = yield* Effect.orDie(SocketServer.connect(port))
  for (const frame of frames) socket.socket.send(frame)
  // Twilio closes the socket when our end reaches it, whether or not a test looks at it.
  socket.socket.on("message", (frame) => {
    if (commandOf(String(frame))._tag === "End" && ends) socket.socket.close(1_000)
  })
  const told = Effect.map(socket.next, commandOf)
  const heard: Effect.Effect<string> = Effect.flatMap(told, (command) =>
    command._tag !== "Say"
      ? heard
      : command.last
        ? Effect.succeed(command.text)
        : Effect.map(heard, (rest) => command.text + rest)
  )
  return Option.map(yield* Deferred.await(made), (connected) => ({
    connected,
    socket,
    line: connected.line,
    tell: (events) =>
      Effect.sync(() => {
        for (const event of events) socket.socket.send(JSON.stringify(frameOf(event)))
      }),
    told,
    heard,
    leave: (how) =>
      Effect.sync(() => (how === "hangup" ? socket.socket.close(1_000) : socket.socket.terminate()))
  }))
})
