import { Effect, Layer, Redacted, Stream } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as MemoryStore from "../../../adapters/memory/RecordingStore.ts"
import * as Folder from "../../../adapters/recordings/Folder.ts"
import * as SignedLinks from "../../../adapters/recordings/SignedLinks.ts"
import * as SpeechAudio from "../../../adapters/simulated/SpeechAudio.ts"
import type { Recording } from "../../../core/model/recordings/Recording.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { RecordingLinks } from "../../../core/ports/RecordingLinks.ts"
import { RecordingStore } from "../../../core/ports/RecordingStore.ts"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import { makeRecording } from "../../contracts/repository/Fixtures.ts"
import { temporaryFolder } from "../recordings/TemporaryFolder.ts"
import { decode } from "../simulated/WavFile.ts"
import { onFreshFile } from "../sql/TemporaryFile.ts"
import { captured, type Options, start } from "./Harness.ts"

const inFolder = Layer.unwrapScoped(
  Effect.map(temporaryFolder, (folder) => Folder.layer({ folder, source: SpeechAudio.source }))
)
const secret = Redacted.make("a secret for links, of at least 32 bytes")
const session = "/sessions/sess_1/recordings"

/** A server whose session sess_1 has a recording of 20 seconds; `path` is where its link leads. */
const startRecorded = Effect.fnUntraced(function* (options: Options = {}, over: Partial<Recording> = {}) {
  const server = yield* start({ recordings: inFolder, links: { secret }, ...options })
  const recording = makeRecording(1, {
    customer_id: server.workspace.id,
    carrier_recording_id: "simrec_att_1",
    channels: 1,
    duration_seconds: 20,
    size_bytes: 320_044,
    url: null,
    ...over
  })
  yield* server.repository.recordings.insert(recording)
  const [listed] = (yield* server.call(session)).json.data
  const { pathname, search } = new URL(listed.url ?? "http://none/")
  return { ...server, recording, listed, path: `${pathname}${search}` }
})

const changed = (path: string, change: (query: URLSearchParams) => void) => {
  const url = new URL(path, "http://here")
  change(url.searchParams)
  return `${url.pathname}${url.search}`
}

describe("GET /recordings/{recording_id}/audio", () => {
  for (const [store, options] of [
    ["in a folder", { repository: Layer.orDie(onFreshFile) }],
    ["in memory", { recordings: MemoryStore.layer(SpeechAudio.source) }]
  ] as const) {
    it.scopedLive(`plays the recording behind a listed link, without a key (${store})`, () =>
      Effect.gen(function* () {
        const { listed, path, port, raw } = yield* startRecorded(options)
        assert.match(
          listed.url,
          new RegExp(`^http://127\\.0\\.0\\.1:${port}/v0/recordings/rec_000001/audio\\?`)
        )
        const lasts = Date.parse(listed.url_expires_at) - Date.now()
        assert.isTrue(lasts > 3_590_000 && lasts <= 3_600_000)
        for (let i = 0; i < 2; i++) {
          const reply = yield* raw(path)
          assert.strictEqual(reply.status, 200)
          assert.deepInclude(reply.headers, {
            "content-type": "audio/wav",
            "content-length": "320044",
            "accept-ranges": "bytes",
            "cache-control": "private",
            "content-disposition": 'inline; filename="rec_000001.wav"',
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer"
          })
          assert.strictEqual(reply.bytes.length, listed.size_bytes)
          assert.strictEqual(decode(reply.bytes).seconds, listed.duration_seconds)
        }
      })
    )
  }

  it.scopedLive("serves the parts that players ask for, and 416 for what lies beyond", () =>
    Effect.gen(function* () {
      const { path, raw } = yield* startRecorded()
      const { bytes: all, headers } = yield* raw(path)
      for (const [range, from, until] of [
        ["bytes=0-1", 0, 2],
        ["bytes=100000-", 100_000, 320_044],
        ["bytes=-44", 320_000, 320_044],
        ["bytes=65530-65545", 65_530, 65_546]
      ] as const) {
        const reply = yield* raw(path, { headers: { range } })
        assert.strictEqual(reply.status, 206, range)
        assert.strictEqual(reply.headers["content-range"], `bytes ${from}-${until - 1}/320044`)
        assert.strictEqual(reply.headers["content-length"], String(until - from))
        assert.isTrue(reply.bytes.equals(all.subarray(from, until)), range)
      }
      const beyond = yield* raw(path, { headers: { range: "bytes=320044-" } })
      assert.strictEqual(beyond.status, 416)
      assert.strictEqual(beyond.headers["content-range"], "bytes */320044")
      assert.strictEqual(beyond.json.error.code, "invalid_request")
      const several = yield* raw(path, { headers: { range: "bytes=0-1,3-4" } })
      assert.strictEqual(several.status, 200)
      const same = { range: "bytes=0-1", "if-range": headers["etag"]! }
      assert.strictEqual((yield* raw(path, { headers: same })).status, 206)
      const other = { range: "bytes=0-1", "if-range": '"another"' }
      assert.strictEqual((yield* raw(path, { headers: other })).status, 200)
    })
  )

  it.scopedLive("answers HEAD with the length and nothing else", () =>
    Effect.gen(function* () {
      const { path, raw } = yield* startRecorded()
      const reply = yield* raw(path, { method: "HEAD", headers: { range: "bytes=0-1" } })
      assert.strictEqual(reply.status, 200)
      assert.strictEqual(reply.headers["content-length"], "320044")
      assert.strictEqual(reply.headers["accept-ranges"], "bytes")
      assert.strictEqual(reply.bytes.length, 0)
      assert.strictEqual((yield* raw(path.slice(0, -1), { method: "HEAD" })).status, 403)
    })
  )

  it.scopedLive("answers 403 to links that are altered, foreign, expired or none", () =>
    Effect.gen(function* () {
      const server = yield* startRecorded()
      const { path, raw, recording } = server
      const stranger = yield* server.workspaces.create({ name: "Other" })
      const links = (made: SignedLinks.Options) =>
        Effect.provide(RecordingLinks, SignedLinks.layer({ secret, ...made }))
      const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, "")
      const long = yield* links({ lifetime: "1 hour" })
      const expired = pathOf(long.make(recording, Date.now() - 3_600_001).url)
      const another = yield* Effect.provide(RecordingLinks, SignedLinks.layer())
      for (const [what, link] of [
        ["altered expiry", changed(path, (query) => query.set("expires", "9999999999"))],
        ["altered signature", changed(path, (query) => query.set("signature", "A".repeat(43)))],
        ["no signature", changed(path, (query) => query.delete("signature"))],
        ["two signatures", changed(path, (query) => query.append("signature", query.get("signature")!))],
        ["another workspace", changed(path, (query) => query.set("workspace", stranger.id))],
        ["another recording", path.replace("rec_000001", "rec_000002")],
        ["a path", path.replace("rec_000001", "..%2F..%2Fetc%2Fpasswd")],
        ["NUL", path.replace("rec_000001", "rec%00")],
        ["nothing", "/v0/recordings/rec_000001/audio"],
        ["another server's", pathOf(another.make(recording, Date.now()).url)],
        ["expired", expired]
      ] as const) {
        const reply = yield* raw(link)
        assert.strictEqual(reply.status, 403, what)
        assert.strictEqual(reply.json.error.code, "forbidden", what)
        assert.match(reply.json.error.message, what === "expired" ? /expired/ : /not one that this service/)
        assert.strictEqual((yield* server.call(link.slice(3))).status, 403, `${what}, with a key`)
      }
      assert.strictEqual((yield* raw(path)).status, 200)
    })
  )

  it.scopedLive("answers 404 to a good link whose audio is gone or never was", () =>
    Effect.gen(function* () {
      const { call, path, raw } = yield* startRecorded()
      assert.strictEqual((yield* raw(path)).status, 200)
      yield* call("/recordings/rec_000001", { method: "DELETE" })
      const reply = yield* raw(path)
      assert.strictEqual(reply.status, 404)
      assert.strictEqual(reply.json.error.code, "not_found")
      const without = yield* startRecorded({}, { carrier_recording_id: "of another account" })
      assert.strictEqual((yield* without.raw(without.path)).status, 404)
    })
  )

  it.scopedLive(
    "leads to the public address where there is one, and to HTTPS behind a proxy that says so",
    () =>
      Effect.gen(function* () {
        const published = yield* startRecorded({ links: { secret, publicOrigin: "https://voice.example" } })
        assert.match(published.listed.url, /^https:\/\/voice\.example\/v0\/recordings\/rec_000001\/audio\?/)
        const { call } = yield* startRecorded({ basePath: "/api/v0" })
        const headers = { host: "calls.example:8443", "x-forwarded-proto": "https" }
        const [listed] = (yield* call(session, { headers })).json.data
        assert.match(listed.url, /^https:\/\/calls\.example:8443\/api\/v0\/recordings\/rec_000001\/audio\?/)
      })
  )

  it.scopedLive("is 405 for other methods, and logs no address", () =>
    Effect.gen(function* () {
      const log = captured()
      const { path, raw } = yield* startRecorded({ logRequests: true, extra: log.layer })
      const reply = yield* raw(path, { method: "POST" })
      assert.strictEqual(reply.status, 405)
      assert.strictEqual(reply.headers["allow"], "GET")
      yield* raw(path)
      yield* log.awaitLines(3)
      const text = log.lines.join("\n")
      assert.include(text, "/v0/recordings/:recording_id/audio")
      assert.notInclude(text, new URL(path, "http://here").searchParams.get("signature")!)
    })
  )

  it.scopedLive("is 503 while the folder cannot be used", () =>
    Effect.gen(function* () {
      const broken = Layer.succeed(RecordingStore, {
        find: () => Effect.die(new StoreUnavailable({ cause: new Error("EIO") })),
        bring: () => Effect.succeedNone,
        remove: () => Effect.die(new StoreUnavailable({ cause: new Error("EIO") }))
      })
      const { call, path, raw } = yield* startRecorded({ recordings: broken, extra: captured().layer })
      const reply = yield* raw(path)
      assert.strictEqual(reply.status, 503)
      assert.strictEqual(reply.json.error.code, "service_unavailable")
      assert.strictEqual((yield* call("/recordings/rec_000001", { method: "DELETE" })).status, 503)
      assert.strictEqual((yield* call(session)).json.data[0].status, "completed")
    })
  )

  it.scopedLive("streams: a listener that leaves ends the reading, and a slow one holds up no other", () =>
    Effect.gen(function* () {
      const ended = yield* Effect.makeLatch(false)
      let read = 0
      const endless = Stream.repeatEffect(
        Effect.sync(() => {
          read += 1
          return new Uint8Array(65_536)
        })
      ).pipe(Stream.ensuring(ended.open))
      const audio = { size_bytes: 2 ** 40, bytes: () => endless }
      const large = Layer.succeed(RecordingStore, {
        find: () => Effect.succeedSome(audio),
        bring: () => Effect.succeedNone,
        remove: () => Effect.void
      })
      const { call, path, port } = yield* startRecorded({ recordings: large })
      const controller = new AbortController()
      const reply = yield* Effect.promise(() =>
        fetch(`http://127.0.0.1:${port}${path}`, { signal: controller.signal })
      )
      assert.strictEqual(reply.headers.get("content-length"), String(2 ** 40))
      yield* Effect.promise(() => reply.body!.getReader().read())
      assert.strictEqual((yield* call(session)).status, 200)
      controller.abort()
      yield* ended.await
      assert.isBelow(read, 1_000)
    })
  )
})

describe("DELETE /recordings/{recording_id}", () => {
  it.scopedLive("deletes the audio and leaves the record, as often as it is asked", () =>
    Effect.gen(function* () {
      const { call, listed, path, raw } = yield* startRecorded()
      yield* raw(path)
      const left = { ...listed, status: "deleted", url: null, url_expires_at: null }
      for (let i = 0; i < 2; i++) {
        const reply = yield* call("/recordings/rec_000001", { method: "DELETE" })
        assert.strictEqual(reply.status, 200, reply.text)
        assert.deepStrictEqual(reply.json, left)
      }
      assert.deepStrictEqual((yield* call(session)).json.data, [left])
    })
  )

  it.scopedLive("needs the scope sessions:write, and is 404 for unknown and foreign recordings alike", () =>
    Effect.gen(function* () {
      const { call, keyWith, path, raw, workspaces } = yield* startRecorded()
      const method = "DELETE"
      const reader = yield* keyWith(allScopes.filter((scope) => scope !== "sessions:write"))
      const forbidden = yield* call("/recordings/rec_000001", { method, headers: { "x-api-key": reader } })
      assert.strictEqual(forbidden.status, 403)
      assert.include(forbidden.json.error.message, "sessions:write")
      const stranger = yield* workspaces.create({ name: "Other" })
      const headers = { "x-api-key": yield* keyWith(allScopes, stranger.id) }
      const foreign = yield* call("/recordings/rec_000001", { method, headers })
      const unknown = yield* call("/recordings/rec_000009", { method })
      assert.strictEqual(foreign.status, 404)
      assert.strictEqual(foreign.text, unknown.text)
      assert.strictEqual((yield* raw("/v0/recordings/rec_000001", { method })).status, 401)
      assert.strictEqual((yield* raw(path)).status, 200)
    })
  )
})
