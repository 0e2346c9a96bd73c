import { Option, Stream } from "effect"
import type { RecordingSource } from "../../core/ports/RecordingStore.ts"
import { between } from "./Behaviour.ts"
import { framesOf, header, sampleRate, samples } from "./Wav.ts"

/** One voice speaks, from one frame until another. */
interface Turn {
  readonly voice: "agent" | "caller"
  readonly from: number
  readonly until: number
  /** Hertz. */
  readonly pitch: number
}

/** Hertz of the lower and the higher voice, and how many syllables they speak a second. */
const pitches = { agent: 147, caller: 220 } as const
const syllables = 3.5

/** Each harmonic's part of a voice. */
const harmonics = [0.6, 0.25, 0.1, 0.05]
const loudness = 0.4

/** The agent begins; then they take turns, with pauses. */
const turnsOf = (key: string, frames: number): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = []
  let at = sampleRate / 4
  for (let i = 0; at < frames; i++) {
    const voice = i % 2 === 0 ? "agent" : "caller"
    const until = Math.min(frames, at + (sampleRate * between(12, 34, key, 10 + 2 * i)) / 10)
    turns.push({ voice, from: at, until, pitch: pitches[voice] * (1 + between(-8, 8, key, 5) / 100) })
    at = until + (sampleRate * between(2, 6, key, 11 + 2 * i)) / 10
  }
  return turns
}

/** From -1 to 1: a tone with overtones, swelling with each syllable, its pitch falling towards the end. */
const spoken = ({ from, pitch, until }: Turn, frame: number): number => {
  const seconds = (frame - from) / sampleRate
  const length = (until - from) / sampleRate
  const swell = 0.5 - 0.5 * Math.cos(2 * Math.PI * syllables * seconds)
  const edge = Math.min(1, 20 * seconds, 20 * (length - seconds))
  const phase = 2 * Math.PI * pitch * (seconds - (0.06 * seconds * seconds) / length)
  let value = 0
  for (let i = 0; i < harmonics.length; i++) value += harmonics[i]! * Math.sin((i + 1) * phase)
  return loudness * swell * edge * value
}

/**
 * The audio of a simulated call: two voices without words that take turns, as long as the record says, always the
 * same for the same recording. Of two channels the caller has the left one and the agent the right. It is made of
 * the record alone, a second at a time, so that the carrier has to keep none of it.
 */
export const source: RecordingSource = ({ carrier_recording_id, channels, duration_seconds, track }) => {
  if (!carrier_recording_id.startsWith("simrec_")) return null
  const frames = framesOf(duration_seconds)
  const turns = turnsOf(carrier_recording_id, frames)
  const isHeard = ({ voice }: Turn, channel: number) =>
    channels === 2 && track === "mixed"
      ? voice === (channel === 0 ? "caller" : "agent")
      : track === "mixed" || voice === track
  const second = (from: number, until: number): Uint8Array => {
    let current = turns.findIndex((turn) => turn.until > from)
    return samples(channels, from, until, (frame, channel) => {
      if (frame >= (turns[current]?.until ?? Infinity)) current += 1
      const turn = turns[current]
      return turn !== undefined && frame >= turn.from && isHeard(turn, channel) ? spoken(turn, frame) : 0
    })
  }
  return Stream.concat(
    Stream.make(header(channels, duration_seconds)),
    Stream.unfold(0, (from) => {
      if (from >= frames) return Option.none()
      const until = Math.min(frames, from + sampleRate)
      return Option.some([second(from, until), until] as const)
    })
  )
}
