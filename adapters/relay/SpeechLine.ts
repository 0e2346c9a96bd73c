import { Deferred, type Duration, Effect, Metric, Option, type Scope } from "effect"
import { Emitter } from "../../core/engine/Emitter.ts"
import { makeStart } from "../../core/engine/Starting.ts"
import type { LineCapabilities, LineCommand, LineEvent } from "../../core/model/conversations/Speech.ts"
import type { SpeechLine } from "../../core/ports/SpeechLine.ts"
import type { LiveSocket } from "../shared/LiveSockets.ts"
import { capabilities, closedBy, read, refusedFrames, type Setup, write } from "./Frames.ts"

const ignored = Metric.counter("outdial_relay_frames_ignored_total", {
  description: "Frames of relays that are not known, or not as they should be",
  incremental: true
})

/** After its `end` a relay closes the socket within a tenth of a second. */
const endWithin = "2 seconds"

export interface Options {
  /** How long the relay has to say who it speaks for. Default 10 s. */
  readonly setupWithin?: Duration.DurationInput | undefined
  /** What the relay can do, where its first frame does not say. */
  readonly capabilities?: LineCapabilities | undefined
}

/** A relay that has said who it speaks for. */
export interface Connected {
  readonly setup: Setup
  readonly line: SpeechLine
  /** Whether neither side speaks, nor is about to, as far as the relay tells. */
  readonly isQuiet: () => boolean
}

/**
 * A relay's socket as a line. None when the relay has not said in time who it speaks for. Frames that cannot be read are
 * ignored and counted, a second `setup` too.
 */
export const make = Effect.fnUntraced(function* (
  socket: LiveSocket,
  options: Options = {}
): Effect.fn.Return<Option.Option<Connected>, never, Scope.Scope> {
  const events = new Emitter<LineEvent>()
  /** What the relay says first, or none. */
  const first = yield* Deferred.make<Option.Option<Setup>>()
  const speaking = { agent: false, callee: false }
  let isSetUp = false
  let endedByUs = false

  const hear = (told: LineEvent) => {
    if (told._tag === "AgentSpeaking") speaking.agent = told.on
    if (told._tag === "CalleeSpeaking") speaking.callee = told.on
    events.tell(told)
  }

  const receive = (frame: string) => {
    const told = read(frame)
    if (told === null || isSetUp === (told._tag === "Setup")) return ignored.unsafeUpdate(1, [])
    if (told._tag !== "Setup") return hear(told)
    isSetUp = true
    events.tell({ _tag: "Connected" })
    Deferred.unsafeDone(first, Effect.succeed(Option.some(told)))
  }

  socket.listen(receive)
  socket.onClosed((code) => {
    if (code === refusedFrames.closedWith) events.tell(refusedFrames.error)
    events.tell(closedBy(code, endedByUs))
    Deferred.unsafeDone(first, Effect.succeed(Option.none()))
  })

  const setup = yield* Effect.timeoutOption(Deferred.await(first), options.setupWithin ?? "10 seconds")
  const start = yield* makeStart

  const send = (command: LineCommand, { reportsPlayout }: LineCapabilities) => {
    socket.send(write(command))
    if (command._tag === "Say" && command.text !== "" && reportsPlayout) speaking.agent = true
    if (command._tag !== "End" || endedByUs) return
    endedByUs = true
    start(Effect.delay(socket.close(1_000), endWithin))
  }

  return Option.map(Option.flatten(setup), (setup) => {
    const able = setup.capabilities ?? options.capabilities ?? capabilities
    return {
      setup,
      line: {
        capabilities: able,
        listen: events.listen,
        send: (command) => send(command, able)
      },
      isQuiet: () => !speaking.agent && !speaking.callee
    }
  })
})
