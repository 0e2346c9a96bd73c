import { Clock, Effect, Fiber, Schedule } from "effect"
import { PCGRandom } from "effect/Utils"
import type { Patch } from "../../programs/Programs.ts"
import { breached, type Finding } from "../Verdict.ts"
import { type Manner, type Placed, talk } from "./Callee.ts"
import type { Line } from "./Mind.ts"
import * as Servers from "./Servers.ts"
import { type Evidence, judge, type Promised, type Told } from "./Verdict.ts"

export interface Scenario {
  readonly seed: number
  readonly store: "sqlite" | "postgres"
  readonly processes: number
  readonly talks: number
  /** At one time. */
  readonly together: number
  /** Lines of each callee, the last one included. */
  readonly lines: number
  /** Processes that die, each fourth by being told to end. */
  readonly kills: number
  /** How far apart they die at least, in milliseconds, and up to twice that, once all processes are up. */
  readonly apart: number
  /** How long a clause takes to be said, in milliseconds. */
  readonly clause: number
  readonly patches: ReadonlyArray<Patch>
  readonly say: (line: string) => void
}

export interface Outcome {
  readonly findings: ReadonlyArray<Finding<Promised>>
  readonly seconds: number
  readonly kills: number
  readonly drops: number
  readonly uses: number
  readonly evidence: Evidence
}

/** Half of the lines are bookings. The last one ends the call, unless the callee does. */
const linesOf = (count: number, from: number, hangsUp: boolean, random: PCGRandom): ReadonlyArray<Line> =>
  Array.from({ length: count }, (_, n) => ({
    number: from + n,
    kind: n === count - 1 && !hangsUp ? "Close" : random.integer(2) === 0 ? "Book" : "Tell"
  }))

const session = /session_id=(\w+)/

/** Places calls that are taken at once, and talked on later. */
export const place = Effect.fnUntraced(function* (
  { agent_id, request, twilio }: Servers.Servers,
  talks: number
) {
  const asked = yield* Effect.forEach(
    Array.from({ length: talks }, (_, n) => `+1415${200 + n}0008`),
    (to_number) =>
      Effect.map(request("/calls", { agent_id, to_number }), ({ call_id }) => ({ call_id, to_number })),
    { concurrency: 8 }
  )
  yield* Effect.sync(() => twilio.calls.size).pipe(
    Effect.repeat({ until: (dialled) => dialled === talks, schedule: Schedule.spaced("50 millis") })
  )
  const calls = [...twilio.calls.values()]
  return asked.map(({ call_id, to_number }): Placed => {
    const call = calls.find(({ form }) => form.get("To") === to_number)!
    return { call, call_id, session_id: session.exec(call.form.get("Twiml")!)![1]! }
  })
})

/** Whom a death waits for: chance, the use of a tool, or a question to the model. */
const moments = ["any", "tool", "model"] as const

/**
 * Has calls talked while processes die under them, which Twilio's side connects anew through the action callback, and
 * judges by what that side and the tool have on their ledgers.
 */
export const run = Effect.fn("TalkScenario.run")(function* (scenario: Scenario) {
  const { apart, clause, kills, lines, processes, say, seed, talks, together } = scenario
  const random = new PCGRandom(seed)
  const began = yield* Clock.currentTimeMillis
  const servers = yield* Servers.make({ ...scenario, thinking: 40 })
  const placed = yield* place(servers, talks)
  say(`${talks} calls wait to be talked on`)

  /** The process that holds each session, as Twilio's side sees it. */
  const holders = new Map<string, number>()
  const manner = (n: number): Manner => ({
    lines: linesOf(lines, 100 * n, n % 2 === 0, random),
    clause,
    patience: 40 * clause + 1_000,
    again: 4 * clause,
    hangsUp: n % 2 === 0
  })
  const talking = yield* Effect.fork(
    Effect.forEach(
      placed,
      (one, n) =>
        talk(servers, one, manner(n), (member) => void holders.set(one.session_id, member), n % processes),
      { concurrency: together }
    )
  )

  const died: Array<number> = []
  /** The process over which the moment comes. */
  const moment = (kind: (typeof moments)[number]) =>
    Effect.async<number>((resume) => {
      const by = random.integer(processes)
      const byTool = (session_id: string) => resume(Effect.succeed(holders.get(session_id) ?? by))
      const byModel = (member: number) => resume(Effect.succeed(member))
      if (kind === "any") resume(Effect.succeed(by))
      if (kind === "tool") servers.watches.tool.add(byTool)
      if (kind === "model") servers.watches.model.add(byModel)
      return Effect.sync(() => {
        servers.watches.tool.delete(byTool)
        servers.watches.model.delete(byModel)
      })
    }).pipe(
      Effect.tap(() =>
        Effect.sync(() => {
          servers.watches.tool.clear()
          servers.watches.model.clear()
        })
      )
    )
  const killing = Effect.gen(function* () {
    for (let nth = 0; nth < kills; nth++) {
      yield* Effect.sleep(apart + random.integer(apart))
      // Where starting takes longer than that, no process would live long enough to answer.
      for (const { up } of servers.members) yield* up.await
      const member = servers.members[yield* moment(moments[nth % moments.length]!)]!
      yield* member.up.await
      died.push(Date.now())
      member.running?.process.kill(nth % 4 === 3 ? "SIGTERM" : "SIGKILL")
    }
  })
  const deaths = yield* Effect.fork(killing)
  const talked = yield* Fiber.join(talking)
  yield* Fiber.interrupt(deaths)
  say(`${talked.reduce((sum, { drops }) => sum + drops.length, 0)} connections broke`)

  /** What the system says of a call once its end is stored. */
  const toldOf = (one: Placed): Effect.Effect<Told> =>
    Effect.all({
      call: servers.request(`/calls/${one.call_id}`),
      session: servers.request(`/sessions/${one.session_id}`),
      turns: Effect.map(servers.request(`/sessions/${one.session_id}/transcript`), ({ turns }) => turns)
    })
  const evidence = Effect.map(
    Effect.forEach(talked, (one, n) => Effect.map(toldOf(placed[n]!), (told) => ({ ...one, told })), {
      concurrency: 8
    }),
    (all): Evidence => ({ talks: all, uses: servers.uses, kills: died })
  )
  const settled = yield* evidence.pipe(
    Effect.repeat({
      until: (found) => breached(judge(found)).length === 0,
      schedule: Schedule.upTo(Schedule.spaced("500 millis"), "1 minute")
    }),
    Effect.zipRight(evidence)
  )
  return {
    findings: judge(settled),
    seconds: ((yield* Clock.currentTimeMillis) - began) / 1_000,
    kills: died.length,
    drops: talked.reduce((sum, { drops }) => sum + drops.length, 0),
    uses: servers.uses.length,
    evidence: settled
  } satisfies Outcome
}, Effect.scoped)
