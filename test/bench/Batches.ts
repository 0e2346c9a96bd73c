import { join } from "node:path"
import { Effect } from "effect"
import * as Processes from "../programs/Processes.ts"
import * as Platform from "./Platform.ts"
import * as Report from "./Report.ts"

const batch = 1_000
const batches = 20
const connections = 4

const post = (url: string, calls: ReadonlyArray<string>) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": Platform.key },
    body: `{"calls":[${calls.join(",")}]}`
  })

/** `POST /call-batches` with a thousand calls each, over HTTP, on a SQLite file. */
export const run = Effect.gen(function* () {
  Report.heading(`POST /call-batches, ${batches} batches of ${batch} calls, ${connections} connections`)
  const folder = yield* Platform.folder
  const filename = join(folder, "batches.db")
  const { agent_id } = yield* Platform.seed(filename, 0, { max_concurrency: 1, calls_per_second: 1 })
  const port = yield* Processes.freePort
  yield* Processes.scoped(
    "apps/server/main.ts",
    [],
    {
      PORT: String(port),
      OUTDIAL_DATABASE_URL: `sqlite:${filename}`,
      OUTDIAL_LOG_REQUESTS: "false"
    },
    /Listening/
  )
  const url = `http://127.0.0.1:${port}/v0/call-batches`
  const send = (name: string, count: number) =>
    Effect.promise(async () => {
      let next = 0
      const start = performance.now()
      const work = async () => {
        while (next < count) {
          const n = next++
          const bodies = Array.from({ length: batch }, (_, i) => Platform.body(agent_id, `${name}-${n}-${i}`))
          const response = await post(url, bodies)
          const answer = (await response.json()) as { readonly counts: { readonly created: number } }
          if (answer.counts.created !== batch) throw new Error("a batch was not accepted whole")
        }
      }
      await Promise.all(Array.from({ length: connections }, work))
      return (performance.now() - start) / 1_000
    })
  yield* send("warm", 4)
  const seconds = yield* send("timed", batches)
  Report.line("calls accepted", Report.perSecond(batches * batch, seconds), Report.atLeast(10_000))
}).pipe(Effect.scoped)
