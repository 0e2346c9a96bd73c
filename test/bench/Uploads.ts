import { request } from "node:http"
import { join } from "node:path"
import { Effect } from "effect"
import { allScopes } from "../../core/model/workspaces/Principal.ts"
import { Workspaces } from "../../core/usecases/Workspaces.ts"
import { csvFile } from "../adapters/tables/Fixtures.ts"
import * as Processes from "../programs/Processes.ts"
import * as Memory from "./Memory.ts"
import * as Platform from "./Platform.ts"
import { recipients } from "./Recipients.ts"
import * as Report from "./Report.ts"

const uploads = 200
const workspaces = 20
/** Of a phone number and two variables: as many as make 5 MB. */
const rows = 185_000

const keys = Array.from(
  { length: workspaces },
  (_, i) => `od_live_${String(i).padStart(4, "0")}${Platform.key}`
)

interface Campaign {
  readonly id: string
  readonly key: string
}

/** Workspaces with a key each, in a new store; answers their agents. */
const seeded = (filename: string) =>
  Effect.forEach(keys, (key) =>
    Effect.gen(function* () {
      const seed = yield* Platform.workspaceWith({ max_concurrency: 1, calls_per_second: 1 })
      yield* (yield* Workspaces).createKey(seed.workspace_id, { name: "bench", scopes: allScopes, key })
      return { agent_id: seed.agent_id, key }
    })
  ).pipe(Effect.provide(Platform.resting(Platform.onFile(filename))), Effect.orDie)

const campaignOf = (base: string, { agent_id, key }: { readonly agent_id: string; readonly key: string }) =>
  Effect.promise(async (): Promise<Campaign> => {
    const response = await fetch(`${base}/campaigns`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ name: "Bench", agent_id })
    })
    const { id } = (await response.json()) as { readonly id: string }
    return { id, key }
  })

/** Sends a form while the server takes it; answers whether its file was imported whole, or else what was answered. */
const upload = (base: string, { id, key }: Campaign, form: Buffer) =>
  Effect.async<"imported" | "later">((resume) => {
    const sent = request(`${base}/campaigns/${id}/recipients/import`, {
      method: "POST",
      headers: {
        "x-api-key": key,
        "content-type": "multipart/form-data; boundary=b",
        "content-length": form.length
      }
    })
    const fail = (reason: string) => resume(Effect.dieMessage(`an upload was not answered: ${reason}`))
    sent.on("error", (error) => fail(error.message))
    sent.on("response", (answer) => {
      let tail = ""
      answer.on("data", (piece: Buffer) => {
        tail = (tail + piece.toString("latin1")).slice(-2_000)
      })
      answer.on("error", (error) => fail(error.message))
      answer.on("end", () => {
        const { headers, statusCode } = answer
        if (statusCode === 503 && headers["retry-after"] !== undefined) resume(Effect.succeed("later"))
        else if (statusCode === 200 && tail.includes(`"accepted_rows":${rows},`))
          resume(Effect.succeed("imported"))
        else fail(`${statusCode} ${tail.slice(0, 200)}`)
      })
    })
    let at = 0
    const write = () => {
      while (at < form.length) {
        const piece = form.subarray(at, (at += 64 * 1024))
        if (!sent.write(piece)) return void sent.once("drain", write)
      }
      sent.end()
    }
    write()
  })

/** Files of 5 MB that come at one time, to campaigns of several workspaces: each is imported, or answered 503. */
export const run = Effect.gen(function* () {
  const table = csvFile(recipients(rows))
  const form = Buffer.concat([
    Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="people.csv"\r\n\r\n'),
    table,
    Buffer.from("\r\n--b--\r\n")
  ])
  Report.heading(
    `${uploads} imports of ${(table.length / 2 ** 20).toFixed(1)} MB at one time, in ${workspaces} workspaces`
  )
  const filename = join(yield* Platform.folder, "uploads.db")
  const seeds = yield* seeded(filename)
  const port = yield* Processes.freePort
  const running = yield* Processes.scoped(
    Processes.server,
    [],
    { PORT: String(port), OUTDIAL_DATABASE_URL: `sqlite:${filename}`, OUTDIAL_LOG_REQUESTS: "false" },
    /Listening/
  )
  const base = `http://127.0.0.1:${port}/v0`
  const campaigns = yield* Effect.forEach(Array.from({ length: uploads }), (_, i) =>
    campaignOf(base, seeds[i % workspaces]!)
  )
  const { most } = yield* Memory.sampled(running.process.pid!)
  const began = performance.now()
  const answers = yield* Effect.forEach(campaigns, (campaign) => upload(base, campaign, form), {
    concurrency: "unbounded"
  })
  const seconds = (performance.now() - began) / 1_000
  const { all, server } = yield* most
  const imported = answers.filter((answer) => answer === "imported").length
  Report.line("imported whole; answered 503 with Retry-After", `${imported}; ${uploads - imported}`)
  Report.line("until the last answer", Report.seconds(seconds))
  Report.line("most memory of the server", Report.megabytes(server))
  Report.line("the same, with the processes that read tables", Report.megabytes(all), Report.atMost(600))
}).pipe(Effect.scoped)
