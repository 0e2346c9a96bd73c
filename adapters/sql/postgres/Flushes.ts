import type { Fault } from "./Faults.ts"

type Flushed = (fault: Fault | undefined) => void

/**
 * Calls back once all that was committed before is on disk: one flush for all that ask while the one before is
 * under way. `flush` writes the log of the server up to its end.
 */
export const makeFlushes = (flush: (flushed: Flushed) => void): ((flushed: Flushed) => void) => {
  let waiting: Array<Flushed> = []
  let busy = false
  const next = () => {
    if (busy || waiting.length === 0) return
    busy = true
    const together = waiting
    waiting = []
    flush((fault) => {
      busy = false
      for (const flushed of together) flushed(fault)
      next()
    })
  }
  return (flushed) => {
    waiting.push(flushed)
    next()
  }
}
