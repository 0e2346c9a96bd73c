import { Option } from "effect"

/** What one round of a part of the due-work loop leaves behind: whether to look again at once, or when. */
export interface Round {
  readonly again: boolean
  readonly due: Option.Option<number>
}

export const soonest = (times: ReadonlyArray<Option.Option<number>>): Option.Option<number> =>
  Option.reduceCompact(times, Option.none<number>(), (earliest, time) =>
    Option.some(Option.isSome(earliest) ? Math.min(earliest.value, time) : time)
  )
