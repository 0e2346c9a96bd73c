import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { decode } from "../../adapters/simulated/WavFile.ts"
import { asJson, listen } from "../../Listener.ts"
import * as Processes from "../../programs/Processes.ts"
import * as Programs from "../../programs/Programs.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outdial-recording-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const key = "od_live_kept_0123456789abcdef0123456789abcdef"

const startServer = (path: string, port: number) =>
  Effect.flatMap(Programs.programs, ({ server }) =>
    Processes.scoped(
      server,
      [],
      {
        PORT: String(port),
        OUTDIAL_DATABASE_URL: `sqlite:${join(path, "outdial.db")}`,
        OUTDIAL_BOOTSTRAP_API_KEY: key,
        OUTDIAL_WEBHOOK_ALLOW_PRIVATE: "true",
        OUTDIAL_SIMULATED_SPEED: "50"
      },
      /Listening on/
    )
  )

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/** A receiver that completes `first` with the first event that it gets. */
const receiver = Effect.gen(function* () {
  const first = yield* Deferred.make<Json>()
  const { url } = yield* listen(asJson<Json>(), ({ body, response }) => {
    Deferred.unsafeDone(first, Effect.succeed(body))
    response.writeHead(204).end()
  })
  return { url, first }
})

const json = (url: string, method = "GET", body: object | null = null) =>
  Effect.promise(async (): Promise<Json> => {
    const headers = { "x-api-key": key, "content-type": "application/json" }
    return (await fetch(url, { headers, method, body: body && JSON.stringify(body) })).json()
  })

const get = (url: string) =>
  Effect.promise(async () => {
    const reply = await fetch(url)
    return { status: reply.status, bytes: new Uint8Array(await reply.arrayBuffer()) }
  })

describe("a server with the simulated carrier", () => {
  it.scopedLive(
    "records a call, plays it by the event's link even after a kill of the server, and deletes it",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const port = yield* Processes.freePort
        const base = `http://127.0.0.1:${port}/v0`
        const running = yield* startServer(path, port)
        const { first, url } = yield* receiver
        yield* json(`${base}/webhooks`, "POST", { url, event_types: ["recording_completed"] })
        const agent_id = /agent_\w+/.exec(running.output())![0]
        const { call_id } = yield* json(`${base}/calls`, "POST", { agent_id, to_number: "+14155550123" })
        const event = yield* Deferred.await(first)
        const recording = event.data
        assert.deepInclude(recording, { call_id, session_id: event.session_id, status: "completed" })
        yield* Processes.kill(running)
        yield* startServer(path, port)
        const { bytes, status } = yield* get(recording.url)
        assert.strictEqual(status, 200)
        assert.strictEqual(bytes.length, recording.size_bytes)
        assert.strictEqual(decode(bytes).seconds, recording.duration_seconds)
        const kept = readdirSync(join(path, "recordings"), { recursive: true }).map(String)
        assert.isTrue(kept.some((name) => name.endsWith(`${recording.id}.wav`)))
        const left = yield* json(`${base}/recordings/${recording.id}`, "DELETE")
        assert.deepStrictEqual(left, { ...recording, status: "deleted", url: null, url_expires_at: null })
        assert.strictEqual((yield* get(recording.url)).status, 404)
        const listed = yield* json(`${base}/sessions/${event.session_id}/recordings`)
        assert.deepStrictEqual(listed.data, [left])
      }),
    60_000
  )
})
