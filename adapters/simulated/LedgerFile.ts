import { Data, Effect, Option, Schema, type Scope } from "effect"
import { createReadStream } from "node:fs"
import * as fs from "node:fs/promises"
import { dirname } from "node:path"
import { createInterface } from "node:readline"
import { Entry } from "./LedgerEntry.ts"
import { JournalFailed } from "./SimulatedCarrier.ts"

export class LedgerFileFailed extends Data.TaggedError("LedgerFileFailed")<{ readonly cause: unknown }> {}

/** An append-only file of entries, one line of JSON each. */
export interface LedgerFile {
  /** Succeeds once the entry is on the disk. All that wait share one sync. */
  readonly append: (entry: Entry) => Effect.Effect<void, JournalFailed>
  /** Every entry that was written whole, oldest first. */
  readonly entries: () => AsyncIterable<Entry>
  /** When the file was last written before it was opened, in epoch milliseconds. */
  readonly lastWritten: number
}

interface Waiting {
  readonly line: string
  readonly resume: (result: Effect.Effect<void, JournalFailed>) => void
}

const decodeLine = Schema.decodeUnknownOption(Schema.parseJson(Entry))

/** Makes the file's own entry in its directory durable. Not every system can. */
const syncDirectory = (path: string) =>
  fs.open(dirname(path), "r").then(
    (directory) => directory.sync().finally(() => directory.close()),
    () => undefined
  )

const opened = async (path: string) => {
  await fs.mkdir(dirname(path), { recursive: true })
  const file = await fs.open(path, "a+")
  const { mtimeMs, size } = await file.stat()
  await syncDirectory(path).catch(() => undefined)
  let whole = true
  if (size > 0) {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
    whole = buffer[0] === 0x0a
  }
  return { file, lastWritten: Math.floor(mtimeMs), whole }
}

export const open = Effect.fnUntraced(function* (
  path: string
): Effect.fn.Return<LedgerFile, LedgerFileFailed, Scope.Scope> {
  let waiting: Array<Waiting> = []
  let writing: Promise<void> | null = null
  const { file, lastWritten, ...state } = yield* Effect.acquireRelease(
    Effect.tryPromise({ try: () => opened(path), catch: (cause) => new LedgerFileFailed({ cause }) }),
    ({ file }) => Effect.promise(() => Promise.resolve(writing).finally(() => file.close()))
  )
  /** A line that was torn by a crash or a full disk is closed off before the next one. */
  let whole = state.whole

  const write = async () => {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      let result: Effect.Effect<void, JournalFailed> = Effect.void
      try {
        await file.appendFile((whole ? "" : "\n") + batch.map(({ line }) => line).join(""))
        whole = true
        await file.datasync()
      } catch (cause) {
        whole = false
        result = Effect.fail(new JournalFailed({ cause }))
      }
      for (const { resume } of batch) resume(result)
    }
    writing = null
  }

  return {
    append: (entry) =>
      Effect.async<void, JournalFailed>((resume) => {
        waiting.push({ line: `${JSON.stringify(entry)}\n`, resume })
        writing ??= write()
      }),
    entries: async function* () {
      for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
        const entry = decodeLine(line)
        if (Option.isSome(entry)) yield entry.value
      }
    },
    lastWritten
  }
})
