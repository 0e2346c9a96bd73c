import { Clock, Effect, Layer, Option, Stream } from "effect"
import { dirname, join } from "node:path"
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { randomUUID } from "node:crypto"
import { constants } from "node:fs"
import { hour } from "../../core/model/Codecs.ts"
import { type Audio, type RecordingSource, RecordingStore } from "../../core/ports/RecordingStore.ts"
import { StoreUnavailable } from "../../core/ports/Repository.ts"

export interface Options {
  /** It is made when the first recording comes. Processes that share a database share it. */
  readonly folder: string
  readonly source: RecordingSource
}

/** Bytes that are read at one time. */
const piece = 65_536

/** How many recordings are brought at one time. */
const together = 2

/** Where files are as long as they are being written; no workspace has such a name. */
const incoming = ".incoming"

/** What a file or folder may be named: nothing that leads elsewhere. */
const plain = /^[A-Za-z0-9_-]{1,200}$/

const codeOf = (cause: unknown) => (cause as { readonly code?: unknown } | null)?.code

const io = <A>(work: () => Promise<A>): Effect.Effect<A> =>
  Effect.orDie(Effect.tryPromise({ try: work, catch: (cause) => new StoreUnavailable({ cause }) }))

/** The same, for a file that need not be there. */
const ofFile = <A>(work: () => Promise<A>): Effect.Effect<Option.Option<A>> =>
  io(() =>
    work().then(Option.some, (cause) => {
      if (codeOf(cause) === "ENOENT") return Option.none()
      throw cause
    })
  )

const opened = (path: string, flags: string | number, mode?: number) =>
  Effect.acquireRelease(
    io(() => open(path, flags, mode)),
    (file) => io(() => file.close())
  )

const bytesOf = (path: string, from: number, until: number): Stream.Stream<Uint8Array> =>
  Stream.unwrapScoped(
    Effect.map(opened(path, constants.O_RDONLY), (file) =>
      Stream.unfoldEffect(from, (at) =>
        at >= until
          ? Effect.succeedNone
          : Effect.map(
              io(() => file.read(Buffer.allocUnsafe(Math.min(piece, until - at)), { position: at })),
              ({ buffer, bytesRead }) =>
                bytesRead === 0
                  ? Option.none()
                  : Option.some([buffer.subarray(0, bytesRead), at + bytesRead] as const)
            )
      )
    )
  )

/** A directory's entries are on disk once it is flushed itself; not every system can. */
const flushFolder = (path: string) =>
  Effect.promise(() =>
    open(path, constants.O_RDONLY)
      .then(
        (folder) => folder.sync().finally(() => folder.close()),
        () => {}
      )
      .catch(() => {})
  )

const writeAll = (file: FileHandle, audio: Stream.Stream<Uint8Array>) =>
  Effect.zipRight(
    Stream.runForEach(audio, (bytes) => io(() => file.writeFile(bytes))),
    io(() => file.sync())
  )

const make = ({ folder, source }: Options) =>
  Effect.gen(function* () {
    const places = yield* Effect.makeSemaphore(together)

    const pathOf = (workspace_id: string, recording_id: string): string | null =>
      plain.test(workspace_id) && plain.test(recording_id)
        ? join(folder, workspace_id, `${recording_id}.wav`)
        : null

    const at = (path: string): Effect.Effect<Option.Option<Audio>> =>
      Effect.map(
        ofFile(() => stat(path)),
        Option.map(({ size }) => ({
          size_bytes: size,
          bytes: (from, until) => bytesOf(path, from, Math.min(until, size))
        }))
      )

    /** A file is there whole or not at all: it gets its name when every byte of it is on disk. */
    const write = Effect.fnUntraced(function* (path: string, audio: Stream.Stream<Uint8Array>) {
      yield* io(() => mkdir(join(folder, incoming), { recursive: true, mode: 0o700 }))
      yield* io(() => mkdir(dirname(path), { recursive: true, mode: 0o700 }))
      const draft = join(folder, incoming, randomUUID())
      yield* Effect.scoped(Effect.flatMap(opened(draft, "wx", 0o600), (file) => writeAll(file, audio))).pipe(
        Effect.zipRight(io(() => rename(draft, path))),
        Effect.onError(() => Effect.promise(() => rm(draft, { force: true }).catch(() => {})))
      )
      yield* flushFolder(dirname(path))
    })

    const find: RecordingStore["Type"]["find"] = Effect.fn("RecordingStore.find")((
      workspace_id,
      recording_id
    ) => {
      const path = pathOf(workspace_id, recording_id)
      return path === null ? Effect.succeedNone : at(path)
    })

    const bring: RecordingStore["Type"]["bring"] = Effect.fn("RecordingStore.bring")(function* (recording) {
      const path = pathOf(recording.customer_id, recording.id)
      const audio = path === null ? null : source(recording)
      if (path === null || audio === null) return Option.none()
      const here = yield* at(path)
      if (Option.isSome(here)) return here
      yield* write(path, audio)
      return yield* at(path)
    }, places.withPermits(1))

    const remove: RecordingStore["Type"]["remove"] = Effect.fn("RecordingStore.remove")((recording) => {
      const path = pathOf(recording.customer_id, recording.id)
      return path === null ? Effect.void : io(() => rm(path, { force: true }))
    })

    return RecordingStore.of({ find, bring, remove })
  })

/** Removes what a process that died has left half written. */
const clean = Effect.fnUntraced(function* (folder: string) {
  const now = yield* Clock.currentTimeMillis
  const names = yield* ofFile(() => readdir(join(folder, incoming)))
  yield* Effect.forEach(
    Option.getOrElse(names, () => []),
    Effect.fnUntraced(function* (name) {
      const path = join(folder, incoming, name)
      const found = yield* ofFile(() => stat(path))
      if (Option.isSome(found) && found.value.mtimeMs < now - hour) yield* io(() => rm(path, { force: true }))
    }),
    { discard: true }
  )
})

/** Audio in a local folder: `<folder>/<workspace>/<recording>.wav`, for the server's own user alone. */
export const layer = (options: Options): Layer.Layer<RecordingStore> =>
  Layer.effect(
    RecordingStore,
    Effect.zipRight(
      Effect.catchAllDefect(clean(options.folder), (defect) =>
        Effect.logWarning("the folder of recordings cannot be looked into", defect)
      ),
      make(options)
    )
  )
