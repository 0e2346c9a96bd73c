import { Clock, Effect } from "effect"
import { join } from "node:path"
import { CarrierLedger } from "../../adapters/simulated/CarrierLedger.ts"
import { fromJson } from "../../core/model/calls/PlaceCall.ts"
import { Repository } from "../../core/ports/Repository.ts"
import { Calls } from "../../core/usecases/Calls.ts"
import * as Processes from "../programs/Processes.ts"
import * as Platform from "./Platform.ts"
import * as Report from "./Report.ts"
import { residentMemory } from "./Start.ts"

const large = 100_000
const small = 100

/** Microseconds for claiming the one call that is due next. */
const claimCost = (workspace_id: string) =>
  Effect.gen(function* () {
    const { calls, transaction } = yield* Repository
    const claim = transaction(
      workspace_id,
      Effect.gen(function* () {
        const [call] = yield* calls.dialable(workspace_id, null, yield* Clock.currentTimeMillis, 1)
        return yield* calls.update({ ...call!, version: call!.version + 1 })
      })
    )
    const costs = []
    for (let i = 0; i < 2_000; i++) {
      const start = performance.now()
      yield* claim
      costs.push((performance.now() - start) * 1_000)
    }
    return Report.median(costs)
  })

/** What a long queue costs: memory while the loop works on it, and the claim of the next call. */
export const run = Effect.gen(function* () {
  Report.heading(`a queue of ${large.toLocaleString("en-US")} calls`)
  const folder = yield* Platform.folder
  const caps = { max_concurrency: 100, calls_per_second: 100 }
  const cost = Effect.fnUntraced(function* (name: string, queued: number) {
    const filename = join(folder, name)
    const { workspace_id } = yield* Platform.seed(filename, queued, {
      max_concurrency: 1,
      calls_per_second: 1
    })
    return yield* claimCost(workspace_id).pipe(
      Effect.provide(Platform.running(Platform.onFile(filename))),
      Effect.orDie
    )
  })
  const few = yield* cost("small.db", small)
  const many = yield* cost("large.db", large)
  Report.line(`claiming the next of ${small}`, Report.micros(few))
  Report.line(`claiming the next of ${large.toLocaleString("en-US")}`, Report.micros(many))
  Report.line("the one as a multiple of the other", Report.ratio(many / few), "about 1")

  const filename = join(folder, "memory.db")
  yield* Platform.seed(filename, large, caps)
  const port = yield* Processes.freePort
  const server = yield* Processes.scoped(
    Processes.server,
    [],
    {
      PORT: String(port),
      OUTDIAL_DATABASE_URL: `sqlite:${filename}`,
      OUTDIAL_SIMULATED_SPEED: "Infinity",
      OUTDIAL_WEBHOOK_ALLOW_PRIVATE: "true"
    },
    /Listening/
  )
  const samples = yield* Effect.forEach(Array.from({ length: 50 }), () =>
    Effect.map(Effect.sleep("200 millis"), () => residentMemory(server.process.pid!))
  )
  Report.line(
    "resident memory of the server, most in 10 s",
    Report.megabytes(Math.max(...samples)),
    Report.atMost(230)
  )
}).pipe(Effect.scoped)

/** One turn of the event loop, input and output included. */
const turn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** From the request's beginning to the carrier's ledger, on a server that has nothing else to do. */
export const latency = Effect.gen(function* () {
  Report.heading("from accept to dial, idle")
  const folder = yield* Platform.folder
  const filename = join(folder, "idle.db")
  const seed = yield* Platform.seed(filename, 0, { max_concurrency: 100, calls_per_second: 1_000 })
  const waits = yield* Effect.gen(function* () {
    const calls = yield* Calls
    const ledger = yield* CarrierLedger
    const request = yield* fromJson(Platform.body(seed.agent_id, null))
    const waits = []
    for (let i = 0; i < 100; i++) {
      yield* Effect.sleep("30 millis")
      const start = performance.now()
      yield* calls.place(seed.workspace_id, request)
      while ((yield* ledger.counts).dials <= i) yield* turn
      waits.push(performance.now() - start)
    }
    return waits
  }).pipe(Effect.provide(Platform.running(Platform.onFile(filename))), Effect.orDie)
  Report.line("median of 100", Report.millis(Report.median(waits)), Report.atMost(50))
  Report.line("worst of 100", Report.millis(Math.max(...waits)), Report.atMost(50))
}).pipe(Effect.scoped)
