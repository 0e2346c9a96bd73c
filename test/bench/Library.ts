import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { makeOutdial } from "../../apps/library/main.ts"
import * as Report from "./Report.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const rounds = 7
const calls = 40_000
const atOnce = 32

interface Cost {
  readonly millis: number
  readonly bytes: number
}

/** What a new process needs to import a module, the compiled one of this package or `effect`. */
const importing = (module: string): Cost => {
  const program = `
    const began = performance.now()
    await import(${JSON.stringify(module)})
    const millis = performance.now() - began
    gc()
    console.log(JSON.stringify({ millis, bytes: process.memoryUsage().rss }))`
  const output = execFileSync(process.execPath, ["--expose-gc", "--input-type=module", "--eval", program], {
    cwd: root,
    encoding: "utf8"
  })
  return JSON.parse(output) as Cost
}

const medianOf = (costs: ReadonlyArray<Cost>): Cost => ({
  millis: Report.median(costs.map(({ millis }) => millis)),
  bytes: Report.median(costs.map(({ bytes }) => bytes))
})

const imports = () => {
  execFileSync("npm", ["run", "build", "--silent"], { cwd: root, stdio: "inherit" })
  const effect: Array<Cost> = []
  const library: Array<Cost> = []
  for (let round = 0; round < rounds; round++) {
    effect.push(importing("effect"))
    library.push(importing(join(root, "dist/apps/library/main.js")))
  }
  const [bare, whole] = [medianOf(effect), medianOf(library)]
  Report.line("importing effect alone", Report.millis(bare.millis))
  Report.line(
    "importing the library, beyond that",
    Report.millis(whole.millis - bare.millis),
    Report.atMost(150)
  )
  Report.line("memory, beyond that", Report.megabytes(whole.bytes - bare.bytes), Report.atMost(60))
}

const placing = async () => {
  const outdial = await makeOutdial()
  const { id } = await outdial.workspaces.create({ name: "Bench", max_concurrency: 1, calls_per_second: 1 })
  const agent = await outdial.agents.create(id, {
    name: "Agent",
    prompt: "Call {{name}} about order {{order}}"
  })
  await outdial.numbers.add(id, { number: "+14155550100" })
  await outdial.credits.topUp(id, 1_000_000_000)
  let n = 0
  const place = () =>
    outdial.calls.place(id, {
      agent_id: agent.id,
      to_number: "+14155550123",
      callee_name: "Ada Lovelace",
      custom_variables: { name: "Ada", order: 1234 },
      metadata: { order: 1234, source: "bench" },
      idempotency_key: `key-${n++}`
    })
  const round = async () => {
    let left = calls
    const began = performance.now()
    const caller = async () => {
      while (left-- > 0) await place()
    }
    await Promise.all(Array.from({ length: atOnce }, caller))
    return calls / ((performance.now() - began) / 1_000)
  }
  await round()
  const rates = [await round(), await round(), await round()]
  await outdial.dispose()
  Report.line(
    "calls placed by promise, memory store",
    Report.rate(Report.median(rates)),
    Report.atLeast(15_000)
  )
}

/** What embedding costs: importing, and placing calls by promise. */
export const run = Effect.promise(async () => {
  Report.heading(`The library: imports, median of ${rounds}; ${calls} calls, ${atOnce} at once, median of 3`)
  imports()
  await placing()
})
