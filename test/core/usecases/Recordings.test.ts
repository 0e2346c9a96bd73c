import { Deferred, Effect, Exit, Fiber, Layer, Option, Stream, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as MemoryRecordings from "../../../adapters/memory/RecordingStore.ts"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import * as SignedLinks from "../../../adapters/recordings/SignedLinks.ts"
import { WebhookInbox } from "../../../adapters/simulated/WebhookInbox.ts"
import { hour } from "../../../core/model/Codecs.ts"
import { type PresentedLink, RecordingLinks } from "../../../core/ports/RecordingLinks.ts"
import { RecordingStore } from "../../../core/ports/RecordingStore.ts"
import { Repository, StoreUnavailable } from "../../../core/ports/Repository.ts"
import { Recordings } from "../../../core/usecases/Recordings.ts"
import { decode } from "../../adapters/simulated/WavFile.ts"
import { read, source } from "../../contracts/RecordingStore.ts"
import { makeRecording, other, page, start, ws } from "../../contracts/repository/Fixtures.ts"
import * as Platform from "../../Platform.ts"

const linkOf = (url: string | null): PresentedLink => {
  const { pathname, searchParams } = new URL(url!)
  return {
    recording_id: pathname.split("/").at(-2)!,
    workspace_id: searchParams.get("workspace")!,
    expires: searchParams.get("expires")!,
    signature: searchParams.get("signature")!
  }
}

const recording = makeRecording(1, { url: null })

const layerOf = (store = MemoryRecordings.layer(source)) =>
  Recordings.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(MemoryRepository.layer, store, SignedLinks.layer()))
  )

const stored = Effect.gen(function* () {
  yield* TestClock.setTime(start)
  const { recordings } = yield* Repository
  yield* recordings.insert(recording)
  const use = yield* Recordings
  const list = Effect.map(use.ofSession(ws, "sess_1", page), ({ data }) => data)
  const [shown] = yield* list
  return { ...use, list, rows: recordings, shown: shown!, link: linkOf(shown!.url) }
})

describe("an answered call of the simulated carrier", () => {
  it.scoped(
    "has a recording that its event links to: audio as long as the call, stored when it is asked for",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Platform.tenant()
        yield* Platform.place(tenant, "0123", { metadata: { order: 1 } })
        yield* TestClock.adjust("2 minutes")
        const bodies = (yield* (yield* WebhookInbox).entries).map(({ message }) => JSON.parse(message.body))
        const { data, session_id } = bodies.find(({ event_type }) => event_type === "recording_completed")
        assert.strictEqual(data.status, "completed")
        const store = yield* RecordingStore
        const link = linkOf(data.url)
        assert.deepInclude(link, { recording_id: data.id, workspace_id: tenant.workspace.id })
        assert.isTrue(Option.isNone(yield* store.find(tenant.workspace.id, data.id)))
        const recordings = yield* Recordings
        const audio = yield* recordings.open(link)
        assert.strictEqual(audio.size_bytes, data.size_bytes)
        const wav = decode(yield* read(audio))
        assert.strictEqual(wav.seconds, data.duration_seconds)
        assert.strictEqual(wav.channels, data.channels)
        assert.isTrue(Option.isSome(yield* store.find(tenant.workspace.id, data.id)))
        const listed = yield* recordings.ofSession(tenant.workspace.id, session_id, page)
        assert.deepStrictEqual(
          listed.data.map(({ id }) => id),
          [data.id]
        )
      }).pipe(Effect.provide(Platform.layer()))
  )
})

describe("a list of recordings", () => {
  it.effect("has links that are new in each answer, and good for an hour", () =>
    Effect.gen(function* () {
      const { list, shown } = yield* stored
      assert.strictEqual(shown.url_expires_at, start + hour)
      yield* TestClock.adjust("10 minutes")
      const [later] = yield* list
      assert.strictEqual(later!.url_expires_at, start + hour + 600_000)
      assert.notStrictEqual(later!.url, shown.url)
    }).pipe(Effect.provide(layerOf()))
  )

  it.effect(
    "has the carrier's own address where the carrier gives the audio out, and none without audio",
    () =>
      Effect.gen(function* () {
        const { list, rows } = yield* stored
        yield* rows.insert(makeRecording(2))
        yield* rows.insert(makeRecording(3, { url: null, status: "failed" }))
        const urls = (yield* list).map(({ url, url_expires_at }) => [url, url_expires_at])
        assert.deepStrictEqual(urls.slice(0, 2), [
          [null, null],
          ["https://recordings.example/1.wav", null]
        ])
      }).pipe(Effect.provide(layerOf()))
  )
})

describe("a link", () => {
  it.effect("opens the audio until it expires", () =>
    Effect.gen(function* () {
      const { link, open } = yield* stored
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual((yield* open(link)).size_bytes, 200_000)
      yield* TestClock.adjust("1 minute")
      const refused = yield* Effect.flip(open(link))
      assert.deepInclude(refused, { _tag: "LinkRefused", reason: "expired" })
    }).pipe(Effect.provide(layerOf()))
  )

  it.effect("that is altered or another's opens nothing, be there such a recording or not", () =>
    Effect.gen(function* () {
      const { link, open } = yield* stored
      for (const changed of [
        { recording_id: "rec_000009" },
        { workspace_id: other },
        { expires: String(Number(link.expires) + 1) },
        { signature: "" }
      ]) {
        const refused = yield* Effect.flip(open({ ...link, ...changed }))
        assert.deepInclude(refused, { _tag: "LinkRefused", reason: "forged" })
      }
    }).pipe(Effect.provide(layerOf()))
  )

  it.effect("is judged without the database, and so is audio that is here", () =>
    Effect.gen(function* () {
      const { link } = yield* stored
      const repository = yield* Repository
      let asked = 0
      const counting = Layer.succeed(Repository, {
        ...repository,
        recordings: {
          ...repository.recordings,
          get: (workspace_id, id) => {
            asked += 1
            return repository.recordings.get(workspace_id, id)
          }
        }
      })
      const parts = Layer.mergeAll(
        counting,
        Layer.succeed(RecordingStore, yield* RecordingStore),
        Layer.succeed(RecordingLinks, yield* RecordingLinks)
      )
      yield* Effect.gen(function* () {
        const { open } = yield* Recordings
        yield* Effect.flip(open({ ...link, signature: "x" }))
        assert.strictEqual(asked, 0)
        yield* open(link)
        assert.isAbove(asked, 0)
        const first = asked
        for (let i = 0; i < 5; i++) yield* open(link)
        assert.strictEqual(asked, first)
      }).pipe(Effect.provide(Layer.provide(Recordings.layer, parts)))
    }).pipe(Effect.provide(layerOf()))
  )
})

describe("deleting a recording", () => {
  it.effect("leaves the record with status deleted, and no audio; twice is once", () =>
    Effect.gen(function* () {
      const { link, list, open, remove } = yield* stored
      yield* open(link)
      const left = yield* remove(ws, recording.id)
      assert.deepStrictEqual(left, { ...recording, status: "deleted", url: null, url_expires_at: null })
      assert.deepStrictEqual(yield* list, [left])
      assert.strictEqual((yield* Effect.flip(open(link)))._tag, "RecordingNotFound")
      assert.isTrue(Option.isNone(yield* (yield* RecordingStore).find(ws, recording.id)))
      assert.deepStrictEqual(yield* remove(ws, recording.id), left)
    }).pipe(Effect.provide(layerOf()))
  )

  it.effect("answers alike for an unknown one and another workspace's, which stays", () =>
    Effect.gen(function* () {
      const { link, open, remove } = yield* stored
      for (const [workspace, id] of [
        [other, recording.id],
        [ws, "rec_000009"]
      ] as const) {
        const refused = yield* Effect.flip(remove(workspace, id))
        assert.deepInclude(refused, { _tag: "RecordingNotFound", recording_id: id })
      }
      assert.strictEqual((yield* open(link)).size_bytes, 200_000)
    }).pipe(Effect.provide(layerOf()))
  )

  it.effect("that dies half way is finished by the next", () =>
    Effect.gen(function* () {
      let broken = true
      const inner = yield* RecordingStore
      const store = Layer.succeed(RecordingStore, {
        ...inner,
        remove: (target) =>
          Effect.zipRight(
            inner.remove(target),
            broken ? Effect.die(new StoreUnavailable({ cause: "the disk" })) : Effect.void
          )
      })
      yield* Effect.gen(function* () {
        const { link, list, open, remove } = yield* stored
        yield* open(link)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(remove(ws, recording.id))))
        assert.strictEqual((yield* list)[0]!.status, "completed")
        broken = false
        assert.strictEqual((yield* remove(ws, recording.id)).status, "deleted")
        assert.strictEqual((yield* list)[0]!.status, "deleted")
      }).pipe(Effect.provide(layerOf(store)))
    }).pipe(Effect.provide(MemoryRecordings.layer(source)))
  )

  it.effect("leaves nothing of audio that a reader brought back before the record said so", () =>
    Effect.gen(function* () {
      const inner = yield* RecordingStore
      let first = true
      const store = Layer.succeed(RecordingStore, {
        ...inner,
        remove: (target) => {
          const again = first ? Effect.asVoid(inner.bring(recording)) : Effect.void
          first = false
          return Effect.zipRight(inner.remove(target), again)
        }
      })
      yield* Effect.gen(function* () {
        const { link, open, remove } = yield* stored
        yield* remove(ws, recording.id)
        assert.strictEqual((yield* Effect.flip(open(link)))._tag, "RecordingNotFound")
      }).pipe(Effect.provide(layerOf(store)))
    }).pipe(Effect.provide(MemoryRecordings.layer(source)))
  )

  it.effect("wins over a request that waits for the audio", () =>
    Effect.gen(function* () {
      const reached = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const slow = () =>
        Stream.concat(
          Stream.fromEffect(
            Effect.zipRight(
              Deferred.succeed(reached, undefined),
              Effect.as(Deferred.await(goOn), new Uint8Array(44))
            )
          ),
          Stream.make(new Uint8Array(8))
        )
      yield* Effect.gen(function* () {
        const { link, open, remove } = yield* stored
        const asking = yield* Effect.fork(Effect.either(open(link)))
        yield* Deferred.await(reached)
        yield* remove(ws, recording.id)
        yield* Deferred.succeed(goOn, undefined)
        const answer = yield* Fiber.join(asking)
        assert.strictEqual(answer._tag, "Left")
        assert.isTrue(Option.isNone(yield* (yield* RecordingStore).find(ws, recording.id)))
      }).pipe(Effect.provide(layerOf(MemoryRecordings.layer(slow))))
    })
  )
})
