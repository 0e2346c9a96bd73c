import { join } from "node:path"
import autocannon from "autocannon"
import { Effect } from "effect"
import * as Processes from "../programs/Processes.ts"
import * as Platform from "./Platform.ts"
import * as Cpu from "./queues/Cpu.ts"
import * as Report from "./Report.ts"

const connections = 32
const seconds = 5
const rounds = 3
/** Requests one after the other, in each of so many rounds. */
const alone = 1_000
const aloneRounds = 5

interface Load {
  readonly rate: number
  readonly p99: number
}

type Amount = { readonly connections: number } & ({ readonly duration: number } | { readonly amount: number })

const load = (port: number, agent_id: string, much: Amount) =>
  Effect.promise(async () => {
    let n = 0
    const run = `${port}-${process.hrtime.bigint()}`
    const result = await autocannon({
      url: `http://127.0.0.1:${port}/v0/calls`,
      ...much,
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": Platform.key },
      requests: [
        { setupRequest: (request) => ({ ...request, body: Platform.body(agent_id, `${run}-${n++}`) }) }
      ]
    })
    if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`)
    return { rate: result.requests.average, p99: result.latency.p99 }
  })

/** `POST /calls` beside a bare Fastify + better-sqlite3 insert, turn and turn about. */
export const run = Effect.gen(function* () {
  Report.heading(
    `POST /calls, ${connections} connections, ${rounds} rounds of ${seconds} s each, turn and turn about`
  )
  const folder = yield* Platform.folder
  const filename = join(folder, "place.db")
  const { agent_id } = yield* Platform.seed(filename, 0, { max_concurrency: 1, calls_per_second: 1 })
  const ports = { bare: yield* Processes.freePort, outdial: yield* Processes.freePort }
  const bareServer = yield* Processes.scoped(
    "test/bench/bare.ts",
    [join(folder, "bare.db"), String(ports.bare)],
    {},
    /Listening/
  )
  const server = yield* Processes.scoped(
    Processes.server,
    [],
    {
      PORT: String(ports.outdial),
      OUTDIAL_DATABASE_URL: `sqlite:${filename}`,
      OUTDIAL_LOG_REQUESTS: "false"
    },
    /Listening/
  )
  yield* load(ports.bare, agent_id, { connections, duration: 3 })
  yield* load(ports.outdial, agent_id, { connections, duration: 3 })
  const bare: Array<Load> = []
  const outdial: Array<Load> = []
  for (let round = 0; round < rounds; round++) {
    bare.push(yield* load(ports.bare, agent_id, { connections, duration: seconds }))
    outdial.push(yield* load(ports.outdial, agent_id, { connections, duration: seconds }))
  }
  const cost = Effect.fnUntraced(function* (pid: number, port: number) {
    const before = Cpu.secondsOf(pid)
    yield* load(port, agent_id, { connections: 1, amount: alone })
    return (Cpu.secondsOf(pid) - before) / alone
  })
  const costs: { readonly [name in keyof typeof ports]: Array<number> } = { bare: [], outdial: [] }
  for (let round = 0; round < aloneRounds; round++) {
    costs.bare.push(yield* cost(bareServer.process.pid!, ports.bare))
    costs.outdial.push(yield* cost(server.process.pid!, ports.outdial))
  }
  const of = (results: ReadonlyArray<Load>) => ({
    rate: Report.median(results.map(({ rate }) => rate)),
    p99: Report.median(results.map(({ p99 }) => p99))
  })
  const [a, b] = [of(bare), of(outdial)]
  Report.line("bare Fastify + better-sqlite3 insert, synchronous=NORMAL", Report.rate(a.rate))
  Report.line("Outdial: key, idempotency, hold, outbox, flushed", Report.rate(b.rate))
  Report.line("rate, as a part of the bare one", Report.ratio(b.rate / a.rate), Report.atLeast(0.35))
  Report.line("p99 bare", Report.millis(a.p99))
  Report.line("p99 Outdial", Report.millis(b.p99))
  Report.line("p99, as a multiple of the bare one", Report.ratio(b.p99 / a.p99), Report.atMost(4))
  const micros = (name: keyof typeof ports) => Report.micros(Report.median(costs[name]) * 1e6)
  Report.line("processor time of a request, one connection, bare", micros("bare"))
  Report.line("processor time of a request, one connection", micros("outdial"), Report.atMost(250))
}).pipe(Effect.scoped)
