import { type Effect, Option } from "effect"

/** What one round of a part of the due-work loop leaves behind: whether to look again at once, or when. */
export interface Round {
  readonly again: boolean
  readonly due: Option.Option<number>
}

/** Runs work beside the loop. Once it has ended, well or not, `over` is called and the loop is told. */
export type Fork = (work: Effect.Effect<void>, over?: () => void) => Effect.Effect<void>

export const soonest = (times: ReadonlyArray<Option.Option<number>>): Option.Option<number> =>
  Option.reduceCompact(times, Option.none<number>(), (earliest, time) =>
    Option.some(Option.isSome(earliest) ? Math.min(earliest.value, time) : time)
  )
