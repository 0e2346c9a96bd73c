import type { CallProgress } from "../../core/model/calls/CarrierProgress.ts"

/** The latest progress as numbered lines of JSON, for readers that each read at their own pace. */
export interface ProgressLog {
  readonly add: (progress: Iterable<CallProgress>) => void
  /** The number of the last line before `at` (epoch milliseconds), as far back as lines are kept. */
  readonly before: (at: number) => number
  /** Writes every line after the number, those to come too. `write` answers false when it has enough for now. */
  readonly follow: (seq: number, write: (lines: string) => boolean) => Reader
}

export interface Reader {
  /** Has room again. */
  readonly more: () => void
  readonly stop: () => void
}

const linesAtOnce = 1_000

/** Keeps at least the latest `atLeast` lines and at most twice as many. Numbers start after `first`. */
export const make = (atLeast: number, first: number): ProgressLog => {
  const lines: Array<{ readonly text: string; readonly at: number }> = []
  const readers = new Set<() => void>()
  let dropped = first

  return {
    add: (all) => {
      for (const { key, progress, workspace_id } of all) {
        const seq = dropped + lines.length + 1
        lines.push({ text: `${JSON.stringify({ seq, workspace_id, key, progress })}\n`, at: progress.at })
      }
      for (const read of readers) read()
      if (lines.length < 2 * atLeast) return
      dropped += lines.length - atLeast
      lines.splice(0, lines.length - atLeast)
    },
    before: (at) => {
      let kept = lines.length
      while (kept > 0 && lines[kept - 1]!.at >= at) kept -= 1
      return dropped + kept
    },
    follow: (seq, write) => {
      let read = seq
      let full = false
      const go = () => {
        read = Math.max(read, dropped)
        while (!full && read < dropped + lines.length) {
          const batch = lines.slice(read - dropped, read - dropped + linesAtOnce)
          read += batch.length
          full = !write(batch.map(({ text }) => text).join(""))
        }
      }
      readers.add(go)
      go()
      return {
        more: () => {
          full = false
          go()
        },
        stop: () => void readers.delete(go)
      }
    }
  }
}
