import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs"
import { Effect, type Scope } from "effect"
import { type Flush, makeFlushes } from "../Flushes.ts"

/** How the operating system brings to disk what was written to a file. */
export interface Disk {
  /** Returns when it is done, or throws. */
  readonly sync: () => void
  /** Does it in a thread, and calls back. */
  readonly syncAside: Flush<unknown>
  /** Milliseconds. */
  readonly now: () => number
}

/** Milliseconds. What takes less costs less processor time than a thread does, and more commits share a flush. */
const quick = 0.5

/** How many flushes in a row have to be slow: one may have been slow by chance. */
const proof = 8

/**
 * Flushes at once as long as the disk is quick. While it is slow a thread waits for it: other requests are answered, and
 * what they store is committed, in the meantime.
 */
export const flushTo = ({ now, sync, syncAside }: Disk): Flush<unknown> => {
  let slow = 0
  const note = (start: number) => {
    slow = now() - start > quick ? slow + 1 : 0
  }
  const flushAtOnce = () => {
    try {
      sync()
    } catch (error) {
      return error
    }
  }
  return (flushed) => {
    const start = now()
    if (slow < proof) {
      const fault = flushAtOnce()
      note(start)
      flushed(fault)
    } else {
      syncAside((fault) => {
        note(start)
        flushed(fault)
      })
    }
  }
}

/** The log is there once something was written. It stays as long as a connection is open. */
const diskOf = (log: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync((): { file?: number } => ({})),
      ({ file }) => Effect.sync(() => file !== undefined && closeSync(file))
    ),
    (opened): Disk => {
      const file = () => (opened.file ??= openSync(log, "r+"))
      return {
        now: () => performance.now(),
        sync: () => fdatasyncSync(file()),
        syncAside: (flushed) => fdatasync(file(), (error) => flushed(error ?? undefined))
      }
    }
  )

/** How many are under way at a time at most: one of the four threads that Node has is left to all others. */
const most = 3

/**
 * Flushes the log of a SQLite file. Of the flushes under way each has the file open for itself: the system tells of a
 * write that failed once for each.
 */
export const make = (log: string): Effect.Effect<Flush<unknown>, never, Scope.Scope> =>
  Effect.map(Effect.replicateEffect(diskOf(log), most), (disks) => makeFlushes(...disks.map(flushTo)))
