import autocannon from "autocannon"
import { Effect } from "effect"
import * as Processes from "../programs/Processes.ts"
import * as Platform from "./Platform.ts"
import * as Cpu from "./queues/Cpu.ts"
import * as Report from "./Report.ts"

const connections = 32
const rounds = 9

interface Served {
  readonly pid: number
  readonly port: number
  readonly agent_id: string
}

const started = Effect.fnUntraced(function* (name: "own" | "platform-node") {
  const port = yield* Processes.freePort
  const running = yield* Processes.scoped(
    "test/bench/http/server.ts",
    [name, String(port)],
    {},
    /serves \S+\n/
  )
  const agent_id = /serves (\S+)/.exec(running.output())![1]!
  return { pid: running.process.pid!, port, agent_id } satisfies Served
})

interface Load {
  readonly name: string
  /** Requests of a round: about a second's. */
  readonly amount: number
  readonly path: (agent_id: string) => string
  readonly body?: (agent_id: string) => string
}

const bodyOf = (agent_id: string) => Platform.body(agent_id, null)

const loads: ReadonlyArray<Load> = [
  { name: "GET /health/live", amount: 12_000, path: () => "/health/live" },
  { name: "POST /callbacks/none", amount: 12_000, path: () => "/callbacks/none", body: bodyOf },
  { name: "GET /agents/{agent_id}", amount: 5_000, path: (agent_id) => `/v0/agents/${agent_id}` },
  { name: "POST /calls", amount: 4_000, path: () => "/v0/calls", body: bodyOf }
]

/** Microseconds of the server's processor time that a request takes. */
const measured = ({ agent_id, pid, port }: Served, { amount, body, path }: Load) =>
  Effect.promise(async () => {
    const before = Cpu.secondsOf(pid)
    const { errors, non2xx } = await autocannon({
      url: `http://127.0.0.1:${port}${path(agent_id)}`,
      connections,
      amount,
      headers: { "content-type": "application/json", "x-api-key": Platform.key },
      ...(body && { method: "POST", body: body(agent_id) })
    })
    if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed`)
    return ((Cpu.secondsOf(pid) - before) / amount) * 1e6
  })

/**
 * The HTTP server of this project beside @effect/platform-node's, both with the same handlers over the store in
 * memory. It compares processor time, which other work of the machine distorts least.
 */
export const run = Effect.gen(function* () {
  Report.heading(
    `The HTTP server beside platform-node's, ${connections} connections, ${rounds} rounds, turn and turn about`
  )
  const own = yield* started("own")
  const other = yield* started("platform-node")
  for (const load of loads) {
    const [owns, others]: [Array<number>, Array<number>] = [[], []]
    for (let round = 0; round <= rounds; round++) {
      const pair = [yield* measured(own, load), yield* measured(other, load)] as const
      // The first round warms up.
      if (round === 0) continue
      owns.push(pair[0])
      others.push(pair[1])
    }
    const [a, b] = [Report.median(owns), Report.median(others)]
    Report.line(`${load.name}: own, platform-node`, `${Report.micros(a)}, ${Report.micros(b)}`)
    Report.line(`  ${load.name}: platform-node's as a multiple`, Report.ratio(b / a))
  }
}).pipe(Effect.scoped)
