import { Chunk, type Context, Effect, Stream } from "effect"
import type { VirtualTime } from "../engine/VirtualTime.ts"
import { ringTimeout } from "../model/calls/CallMachine.ts"
import type { CallProgress, Progress } from "../model/calls/CarrierProgress.ts"
import type { DialRequest } from "../model/calls/DialRequest.ts"
import { second } from "../model/Codecs.ts"
import type { CalleeModel } from "../model/simulation/CalleeModel.ts"
import type { CallDialer, DialReference, Lookup } from "../ports/CallDialer.ts"
import { type Fate, fateOf } from "../model/simulation/Callee.ts"
import { chanceOf } from "../model/simulation/Chance.ts"
import { makeLocalHour } from "../model/simulation/LocalHour.ts"
import type { Log } from "./Log.ts"

export interface Options {
  readonly time: VirtualTime
  readonly model: CalleeModel
  readonly seed: number
  /** What callees do falls on whole multiples of this. */
  readonly beat_seconds: number
  /** In which time zone the callee of a number is. */
  readonly zoneOf: (number: string) => string
  readonly log: Log
}

/** A call that is under way. */
interface Live {
  readonly carrier_call_id: string
  readonly progress: ReadonlyArray<Progress>
}

/** The beat nearest to a time, but not before `least`. */
const onBeat = (at: number, beat: number, least: number): number =>
  Math.max(Math.round(at / beat) * beat, Math.ceil(least / beat) * beat)

/** Of a call that is over soon all is told at its end; one that lasts is not to be taken for lost. */
const told = (fate: Fate, from: number, beat: number): ReadonlyArray<Progress> => {
  const ended: Progress = {
    _tag: "Ended",
    at: onBeat(from + fate.ended_after * second, beat, from + 1),
    outcome: fate.outcome,
    sub_status: fate.sub_status,
    duration_seconds: fate.talk_seconds,
    error_code: null,
    error_message: null
  }
  return fate.answered_after === null || ended.at - from < ringTimeout
    ? [ended]
    : [{ _tag: "Answered", at: onBeat(from + fate.answered_after * second, beat, from + 1) }, ended]
}

/**
 * A carrier whose callees behave as a model says. What comes of a dial depends on the seed, the number, how often
 * it was dialled before, and the hour of the day where it is: not on the order in which calls are dialled. What
 * is told at one time is told at once.
 */
export const makeCallees = ({
  beat_seconds,
  log,
  model,
  seed,
  time,
  zoneOf
}: Options): {
  readonly dialer: Context.Tag.Service<CallDialer>
  readonly progress: Stream.Stream<CallProgress>
} => {
  const beat = beat_seconds * second
  const hourOf = makeLocalHour()
  const dials = new Map<string, number>()
  const live = new Map<string, Live>()
  const agenda = new Map<number, Array<CallProgress>>()
  let ready: Array<CallProgress> = []
  let listener: ((chunk: Chunk.Chunk<CallProgress>) => void) | null = null

  const tell = () => {
    if (listener === null || ready.length === 0) return
    const hear = listener
    const batch = ready
    listener = null
    ready = []
    hear(Chunk.unsafeFromArray(batch))
  }

  const turn = (at: number) => {
    const due = agenda.get(at)!
    agenda.delete(at)
    for (const { key, progress } of due) {
      if (progress._tag !== "Ended") continue
      live.delete(key)
      log.ended(at, progress.outcome)
    }
    ready.push(...due)
    tell()
  }

  const plan = (told: CallProgress) => {
    const { at } = told.progress
    const due = agenda.get(at)
    if (due !== undefined) return void due.push(told)
    agenda.set(at, [told])
    time.schedule(at, () => turn(at))
  }

  const dial = ({ key, max_call_length, to_number, workspace_id }: DialRequest) =>
    Effect.sync(() => {
      const now = time.unsafeCurrentTimeMillis()
      const before = dials.get(to_number) ?? 0
      const hour = hourOf(zoneOf(to_number), now)
      const fate = fateOf(model, hour, max_call_length, chanceOf(seed, to_number, before), before)
      const progress = told(fate, now, beat)
      dials.set(to_number, before + 1)
      live.set(key, { carrier_call_id: key, progress })
      log.began(now, before + 1)
      for (const each of progress) plan({ workspace_id, key, progress: each })
      return key
    })

  const lookup = ({ key }: DialReference) =>
    Effect.sync((): Lookup => {
      const found = live.get(key)
      if (found === undefined) return { _tag: "NeverReceived" }
      const now = time.unsafeCurrentTimeMillis()
      return { ...found, _tag: "Known", progress: found.progress.filter(({ at }) => at <= now) }
    })

  const heard = Effect.async<Chunk.Chunk<CallProgress>>((resume) => {
    listener = (chunk) => resume(Effect.succeed(chunk))
    tell()
  })

  return {
    dialer: {
      dial,
      lookup,
      // No call lasts longer than it may, and none is cancelled.
      hangUp: () => Effect.void,
      available: Effect.succeed(true),
      awaitAvailable: Effect.void
    },
    progress: Stream.repeatEffectChunk(heard)
  }
}
