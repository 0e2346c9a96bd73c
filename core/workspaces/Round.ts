import type { Option } from "effect"

/** What one round of a part of the due-work loop leaves behind: whether to look again at once, or when. */
export interface Round {
  readonly again: boolean
  readonly due: Option.Option<number>
}
