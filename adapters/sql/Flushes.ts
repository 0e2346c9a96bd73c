/** Told with the fault of a flush that failed. */
export type Flushed<Fault> = (fault: Fault | undefined) => void

/** Calls back once all that was committed before is on disk. */
export type Flush<Fault> = (flushed: Flushed<Fault>) => void

/**
 * As many flushes under way at a time as are given, each its own: whoever asks while all are under way shares the next
 * one. A flush writes to the disk what is committed when it is called.
 */
export const makeFlushes = <Fault>(...flushes: ReadonlyArray<Flush<Fault>>): Flush<Fault> => {
  const idle = [...flushes]
  let waiting: Array<Flushed<Fault>> = []
  const next = () => {
    const flush = waiting.length === 0 ? undefined : idle.pop()
    if (flush === undefined) return
    const together = waiting
    waiting = []
    flush((fault) => {
      idle.push(flush)
      for (const flushed of together) flushed(fault)
      next()
    })
  }
  return (flushed) => {
    waiting.push(flushed)
    next()
  }
}
