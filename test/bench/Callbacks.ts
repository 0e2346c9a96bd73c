import { randomBytes } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import autocannon from "autocannon"
import Database from "better-sqlite3"
import { Deferred, Effect } from "effect"
import { getExpectedTwilioSignature } from "twilio/lib/webhooks/webhooks.js"
import * as Processes from "../programs/Processes.ts"
import * as Platform from "./Platform.ts"
import * as Report from "./Report.ts"

const count = 3_000
const connections = 32

const accountSid = `AC${"0123456789abcdef".repeat(2)}`
const authToken = "3f1d0c9b8a7e6d5c4b3a29181706f5e4"
const publicUrl = "https://voice.example.com"

/** A call that a stand-in for Twilio has taken. */
interface Taken {
  readonly sid: string
  readonly callback: string
  readonly from: string
  readonly to: string
}

/** A stand-in for Twilio that takes calls and leaves them as they are. */
const carrier = Effect.gen(function* () {
  const taken = new Map<string, Taken>()
  const all = yield* Deferred.make<void>()
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const form = new URLSearchParams(body)
      const callback = form.get("StatusCallback")
      // A dial whose answer came too late is looked for, found nowhere, and dialled again.
      if (callback === null) return response.writeHead(200).end('{"calls":[]}')
      const sid = `CA${randomBytes(16).toString("hex")}`
      taken.set(new URL(callback).searchParams.get("attempt_id")!, {
        sid,
        callback: callback.replace(/#.*$/, ""),
        from: form.get("From")!,
        to: form.get("To")!
      })
      response.writeHead(201, { "content-type": "application/json" })
      response.end(JSON.stringify({ sid, status: "queued" }))
      if (taken.size === count) Deferred.unsafeDone(all, Effect.void)
      return response
    })
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    taken: Effect.map(Deferred.await(all), () => [...taken.values()])
  }
})

const statuses = [
  { CallStatus: "initiated" },
  { CallStatus: "ringing" },
  { CallStatus: "in-progress", AnsweredBy: "human" },
  { CallStatus: "completed", CallDuration: "42", SipResponseCode: "200" }
]

/** A status callback as Twilio signs and sends it. */
const callbackOf = ({ callback, from, sid, to }: Taken, status: Readonly<Record<string, string>>) => {
  const fields: Readonly<Record<string, string>> = {
    CallSid: sid,
    AccountSid: accountSid,
    From: from,
    To: to,
    Direction: "outbound-api",
    ApiVersion: "2010-04-01",
    CallbackSource: "call-progress-events",
    Timestamp: new Date().toUTCString().replace("GMT", "+0000"),
    ...status
  }
  return {
    path: callback.slice(publicUrl.length),
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": getExpectedTwilioSignature(authToken, callback, fields)
    },
    body: new URLSearchParams(fields).toString()
  }
}

const load = (port: number, requests: ReadonlyArray<ReturnType<typeof callbackOf>>) =>
  Effect.promise(async () => {
    let next = 0
    const began = performance.now()
    const result = await autocannon({
      url: `http://127.0.0.1:${port}`,
      connections,
      amount: requests.length,
      method: "POST",
      requests: [
        { setupRequest: (request) => ({ ...request, ...requests[Math.min(next++, requests.length - 1)]! }) }
      ]
    })
    const seconds = (performance.now() - began) / 1_000
    if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`)
    return { seconds, p99: result.latency.p99 }
  })

const inFile = <A>(filename: string, use: (database: Database.Database) => A) =>
  Effect.acquireUseRelease(
    Effect.sync(() => new Database(filename)),
    (database) => Effect.sync(() => use(database)),
    (database) => Effect.sync(() => database.close())
  )

/** Four signed status callbacks of each of many calls under way, over HTTP to the server on a file. */
export const run = Effect.gen(function* () {
  Report.heading(
    `Status callbacks of Twilio: four of each of ${count.toLocaleString("en-US")} calls, ${connections} connections`
  )
  const filename = join(yield* Platform.folder, "callbacks.db")
  yield* Platform.seed(filename, count, { max_concurrency: 10_000, calls_per_second: 300 })
  yield* inFile(filename, (database) => database.exec("delete from webhooks"))
  const { taken, url } = yield* carrier
  const port = yield* Processes.freePort
  yield* Processes.scoped(
    Processes.server,
    [],
    {
      PORT: String(port),
      OUTDIAL_DATABASE_URL: `sqlite:${filename}`,
      OUTDIAL_LOG_REQUESTS: "false",
      OUTDIAL_CARRIER: "twilio",
      OUTDIAL_PUBLIC_URL: publicUrl,
      OUTDIAL_TWILIO_URL: url,
      OUTDIAL_TWILIO_ACCOUNT_SID: accountSid,
      OUTDIAL_TWILIO_AUTH_TOKEN: authToken,
      OUTDIAL_TWILIO_TIMEOUT: "15 seconds",
      OUTDIAL_TWILIO_CONVERSATION_URL: "wss://agent.example.com"
    },
    /Listening/
  )
  const dials = yield* Effect.timeout(taken, "2 minutes")
  const requests = statuses.flatMap((status) => dials.map((dial) => callbackOf(dial, status)))
  const { p99, seconds } = yield* load(port, requests)
  const completed = yield* inFile(filename, (database) =>
    database.prepare("select count(*) from calls where status = 'completed'").pluck().get()
  )
  if (completed !== count) return yield* Effect.dieMessage(`${String(completed)} of ${count} calls completed`)
  Report.line(
    "accepted, signature checked, on disk",
    Report.perSecond(requests.length, seconds),
    Report.atLeast(2_000)
  )
  Report.line("p99", Report.millis(p99))
}).pipe(Effect.scoped)
