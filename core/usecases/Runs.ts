import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import { makeNoting } from "../engine/Noting.ts"
import { makeRunStore } from "../engine/RunStore.ts"
import { draftOf } from "../model/agents/Agent.ts"
import { AgentNotFound } from "../model/agents/AgentErrors.ts"
import { InvalidInput } from "../model/InvalidInput.ts"
import type { Page, PageRequest } from "../model/Page.ts"
import type { Play } from "../model/suites/Play.ts"
import type { Run } from "../model/suites/Run.ts"
import * as Machine from "../model/suites/RunMachine.ts"
import { RunEnded, RunNotFound, SuiteNotFound } from "../model/suites/SuiteErrors.ts"
import { AgentSimulator } from "../ports/AgentSimulator.ts"
import { Ids } from "../ports/Ids.ts"
import { Prices } from "../ports/Prices.ts"
import { Repository } from "../ports/Repository.ts"
import { RunLimits } from "../ports/RunLimits.ts"
import type { RunFilter } from "../ports/SuiteRows.ts"
import { makeThenWake } from "./Woken.ts"

/** Plays of one run at most. */
export const mostPlays = 2_000

/** Plays that are read at one time. */
const slice = 100

/** A run with its plays. */
export interface RunDetail {
  readonly run: Run
  readonly plays: ReadonlyArray<Play>
}

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const simulator = yield* AgentSimulator
  const thenWake = yield* makeThenWake
  const limits = yield* RunLimits
  const prices = yield* Prices
  const ids = yield* Ids
  const store = yield* makeRunStore
  const { noted } = yield* makeNoting

  const found = Effect.fnUntraced(function* (workspace_id: string, run_id: string) {
    const run = yield* repository.runs.get(workspace_id, run_id)
    return Option.isSome(run) ? run.value : yield* new RunNotFound({ run_id })
  })

  const begin = Effect.fnUntraced(function* (workspace_id: string, suite_id: string) {
    const suite = yield* repository.suites.get(workspace_id, suite_id)
    if (Option.isNone(suite)) return yield* new SuiteNotFound({ suite_id })
    const { agent_id, config, scenarios } = suite.value
    const agent = yield* repository.agents.get(workspace_id, agent_id)
    if (Option.isNone(agent)) return yield* new AgentNotFound({ agent_id })
    const total = scenarios.reduce((sum, { runs }) => sum + runs, 0)
    if (total === 0 || total > mostPlays) {
      const reason =
        total === 0 ? "the suite has no scenarios" : `the suite has more than ${mostPlays} plays of scenarios`
      return yield* new InvalidInput({ reason, field: "suite_id" })
    }
    const now = yield* Clock.currentTimeMillis
    const run: Run = {
      id: yield* ids.make("run"),
      customer_id: workspace_id,
      suite_id,
      agent_id,
      status: "queued",
      counts: { total, passed: 0, failed: 0, errored: 0 },
      score: null,
      credits_used: 0,
      error: null,
      started_at: null,
      completed_at: null,
      created_at: now,
      subject: {
        agent: draftOf(agent.value),
        variables: config.variables,
        real_tools: config.real_tools === true,
        model: simulator.name
      },
      judges: [...new Set(config.judges)],
      deadline_at: now + Duration.toMillis(limits.deadline),
      points: 0,
      judged: 0
    }
    const plays: Array<Play> = []
    for (const scenario of scenarios) {
      for (let run_index = 1; run_index <= scenario.runs; run_index++) {
        plays.push({
          id: yield* ids.make("play"),
          customer_id: workspace_id,
          run_id: run.id,
          position: plays.length,
          run_index,
          scenario,
          open: true,
          over: false,
          status: null,
          transcript: [],
          judgments: {},
          error: null,
          due_at: now,
          failures: 0,
          updated_at: now,
          version: 1
        })
      }
    }
    yield* repository.runs.insert(run)
    yield* repository.plays.insert(plays)
    return run
  })

  const start: RunsShape["start"] = Effect.fn("Runs.start")(function* (workspace_id, suite_id) {
    const run = yield* thenWake(
      workspace_id,
      noted(workspace_id, begin(workspace_id, suite_id), ({ id }) => id)
    )
    return run
  })

  const get: RunsShape["get"] = Effect.fn("Runs.get")(function* (workspace_id, run_id) {
    const run = yield* found(workspace_id, run_id)
    const plays: Array<Play> = []
    for (;;) {
      const some = yield* repository.plays.behind(workspace_id, run_id, plays.at(-1)?.position ?? -1, slice)
      plays.push(...some)
      if (some.length < slice) return { run, plays }
      // What else this process has to do is not to wait for two thousand transcripts.
      yield* Effect.yieldNow()
    }
  })

  const end = Effect.fnUntraced(function* (workspace_id: string, run_id: string) {
    const run = yield* found(workspace_id, run_id)
    if (!Machine.isOpen(run)) return yield* new RunEnded({ run_id })
    const now = yield* Clock.currentTimeMillis
    const open = (yield* repository.plays.ofRun(workspace_id, run_id)).filter((play) => play.open)
    yield* repository.plays.close(workspace_id, run_id, "cancelled", now)
    const cancelled = Machine.stopped(run, "cancelled", "cancelled", open, prices.turn, now)
    yield* store.save(run, cancelled, now)
    return cancelled
  })

  const cancel: RunsShape["cancel"] = Effect.fn("Runs.cancel")((workspace_id, run_id) =>
    noted(workspace_id, end(workspace_id, run_id))
  )

  return Runs.of({ start, get, cancel, list: repository.runs.list })
})

export interface RunsShape {
  /** Queues a run of a suite: every scenario as often as it says. */
  readonly start: (
    workspace_id: string,
    suite_id: string
  ) => Effect.Effect<Run, SuiteNotFound | AgentNotFound | InvalidInput>
  readonly get: (workspace_id: string, run_id: string) => Effect.Effect<RunDetail, RunNotFound>
  readonly list: (workspace_id: string, filter: RunFilter, page: PageRequest) => Effect.Effect<Page<Run>>
  /** What is being played ends before its next turn; what was not finished counts as errored. */
  readonly cancel: (workspace_id: string, run_id: string) => Effect.Effect<Run, RunNotFound | RunEnded>
}

/** Runs of test suites. */
export class Runs extends Context.Tag("outdial/Runs")<Runs, RunsShape>() {
  static readonly layer = Layer.effect(this, make)
}
