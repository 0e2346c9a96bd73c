import { rmSync } from "node:fs"
import { Clock, Effect, Fiber, Option, Ref, Schedule } from "effect"
import { PCGRandom } from "effect/Utils"
import * as Client from "./Client.ts"
import type { Evidence } from "./Evidence.ts"
import type { Member } from "./Members.ts"
import * as Naps from "./Naps.ts"
import * as Script from "./Script.ts"
import * as Topology from "./Topology.ts"
import { beyondHope, breached, type Finding, judge } from "./Verdict.ts"
import type { Patch } from "../programs/Programs.ts"

export interface Scenario {
  readonly seed: number
  readonly store: "sqlite" | "postgres"
  readonly processes: number
  readonly recipients: number
  readonly calls: number
  readonly plan: Script.Plan
  /** Of programs that have the patches for it. */
  readonly naps: Naps.Naps | null
  /** Whether some callees fall silent, which takes more than three minutes. */
  readonly silence: boolean
  readonly calls_per_second: number
  /** Of so many webhooks in a hundred the first try is refused. */
  readonly refused: number
  /** How long nothing may happen before what is missing counts as lost, in milliseconds. */
  readonly patience: number
  readonly patches: ReadonlyArray<Patch>
  /** Is told how it goes. */
  readonly say: (line: string) => void
}

export interface Outcome {
  readonly findings: ReadonlyArray<Finding>
  readonly done: Readonly<Record<string, number>>
  readonly seconds: number
  /** Processes that were not up a minute after their start, and were started again. */
  readonly hung: number
  readonly dials: number
  readonly events: number
  readonly folder: string
}

const speed = 60
const price_per_minute = 3
const workspaces = 3

/** Dials and events for each one that is asked for, on average, and the bytes of each in a ledger. */
const linesEach = 3.7
const lineLength = 280

/** Waits until the ledgers have grown by about so many lines, or the time is over. */
const awaitMoment = ({ written }: Topology.Topology, { at_most, lines, pause }: Script.Step) =>
  Effect.flatMap(written, (before) =>
    written.pipe(
      Effect.repeat({
        until: (size) => size >= before + lines * lineLength,
        schedule: Schedule.spaced("15 millis")
      }),
      Effect.timeout(at_most),
      Effect.ignore,
      Effect.zipRight(Effect.sleep(pause))
    )
  )

/** One that does not come up again is left to the verdict. */
const isUp = ({ up }: Member) => Effect.ignore(Effect.timeout(up.await, "1 minute"))

/** Carries a step out. What takes its time, as a frozen process does, goes on beside the next steps. */
const carryOut = (topology: Topology.Topology, step: Script.Step): Effect.Effect<void> => {
  switch (step._tag) {
    case "Kill": {
      const member = topology.members[step.process]!
      return Effect.zipRight(
        isUp(member),
        Effect.sync(() => void member.running?.process.kill("SIGKILL"))
      )
    }
    case "Freeze": {
      const member = topology.members[step.process]!
      return isUp(member).pipe(
        Effect.andThen(
          Effect.suspend(() => {
            const frozen = member.running?.process
            frozen?.kill("SIGSTOP")
            return Effect.ensuring(
              Effect.sleep(step.millis),
              Effect.sync(() => frozen?.kill("SIGCONT"))
            )
          })
        )
      )
    }
    case "Cut": {
      const { proxy } = topology.members[step.process]!
      if (proxy === null) return Effect.void
      return Effect.zipRight(proxy.cut, Effect.ensuring(Effect.sleep(step.millis), proxy.mend))
    }
    case "RestartCarrier":
      return Effect.orDie(topology.restartCarrier(step.millis))
    case "RestartDatabase":
      return topology.database.restart(step.mode)
  }
}

const beside: ReadonlySet<Script.Step["_tag"]> = new Set(["Freeze", "Cut"])

/**
 * Runs a campaign and single calls while the script is carried out, waits until everything is told or nothing more
 * comes, and judges by the ledgers. Its folder is kept when a promise is broken.
 */
export const run = Effect.fn("Scenario.run")(function* (scenario: Scenario) {
  const { calls, plan, processes, recipients, say, seed } = scenario
  const began = yield* Clock.currentTimeMillis
  const elapsed = Effect.map(Clock.currentTimeMillis, (now) => (now - began) / 1_000)
  const topology = yield* Topology.make({ ...scenario, speed, price_per_minute, workspaces })
  const client = Client.make(topology, new PCGRandom(seed + 1))
  yield* client.settle
  yield* client.campaign(recipients)
  say(`up after ${(yield* elapsed).toFixed(0)} s`)

  const steps = Script.make(seed, plan, processes, Math.floor((recipients + calls) * linesEach))
  /** Calls are placed as the script goes on, the last ones before its end. */
  const allowed = yield* Ref.make(steps.length === 0 ? calls : 0)
  const placed = yield* Ref.make(0)
  const placer = Effect.gen(function* () {
    const nth = yield* Ref.getAndUpdate(placed, (n) => n + 1)
    if (nth >= calls) return false
    yield* Ref.get(allowed).pipe(
      Effect.repeat({ until: (most) => nth < most, schedule: Schedule.spaced("20 millis") })
    )
    yield* client.place(nth, scenario.silence)
    return true
  }).pipe(Effect.repeat({ while: (more) => more }))
  const load = yield* Effect.fork(Effect.all([placer, placer, placer, placer], { concurrency: "unbounded" }))

  const naps =
    scenario.naps === null ? null : yield* Effect.forkScoped(Naps.wake(topology.nap, scenario.naps))
  const done: Record<string, number> = {}
  const lasting: Array<Fiber.RuntimeFiber<void>> = []
  for (const [at, step] of steps.entries()) {
    yield* awaitMoment(topology, step)
    const work = carryOut(topology, step)
    if (beside.has(step._tag)) lasting.push(yield* Effect.forkScoped(work))
    else yield* work
    done[step._tag] = (done[step._tag] ?? 0) + 1
    yield* Ref.set(allowed, Math.ceil((calls * (at + 1)) / Math.max(1, steps.length - 1)))
    if ((at + 1) % 25 === 0) {
      const { findings } = yield* Effect.sync(() => evidenceNow())
      say(`${at + 1} of ${steps.length} steps after ${(yield* elapsed).toFixed(0)} s`)
      if (beyondHope(findings).length > 0) break
    }
  }
  yield* Fiber.joinAll(lasting)

  function evidenceNow(balances?: Evidence["credits"]) {
    const evidence: Evidence = {
      asked: client.book.asked,
      ambiguous: client.book.ambiguous,
      carrier: topology.carrier(),
      received: topology.received(),
      credits: balances ?? topology.tenants.map((tenant) => ({ ...tenant, balance: null })),
      price_per_minute,
      speed,
      leaks: topology.leaks()
    }
    return { evidence, findings: judge(evidence) }
  }

  /** Nothing more is dialled or told, for as long as patience lasts, or all is there; then credits are asked for. */
  let size = -1
  let still = yield* Clock.currentTimeMillis
  let findings: ReadonlyArray<Finding> = []
  const ask = Effect.gen(function* () {
    const balances = yield* Effect.option(Effect.timeout(client.balances, "20 seconds"))
    findings = evidenceNow(Option.getOrUndefined(balances)).findings
  })
  const settled = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const { evidence, findings: found } = evidenceNow()
    findings = found
    const grown = evidence.carrier.length + evidence.received.length
    if (grown !== size) still = now
    size = grown
    if (beyondHope(found).length > 0) return true
    const givesUp = now - still > scenario.patience
    if (breached(found).length > 1 && !givesUp) return false
    yield* ask
    return breached(findings).length === 0 || givesUp || now - still > 10_000
  })
  const loadOver = Effect.race(
    Fiber.join(load),
    Effect.repeat(
      Effect.sync(() => beyondHope(evidenceNow().findings).length > 0),
      { until: (over) => over, schedule: Schedule.spaced("1 second") }
    )
  )
  yield* Effect.timeout(loadOver, "3 minutes").pipe(Effect.ignore)
  yield* Fiber.interruptFork(load)
  if (naps !== null) done["Nap"] = yield* Fiber.join(naps)
  if (beyondHope(evidenceNow().findings).length === 0) {
    yield* Effect.ignore(Effect.timeout(client.callOff, "1 minute"))
  }
  still = yield* Clock.currentTimeMillis
  yield* settled.pipe(Effect.repeat({ until: (over) => over, schedule: Schedule.spaced("500 millis") }))

  if (breached(findings).length > 0) yield* topology.folder.keep
  return {
    findings,
    done,
    seconds: yield* elapsed,
    hung: topology.hung(),
    dials: topology.carrier().length,
    events: topology.received().length,
    folder: topology.folder.path
  } satisfies Outcome
}, Effect.scoped)

/** Removes what a run with a broken promise has left. */
export const discard = ({ folder }: Outcome) => rmSync(folder, { recursive: true, force: true })
