import { Clock, Context, Effect, Exit, Layer, Option } from "effect"
import { makeNoting } from "../engine/Noting.ts"
import type { Agent } from "../model/agents/Agent.ts"
import { AgentNotFound } from "../model/agents/AgentErrors.ts"
import { placeholders } from "../model/agents/Prompt.ts"
import { minute } from "../model/Codecs.ts"
import type { Page, PageRequest } from "../model/Page.ts"
import { criterionOf, defaultJudges, type Suite } from "../model/suites/Suite.ts"
import { countOf, type CreateSuite, type GenerateSuite, type UpdateSuite } from "../model/suites/SuiteBody.ts"
import { SuiteNameTaken, SuiteNotFound } from "../model/suites/SuiteErrors.ts"
import type { Movement } from "../model/workspaces/Ledger.ts"
import { InsufficientCredits } from "../model/workspaces/WorkspaceErrors.ts"
import { Ids } from "../ports/Ids.ts"
import type { ModelFailure } from "../ports/ModelFailure.ts"
import { Prices } from "../ports/Prices.ts"
import { RateLimits, type TooManyRequests } from "../ports/RateLimits.ts"
import { Repository } from "../ports/Repository.ts"
import { type Generated, ScenarioGenerator } from "../ports/ScenarioGenerator.ts"
import type { Hold } from "../ports/SuiteRows.ts"

/** By when a generation must have ended; what it holds is released then, should its process have died. */
const longest = 10 * minute

const numbered = (name: string, number: number) => (number === 1 ? name : `${name} (${number})`)

/** The placeholders of an agent's prompt, each without a value. */
const blanks = ({ prompt }: Agent) => Object.fromEntries(placeholders(prompt).map((name) => [name, ""]))

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const generator = yield* ScenarioGenerator
  const limits = yield* RateLimits
  const prices = yield* Prices
  const ids = yield* Ids
  const { noted } = yield* makeNoting

  const move = Effect.fnUntraced(function* (
    workspace_id: string,
    reference: string,
    movements: ReadonlyArray<Movement>
  ) {
    const created_at = yield* Clock.currentTimeMillis
    const entries = yield* Effect.forEach(
      movements.filter(({ amount }) => amount !== 0),
      (movement) =>
        Effect.map(ids.make("led"), (id) => ({
          id,
          customer_id: workspace_id,
          reference,
          created_at,
          ...movement
        }))
    )
    return entries.length === 0 || (yield* repository.credits.append(workspace_id, entries))
  })

  const hold = Effect.fnUntraced(function* (workspace_id: string, suite_id: string, amount: number) {
    const held: Hold = {
      id: suite_id,
      customer_id: workspace_id,
      amount,
      expires_at: (yield* Clock.currentTimeMillis) + longest
    }
    if (!(yield* move(workspace_id, suite_id, [{ kind: "hold", amount: -amount }]))) {
      const balance = yield* repository.credits.balance(workspace_id)
      return yield* new InsufficientCredits({ required: amount, balance })
    }
    yield* repository.holds.insert(held)
    return held
  })

  /** Ends a hold, charging a part of it. Answers false when it has expired meanwhile. */
  const settle = Effect.fnUntraced(function* (held: Hold, charge: number) {
    const { amount, customer_id, id } = held
    if (!(yield* repository.holds.remove(customer_id, id))) return false
    return yield* move(customer_id, id, [
      { kind: "release", amount },
      { kind: "generation", amount: -charge }
    ])
  })

  /** A name that is free, the wanted one if that is: found by doubling, then by halving. */
  const freeName = Effect.fnUntraced(function* (workspace_id: string, name: string) {
    const taken = (number: number) => repository.suites.nameExists(workspace_id, numbered(name, number))
    let free = 1
    let used = 0
    while (yield* taken(free)) {
      used = free
      free *= 2
    }
    while (free - used > 1) {
      const middle = Math.floor((used + free) / 2)
      if (yield* taken(middle)) used = middle
      else free = middle
    }
    return numbered(name, free)
  })

  const store = Effect.fnUntraced(function* (
    held: Hold,
    agent: Agent,
    request: GenerateSuite,
    { scenarios }: Generated,
    created_by_user_id: string
  ) {
    const now = yield* Clock.currentTimeMillis
    const wanted = request.name ?? `${agent.name} — generated`
    const suite: Suite = {
      id: held.id,
      customer_id: agent.customer_id,
      agent_id: agent.id,
      name: yield* freeName(agent.customer_id, wanted),
      scenarios,
      config: {
        judges: request.judges,
        variables: blanks(agent)
      },
      created_by_user_id,
      created_at: now,
      updated_at: now
    }
    if (!(yield* settle(held, scenarios.length * prices.scenario))) {
      return yield* Effect.dieMessage("a generation outlasted what it held")
    }
    if (!(yield* repository.suites.insert(suite))) {
      return yield* Effect.dieMessage("a name that was free in this transaction is taken")
    }
    return suite
  })

  const generate: SuitesShape["generate"] = Effect.fn("Suites.generate")(
    function* (workspace_id, request, created_by_user_id) {
      const found = yield* repository.agents.get(workspace_id, request.agent_id)
      if (Option.isNone(found)) return yield* new AgentNotFound({ agent_id: request.agent_id })
      const agent = found.value
      yield* limits.generation(workspace_id)
      const count = countOf(request.count)
      const id = yield* ids.make("suite")
      return yield* Effect.acquireUseRelease(
        repository.transaction(workspace_id, hold(workspace_id, id, count * prices.scenario)),
        (held) =>
          generator
            .generate({
              agent: { name: agent.name, prompt: agent.prompt, language: agent.language },
              count,
              judges: request.judges.map((name) => ({ name, criterion: criterionOf(name) })),
              hint: request.hint
            })
            .pipe(
              Effect.flatMap((generated) =>
                noted(
                  workspace_id,
                  store(held, agent, request, generated, created_by_user_id),
                  (suite) => suite.id
                )
              )
            ),
        (held, exit) =>
          Exit.isSuccess(exit)
            ? Effect.void
            : Effect.asVoid(repository.transaction(workspace_id, settle(held, 0)))
      )
    }
  )

  const create: SuitesShape["create"] = Effect.fn("Suites.create")(
    function* (workspace_id, draft, created_by_user_id) {
      const id = yield* ids.make("suite")
      const now = yield* Clock.currentTimeMillis
      const insert = Effect.gen(function* () {
        const agent = yield* repository.agents.get(workspace_id, draft.agent_id)
        if (Option.isNone(agent)) return yield* new AgentNotFound({ agent_id: draft.agent_id })
        const suite: Suite = {
          id,
          customer_id: workspace_id,
          agent_id: draft.agent_id,
          name: draft.name,
          scenarios: draft.scenarios,
          config: draft.config ?? { judges: defaultJudges, variables: blanks(agent.value) },
          created_by_user_id,
          created_at: now,
          updated_at: now
        }
        return (yield* repository.suites.insert(suite)) ? suite : yield* new SuiteNameTaken()
      })
      return yield* noted(workspace_id, insert, (suite) => suite.id)
    }
  )

  const get: SuitesShape["get"] = Effect.fn("Suites.get")(function* (workspace_id, suite_id) {
    const suite = yield* repository.suites.get(workspace_id, suite_id)
    return Option.isSome(suite) ? suite.value : yield* new SuiteNotFound({ suite_id })
  })

  const change = Effect.fnUntraced(function* (workspace_id: string, suite_id: string, wanted: UpdateSuite) {
    const suite: Suite = {
      ...(yield* get(workspace_id, suite_id)),
      ...wanted,
      updated_at: yield* Clock.currentTimeMillis
    }
    return (yield* repository.suites.update(suite)) ? suite : yield* new SuiteNameTaken()
  })

  const update: SuitesShape["update"] = Effect.fn("Suites.update")((workspace_id, suite_id, wanted) =>
    noted(workspace_id, change(workspace_id, suite_id, wanted))
  )

  const remove: SuitesShape["remove"] = Effect.fn("Suites.remove")((workspace_id, suite_id) =>
    noted(
      workspace_id,
      Effect.filterOrFail(
        repository.suites.remove(workspace_id, suite_id),
        (removed) => removed,
        () => new SuiteNotFound({ suite_id })
      )
    )
  )

  return Suites.of({ generate, create, get, update, remove, list: repository.suites.list })
})

export interface SuitesShape {
  /**
   * Has scenarios made for an agent and stores them as a suite. What the wanted number costs is held before and
   * settled for what was made; nothing is charged for a failure.
   */
  readonly generate: (
    workspace_id: string,
    request: GenerateSuite,
    created_by_user_id: string
  ) => Effect.Effect<Suite, AgentNotFound | InsufficientCredits | TooManyRequests | ModelFailure>
  /** Stores a suite whose scenarios were made elsewhere. It costs nothing. */
  readonly create: (
    workspace_id: string,
    draft: CreateSuite,
    created_by_user_id: string
  ) => Effect.Effect<Suite, AgentNotFound | SuiteNameTaken>
  readonly get: (workspace_id: string, suite_id: string) => Effect.Effect<Suite, SuiteNotFound>
  readonly list: (
    workspace_id: string,
    filter: { readonly agent_id?: string | undefined },
    page: PageRequest
  ) => Effect.Effect<Page<Suite>>
  readonly update: (
    workspace_id: string,
    suite_id: string,
    change: UpdateSuite
  ) => Effect.Effect<Suite, SuiteNotFound | SuiteNameTaken>
  /** Its runs stay. */
  readonly remove: (workspace_id: string, suite_id: string) => Effect.Effect<void, SuiteNotFound>
}

/** Test suites: personas that put an agent to the test. */
export class Suites extends Context.Tag("outdial/Suites")<Suites, SuitesShape>() {
  static readonly layer = Layer.effect(this, make)
}
