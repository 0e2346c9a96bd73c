import { Effect } from "effect"
import { minute } from "../model/Codecs.ts"
import { makeTimer } from "./Timer.ts"

/** Rings no later than `at`; it may ring early, where an earlier time was set before. */
export const makeAlarm = (ring: () => void) =>
  Effect.map(makeTimer, (timer) => {
    let rings = Infinity
    let cancel: (() => void) | null = null
    return (at: number | null, now: number): void => {
      if (at === null || (cancel !== null && rings <= at)) return
      cancel?.()
      rings = at
      cancel = timer(Math.min(Math.max(0, at - now), minute), () => {
        cancel = null
        ring()
      })
    }
  })
