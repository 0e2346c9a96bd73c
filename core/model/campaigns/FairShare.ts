import type { Channel } from "../agents/Channel.ts"

/** A campaign that could dial now. */
export interface Claimant {
  readonly campaign_id: string
  readonly channel: Channel
  /** Its calls under way. */
  readonly live: number
  /** How many more it may begin by its own caps. */
  readonly room: number
  /** Which turn it was last given; 0 when it has had none yet. */
  readonly turn: number
}

/** What each gets, and the turn at which it got the last of it. */
export type Shares = ReadonlyMap<string, { readonly count: number; readonly turn: number }>

/** What a workspace may begin now, and how much of it may be calls: messages take no line. */
export interface Slots {
  readonly all: number
  readonly voice: number
}

/**
 * Divides what a workspace may begin now among its campaigns, one at a time: the next goes to the campaign with
 * the fewest calls under way, among equals to the one that has waited longest for its turn. So campaigns come to
 * equal numbers of calls under way, and where calls are too short to count, to equal numbers of dials.
 */
export const share = (slots: Slots, claimants: ReadonlyArray<Claimant>, turn: number): Shares => {
  const queue: Array<Standing> = claimants
    .filter(({ room }) => room > 0)
    .map((claimant) => ({ ...claimant, count: 0 }))
  let next = turn
  let { voice } = slots
  for (let left = slots.all; left > 0; left--) {
    let chosen: Standing | undefined
    for (const candidate of queue) {
      if (candidate.count >= candidate.room || (candidate.channel === "voice" && voice <= 0)) continue
      if (chosen === undefined || isBefore(candidate, chosen)) chosen = candidate
    }
    if (chosen === undefined) break
    chosen.count += 1
    chosen.turn = ++next
    if (chosen.channel === "voice") voice -= 1
  }
  return new Map(
    queue
      .filter(({ count }) => count > 0)
      .map(({ campaign_id, count, turn }) => [campaign_id, { count, turn }])
  )
}

/**
 * How many lines a campaign has beside others that dial all the time: they come to equal numbers, but none has more than
 * its own cap.
 */
export const linesBeside = (all: number, own: number, others: ReadonlyArray<number>): number => {
  const caps = [own, ...others].toSorted((a, b) => a - b)
  let left = all
  for (const [i, cap] of caps.entries()) {
    const equal = left / (caps.length - i)
    if (cap > equal) return Math.max(1, Math.min(own, Math.floor(equal)))
    left -= cap
  }
  return own
}

interface Standing extends Omit<Claimant, "turn"> {
  count: number
  turn: number
}

const isBefore = (left: Standing, right: Standing): boolean =>
  left.live + left.count - (right.live + right.count) < 0 ||
  (left.live + left.count === right.live + right.count && left.turn < right.turn)
