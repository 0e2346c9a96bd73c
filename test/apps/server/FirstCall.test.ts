import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { type Arrived, asText, json, listen } from "../../Listener.ts"
import * as Processes from "../../programs/Processes.ts"
import * as Programs from "../../programs/Programs.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outdial-first-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** A receiver that completes `done` with what it got once it has got `count`. */
const receiver = Effect.fnUntraced(function* (count: number) {
  const done = yield* Deferred.make<ReadonlyArray<Arrived>>()
  const received: Array<Arrived> = []
  const { url } = yield* listen(asText, (arrived) => {
    arrived.response.writeHead(204).end()
    if (received.push(arrived) === count) Deferred.unsafeDone(done, Effect.succeed(received))
  })
  return { url, done }
})

const startServer = Effect.fnUntraced(function* (program: string, settings: Record<string, string> = {}) {
  const port = yield* Processes.freePort
  const path = yield* folder
  const running = yield* Processes.scoped(
    program,
    [],
    {
      PORT: String(port),
      OUTDIAL_DATABASE_URL: `sqlite:${join(path, "outdial.db")}`,
      OUTDIAL_WEBHOOK_ALLOW_PRIVATE: "true",
      OUTDIAL_SIMULATED_SPEED: "20",
      ...settings
    },
    /Listening on/
  )
  return { running, origin: `http://127.0.0.1:${port}` }
})

const request = (url: string, key: string, body?: string) =>
  Effect.promise(async () => {
    const response = await fetch(url, {
      headers: { "x-api-key": key, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body })
    })
    return { status: response.status, text: await response.text() }
  })

describe("a new user", () => {
  it.scopedLive(
    "pastes the printed curl line and gets three signed events with the metadata byte for byte",
    () =>
      Effect.gen(function* () {
        const { origin, running } = yield* startServer("apps/server/main.ts")
        const printed = running.output()
        const key = /od_live_\w+/.exec(printed)![0]
        const hook = yield* receiver(3)
        const created = yield* request(`${origin}/v0/webhooks`, key, JSON.stringify({ url: hook.url }))
        const { secret } = JSON.parse(created.text) as { readonly secret: string }

        const metadata = '{"b":1.0,"a":12345678901234567890,"c":[1e400],"a":"é\\u0041"}'
        const curl = /curl [\s\S]*?}'/.exec(printed)![0].replace('{"order":1}', metadata)
        const placed = yield* Effect.promise(() => promisify(execFile)("bash", ["-c", curl]))
        assert.include(placed.stdout, `"metadata":${metadata}`)
        const { call_id } = JSON.parse(placed.stdout) as { readonly call_id: string }

        const received = yield* Deferred.await(hook.done)
        const webhook = new Webhook(secret)
        const types = received.map(({ body, headers }) => {
          const event = webhook.verify(body, headers as Record<string, string>) as Record<string, unknown>
          assert.strictEqual(event.call_id, call_id)
          assert.include(body, `"metadata":${metadata}`)
          return event.event_type
        })
        assert.deepStrictEqual(types, ["call_started", "call_completed", "recording_completed"])
        const read = yield* request(`${origin}/v0/calls/${call_id}`, key)
        assert.include(read.text, '"status":"completed"')
        assert.include(read.text, `"metadata":${metadata}`)
      }),
    60_000
  )

  it.scopedLive(
    "is told how to call for real when a real carrier is set",
    () =>
      Effect.gen(function* () {
        const { server } = yield* Programs.programs
        const { url } = yield* listen(asText, (arrived) => json(arrived, 401, {}))
        const { origin, running } = yield* startServer(server, {
          OUTDIAL_CARRIER: "twilio",
          OUTDIAL_TWILIO_URL: url,
          OUTDIAL_TWILIO_ACCOUNT_SID: `AC${"0123456789abcdef".repeat(2)}`,
          OUTDIAL_TWILIO_AUTH_TOKEN: "token",
          OUTDIAL_TWILIO_CONVERSATION_URL: "wss://agent.example.com",
          OUTDIAL_PUBLIC_URL: "https://voice.example.com"
        })
        const printed = running.output()
        assert.include(printed, "Calls go through Twilio: telephones ring")
        assert.include(printed, `curl -s ${origin}/v0/phone-numbers`)
        assert.notMatch(printed, /simulated|last four digits|\+1415/)
        const key = /od_live_\w+/.exec(printed)![0]
        const numbers = yield* request(`${origin}/v0/phone-numbers`, key)
        assert.deepStrictEqual(JSON.parse(numbers.text).data, [])
      }),
    60_000
  )

  it.scopedLive(
    "stops the server with SIGTERM: it ends by itself, in good time, and goes on where it stood",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const settings = {
          OUTDIAL_DATABASE_URL: `sqlite:${join(path, "kept.db")}`,
          OUTDIAL_BOOTSTRAP_API_KEY: "od_live_kept_0123456789abcdef0123456789abcdef"
        }
        const { server } = yield* Programs.programs
        const first = yield* startServer(server, settings)
        const agent = /agent_\w+/.exec(first.running.output())![0]
        const key = settings.OUTDIAL_BOOTSTRAP_API_KEY
        const placed = yield* request(
          `${first.origin}/v0/calls`,
          key,
          JSON.stringify({ agent_id: agent, to_number: "+12125550123" })
        )
        assert.strictEqual(placed.status, 200)
        const began = performance.now()
        yield* Processes.kill(first.running, "SIGTERM")
        assert.strictEqual(first.running.process.signalCode ?? first.running.process.exitCode, 0)
        assert.isBelow(performance.now() - began, 10_000)
        assert.notInclude(first.running.output(), key)
        assert.notInclude(first.running.output(), "+1212555")
        const second = yield* startServer(server, settings)
        const { call_id } = JSON.parse(placed.text) as { readonly call_id: string }
        const read = yield* request(`${second.origin}/v0/calls/${call_id}`, key)
        assert.strictEqual(read.status, 200)
      }),
    60_000
  )

  it.scopedLive(
    "reads one line when a setting is wrong",
    () =>
      Effect.gen(function* () {
        const { server } = yield* Programs.programs
        const failed = yield* Effect.flip(startServer(server, { OUTDIAL_PRICE_PER_MINUTE: "-1" }))
        assert.match(
          failed.message,
          /outdial cannot start: OUTDIAL_PRICE_PER_MINUTE must be zero or more whole credits/
        )
        assert.notInclude(failed.message, "    at ")
      }),
    60_000
  )
})
