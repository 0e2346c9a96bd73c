import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { assertNone } from "@effect/vitest/utils"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Option, Stream } from "effect"
import * as Folder from "../../../adapters/recordings/Folder.ts"
import { RecordingStore } from "../../../core/ports/RecordingStore.ts"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import { bytesOf, recordingStoreContract, source } from "../../contracts/RecordingStore.ts"
import { makeRecording, ws } from "../../contracts/repository/Fixtures.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

recordingStoreContract("RecordingStore in a local folder", (source) =>
  Layer.unwrapScoped(Effect.map(temporaryFolder, (folder) => Folder.layer({ folder, source })))
)

const recording = makeRecording(1, { url: null })

const files = (folder: string) => Effect.promise(() => readdir(folder, { recursive: true, encoding: "utf8" }))

const inFolder = (folder: string, from = source) => Effect.provide(Folder.layer({ folder, source: from }))

describe("a folder of recordings", () => {
  it.scopedLive("is made with the first recording, readable for its owner alone", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "deep", "recordings")
      yield* Effect.gen(function* () {
        const store = yield* RecordingStore
        assertNone(yield* store.find(ws, recording.id))
        assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.tryPromise(() => stat(folder)))))
        yield* store.bring(recording)
      }).pipe(inFolder(folder))
      const path = join(folder, ws, `${recording.id}.wav`)
      assert.deepStrictEqual((yield* files(folder)).sort(), [
        ".incoming",
        ws,
        join(ws, `${recording.id}.wav`)
      ])
      assert.isTrue((yield* Effect.promise(() => readFile(path))).equals(Buffer.from(bytesOf(recording))))
      assert.strictEqual((yield* Effect.promise(() => stat(path))).mode & 0o077, 0)
      assert.strictEqual((yield* Effect.promise(() => stat(join(folder, ws)))).mode & 0o077, 0)
    })
  )

  it.scopedLive("keeps what was brought from one life of the server to the next, without the source", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* Effect.flatMap(RecordingStore, (store) => store.bring(recording)).pipe(inFolder(folder))
      const found = yield* Effect.flatMap(RecordingStore, (store) => store.find(ws, recording.id)).pipe(
        inFolder(folder, () => null)
      )
      assert.strictEqual(Option.getOrThrow(found).size_bytes, 200_000)
    })
  )

  it.scopedLive("never shows a half of a recording, and leaves nothing of one that failed half way", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const begun = yield* Deferred.make<void>()
      const half = Stream.make(new Uint8Array(1_000))
      const stuck = Stream.concat(
        half,
        Stream.fromEffect(Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never))
      )
      yield* Effect.gen(function* () {
        const store = yield* RecordingStore
        const bringing = yield* Effect.fork(store.bring(recording))
        yield* Deferred.await(begun)
        assertNone(yield* store.find(ws, recording.id))
        yield* Fiber.interrupt(bringing)
        assertNone(yield* store.find(ws, recording.id))
      }).pipe(inFolder(folder, () => stuck))
      const broken = () => Stream.concat(half, Stream.die("the source broke"))
      yield* Effect.flatMap(RecordingStore, (store) => Effect.exit(store.bring(recording))).pipe(
        inFolder(folder, broken)
      )
      assert.deepStrictEqual((yield* files(folder)).sort(), [".incoming", ws])
    })
  )

  it.scopedLive("is rid, at a start, of what a process has left half written an hour ago", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const incoming = join(folder, ".incoming")
      yield* Effect.promise(async () => {
        await mkdir(incoming)
        for (const name of ["old", "new"]) await writeFile(join(incoming, name), "RIFF")
        const longAgo = new Date(Date.now() - 3_700_000)
        await utimes(join(incoming, "old"), longAgo, longAgo)
      })
      yield* Effect.flatMap(RecordingStore, (store) => store.find(ws, recording.id)).pipe(inFolder(folder))
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(incoming)), ["new"])
    })
  )

  it.scopedLive("does not bring what may not be a file's name", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* Effect.gen(function* () {
        const store = yield* RecordingStore
        for (const id of ["../escaped", "a/b", "..", ""]) {
          assertNone(yield* store.bring({ ...recording, id }))
          assertNone(yield* store.bring({ ...recording, customer_id: id }))
          yield* store.remove({ ...recording, id })
        }
      }).pipe(inFolder(folder))
      assert.deepStrictEqual(yield* files(folder), [])
    })
  )

  it.scopedLive("that cannot be written is a store that is not available", () =>
    Effect.gen(function* () {
      const blocked = join(yield* temporaryFolder, "a file")
      yield* Effect.promise(() => writeFile(blocked, ""))
      const bring = Effect.flatMap(RecordingStore, (store) => store.bring(recording))
      const exit = yield* Effect.exit(
        Effect.provide(bring, Folder.layer({ folder: join(blocked, "recordings"), source }))
      )
      assert.isTrue(Exit.isFailure(exit))
      if (Exit.isFailure(exit)) assert.instanceOf(Cause.squash(exit.cause), StoreUnavailable)
    })
  )
})
