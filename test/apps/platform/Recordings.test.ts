import { ConfigError, ConfigProvider, Effect, Layer, Option, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { readdir } from "node:fs/promises"
import * as HttpServer from "@effect/platform/HttpServer"
import * as Secrets from "../../../adapters/crypto/Secrets.ts"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import * as Recordings from "../../../apps/platform/Recordings.ts"
import { day } from "../../../core/model/Codecs.ts"
import { RecordingLinks } from "../../../core/ports/RecordingLinks.ts"
import { RecordingStore } from "../../../core/ports/RecordingStore.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { temporaryFolder } from "../../adapters/recordings/TemporaryFolder.ts"
import { makeRecording, start, ws } from "../../contracts/repository/Fixtures.ts"

type Settings = Readonly<Record<string, string>>

const withSettings = (settings: Settings) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))

const listening = Layer.succeed(
  HttpServer.HttpServer,
  HttpServer.make({ address: { _tag: "TcpAddress", hostname: "::1", port: 4321 }, serve: () => Effect.void })
)
const ports = Layer.mergeAll(MemoryRepository.layer, Secrets.layer, listening)

const recording = makeRecording(1, { url: null, carrier_recording_id: "simrec_1", duration_seconds: 1 })

/** A link as a server of these settings makes it. */
const link = (settings: Settings) =>
  RecordingLinks.pipe(
    Effect.map(({ make }) => make(recording, start)),
    Effect.provide(Recordings.links),
    withSettings(settings)
  )

const refused = (settings: Settings) =>
  Effect.map(Effect.flip(link(settings)), (error) => {
    assert.isTrue(ConfigError.isConfigError(error))
    return String(error)
  })

describe("the settings of recordings", () => {
  it.effect("OUTDIAL_RECORDINGS_DIR is a folder beside the database unless it is set", () =>
    Effect.gen(function* () {
      const folder = (settings: Settings) => withSettings(settings)(Recordings.folder)
      assert.strictEqual(yield* folder({}), "recordings")
      assert.strictEqual(yield* folder({ OUTDIAL_RECORDINGS_DIR: "" }), "recordings")
      assert.strictEqual(yield* folder({ OUTDIAL_DATABASE_URL: "sqlite:/var/x/o.db" }), "/var/x/recordings")
      assert.strictEqual(yield* folder({ OUTDIAL_DATABASE_URL: "memory:" }), "recordings")
      assert.strictEqual(yield* folder({ OUTDIAL_RECORDINGS_DIR: "/audio" }), "/audio")
    })
  )

  it.scopedLive("the simulated carrier's audio comes into that folder, Twilio's stays where it is", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const bring = (settings: Settings) =>
        Effect.flatMap(RecordingStore, (store) => store.bring(recording)).pipe(
          Effect.provide(Recordings.store),
          withSettings({ OUTDIAL_RECORDINGS_DIR: join(folder, "r"), ...settings })
        )
      const twilio = {
        OUTDIAL_CARRIER: "twilio",
        OUTDIAL_TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
        OUTDIAL_TWILIO_AUTH_TOKEN: "t"
      }
      assert.isTrue(Option.isNone(yield* bring(twilio)))
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(folder)), [])
      assert.strictEqual(Option.getOrThrow(yield* bring({})).size_bytes, 32_044)
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(folder, "r", ws))), ["rec_000001.wav"])
    })
  )

  it.effect("links lead to OUTDIAL_PUBLIC_URL or where the server listens, and live as long as is set", () =>
    Effect.gen(function* () {
      const own = yield* link({})
      assert.match(own.url, /^http:\/\/\[::1\]:4321\/v0\/recordings\/rec_000001\/audio\?/)
      assert.strictEqual(own.expires_at, start + 3_600_000)
      const set = yield* link({
        OUTDIAL_PUBLIC_URL: "https://voice.example.com/",
        OUTDIAL_BASE_PATH: "/api/v0",
        OUTDIAL_RECORDING_LINK_LIFETIME: "5 minutes"
      })
      assert.match(set.url, /^https:\/\/voice\.example\.com\/api\/v0\/recordings\//)
      assert.strictEqual(set.expires_at, start + 300_000)
    }).pipe(Effect.provide(ports))
  )

  it.effect(
    "links are signed with OUTDIAL_RECORDING_SECRET, or else with one that is the store's for good",
    () =>
      Effect.gen(function* () {
        const secret = { OUTDIAL_RECORDING_SECRET: "a secret for links, of 32 bytes or more" }
        const first = yield* link({})
        assert.deepStrictEqual(yield* link({}), first)
        assert.notStrictEqual((yield* link(secret)).url, first.url)
        assert.deepStrictEqual(yield* link(secret), yield* Effect.provide(link(secret), Layer.fresh(ports)))
        assert.notStrictEqual((yield* Effect.provide(link({}), Layer.fresh(ports))).url, first.url)
      }).pipe(Effect.provide(ports))
  )

  it.effect("refuses what cannot be meant, without repeating a secret", () =>
    Effect.gen(function* () {
      const short = yield* refused({ OUTDIAL_RECORDING_SECRET: "too short" })
      assert.include(short, "32 bytes")
      assert.notInclude(short, "too short")
      assert.include(yield* refused({ OUTDIAL_RECORDING_LINK_LIFETIME: "8 days" }), "7 days")
      assert.include(yield* refused({ OUTDIAL_PUBLIC_URL: "ftp://x" }), "https:")
      for (const OUTDIAL_RECORDING_RETENTION_DAYS of ["0", "-1", "soon"]) {
        const built = Effect.scoped(Layer.build(Layer.provide(Recordings.retention, Recordings.store)))
        const error = yield* Effect.flip(withSettings({ OUTDIAL_RECORDING_RETENTION_DAYS })(built))
        assert.isTrue(ConfigError.isConfigError(error))
      }
    }).pipe(Effect.provide(ports))
  )

  it.scoped("OUTDIAL_RECORDING_RETENTION_DAYS is for ever unless it is set", () =>
    Effect.gen(function* () {
      const { recordings } = yield* Repository
      yield* recordings.insert(recording)
      yield* TestClock.setTime(start + 10_000 * day)
      const run = (settings: Settings) =>
        withSettings({ OUTDIAL_RECORDINGS_DIR: "/nonexistent", ...settings })(
          Layer.build(Layer.provide(Recordings.retention, Recordings.store))
        )
      const status = Effect.map(recordings.get(ws, recording.id), (row) => Option.getOrThrow(row).status)
      yield* run({})
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* status, "completed")
      yield* run({ OUTDIAL_RECORDING_RETENTION_DAYS: "9999" })
      yield* Effect.repeat(Effect.zipRight(TestClock.adjust("1 minute"), status), {
        until: (found) => found === "deleted"
      })
    }).pipe(Effect.provide(ports))
  )
})
