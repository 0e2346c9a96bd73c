import { join } from "node:path"
import { Effect, Either } from "effect"
import { copyFileSync } from "node:fs"
import { fromJson } from "../../core/model/calls/CallBatch.ts"
import { CallBatches } from "../../core/usecases/CallBatches.ts"
import * as Processes from "../programs/Processes.ts"
import * as Platform from "./Platform.ts"
import * as Cpu from "./queues/Cpu.ts"
import * as Report from "./Report.ts"
import * as Statements from "./Statements.ts"

const batch = 1_000
const batches = 20
const connections = 4

const bodyOf = (agent_id: string, name: string, n: number) =>
  `{"calls":[${Array.from({ length: batch }, (_, i) => Platform.body(agent_id, `${name}-${n}-${i}`)).join(",")}]}`

const post = (url: string, body: string) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": Platform.key },
    body
  })

/** Seconds that the statements of the same batches take, prepared, in the same transactions, with nothing around them. */
const bareSeconds = (filename: string, { agent_id, workspace_id }: Platform.Seed) =>
  Effect.gen(function* () {
    const copy = `${filename}.bare`
    copyFileSync(filename, copy)
    const stop = Statements.trace()
    const { create } = yield* CallBatches
    for (let n = 0; n < batches; n++) {
      const request = Either.getOrThrow(fromJson(bodyOf(agent_id, "bare", n)))
      yield* create(workspace_id, request)
    }
    return Statements.replay(copy, stop(`${filename}.statements`))
  }).pipe(Effect.provide(Platform.resting(Platform.onFile(filename))), Effect.orDie)

/** `POST /call-batches` with a thousand calls each, over HTTP, on a SQLite file. */
export const run = Effect.gen(function* () {
  Report.heading(`POST /call-batches, ${batches} batches of ${batch} calls, ${connections} connections`)
  const folder = yield* Platform.folder
  const filename = join(folder, "batches.db")
  const seed = yield* Platform.seed(filename, 0, { max_concurrency: 1, calls_per_second: 1 })
  const { agent_id } = seed
  const bareFile = join(folder, "bare.db")
  copyFileSync(filename, bareFile)
  const port = yield* Processes.freePort
  const server = yield* Processes.scoped(
    Processes.server,
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
          const response = await post(url, bodyOf(agent_id, name, n))
          const answer = (await response.json()) as { readonly counts: { readonly created: number } }
          if (answer.counts.created !== batch) throw new Error("a batch was not accepted whole")
        }
      }
      await Promise.all(Array.from({ length: connections }, work))
      return (performance.now() - start) / 1_000
    })
  yield* send("warm", 4)
  const cpu = Cpu.secondsOf(server.process.pid!)
  const seconds = yield* send("timed", batches)
  const cost = (Cpu.secondsOf(server.process.pid!) - cpu) / (batches * batch)
  const bare = yield* bareSeconds(bareFile, seed)
  Report.line("calls accepted", Report.perSecond(batches * batch, seconds), Report.atLeast(10_000))
  Report.line("processor time of the server, a call", Report.micros(cost * 1e6), Report.atMost(100))
  Report.line("the same statements prepared, nothing around them", Report.perSecond(batches * batch, bare))
  Report.line("as a part of the bare rate", Report.ratio(bare / seconds))
}).pipe(Effect.scoped)
