import type { Patch } from "../programs/Programs.ts"
import * as Naps from "./Naps.ts"
import type { Scenario } from "./Scenario.ts"
import { calm, type Plan } from "./Script.ts"
import type { Promised } from "./Verdict.ts"

/** A mistake that is planted in the sources, and the promises of which it must break at least one. */
export interface Fault {
  readonly name: string
  readonly patches: ReadonlyArray<Patch>
  readonly breaks: ReadonlyArray<Promised>
  /** The least that shows it, beyond a small load on SQLite. */
  readonly needs: Partial<
    Pick<Scenario, "store" | "processes" | "recipients" | "calls" | "refused" | "naps">
  > & {
    readonly plan?: Partial<Plan>
  }
}

export const faults: ReadonlyArray<Fault> = [
  {
    name: "the idempotency key is not stored",
    patches: [
      {
        file: "core/model/calls/CallMachine.ts",
        find: "idempotency_key: request.idempotency_key,",
        put: "idempotency_key: null,"
      }
    ],
    breaks: ["one call for each idempotency key", "nothing dialled that was not asked for"],
    needs: {}
  },
  {
    name: "what is intended and answered is committed later",
    patches: [
      {
        file: "adapters/sql/sqlite/GroupCommit.ts",
        find: 'control("begin immediate")',
        put: 'if (!late) { control("begin immediate"); late = true; setTimeout(() => { late = false; control("commit") }, 400) }'
      },
      {
        file: "adapters/sql/sqlite/GroupCommit.ts",
        find: "const alone = group.length === 1",
        put: "const alone = false"
      },
      {
        file: "adapters/sql/sqlite/GroupCommit.ts",
        find: 'if (!alone || Exit.isSuccess(exits[0]!)) control("commit")',
        put: ""
      },
      {
        file: "adapters/sql/sqlite/GroupCommit.ts",
        find: "let scheduled = false",
        put: "let scheduled = false\n  let late = false"
      }
    ],
    breaks: [
      "no number dialled more often than its rules say",
      "every accepted call and recipient dialled as often as its rules say"
    ],
    needs: { recipients: 300, plan: { kills: 6 } }
  },
  {
    name: "the calling window is ignored",
    patches: [
      {
        file: "core/model/calls/DialDecision.ts",
        find: 'if (until > now) return { _tag: "Wait", until }',
        put: 'if (until > now && now < 0) return { _tag: "Wait", until }'
      }
    ],
    breaks: ["no dial outside its calling window"],
    needs: {}
  },
  {
    name: "the next event of a call does not wait for the one before",
    patches: [
      {
        file: "adapters/sql/Deliveries.ts",
        find: '"then null else cast(? as bigint) end)"',
        put: '"and 1 = 0 then null else cast(? as bigint) end)"'
      }
    ],
    breaks: ["every event told, in order, without a gap"],
    needs: { refused: 30 }
  },
  {
    name: "what was held is given back twice",
    patches: [
      {
        file: "core/model/workspaces/Ledger.ts",
        find: 'held === 0 ? [] : [{ kind: "release", amount: held }]',
        put: 'held === 0 ? [] : [{ kind: "release", amount: held }, { kind: "release", amount: held }]'
      }
    ],
    breaks: ["credits balance to the unit"],
    needs: {}
  },
  {
    name: "what is in doubt is dialled again",
    patches: [
      {
        file: "core/engine/Watching.ts",
        find: "? Machine.giveUp(state, now)\n        : Machine.lookAgain(state, Math.max(",
        put: "? Machine.neverReceived(state, now, now)\n        : Machine.lookAgain(state, Math.max("
      }
    ],
    breaks: ["no attempt dialled twice"],
    needs: {}
  },
  {
    name: "a webhook counts as acknowledged before it is delivered",
    patches: [
      {
        file: "core/engine/WebhookLanes.ts",
        find: "const result = yield* sink.deliver({",
        put: 'const result: DeliveryResult = { _tag: "Acknowledged", status: 204 }\n    yield* Effect.forkDaemon(sink.deliver({'
      },
      {
        file: "core/engine/WebhookLanes.ts",
        find: "body: claimed.body\n    })",
        put: "body: claimed.body\n    }))"
      }
    ],
    breaks: ["every event told, in order, without a gap", "every end told, once, as it was"],
    needs: { refused: 30 }
  },
  {
    name: "one retry too many",
    patches: [
      {
        file: "core/model/calls/RetryPolicy.ts",
        find: "if (attempts_made > (config.retry_count ?? 0)) return null",
        put: "if (attempts_made > (config.retry_count ?? 0) + 1) return null"
      }
    ],
    breaks: ["no number dialled more often than its rules say"],
    needs: {}
  },
  {
    name: "events are stored after the transaction that they tell of",
    patches: [
      {
        file: "core/engine/CallStore.ts",
        find: "yield* outbox.tell(news[0]!.of.customer_id, news, batch.now)",
        put: "setTimeout(() => Effect.runFork(repository.transaction(news[0]!.of.customer_id, outbox.tell(news[0]!.of.customer_id, news, batch.now))), 300)"
      }
    ],
    breaks: ["every event told, in order, without a gap", "every end told, once, as it was"],
    needs: { recipients: 300, plan: { kills: 6 } }
  },
  {
    name: "a dial that never arrived is made again under another key",
    patches: [
      {
        file: "core/model/calls/CallMachine.ts",
        find: 'call.redial && attempt !== null\n      ? { ...attempt, status: "in_progress"',
        put: 'call.attempt_count < 0 && attempt !== null\n      ? { ...attempt, status: "in_progress"'
      }
    ],
    breaks: ["one attempt on record for each dial"],
    needs: { recipients: 300, plan: { outages: 3 } }
  },
  {
    name: "a dial without an answer counts as one that never arrived",
    patches: [
      {
        file: "core/engine/Sending.ts",
        find: "return keep(lookAt(request))",
        put: "return putBack({ ...request, intended_at })"
      }
    ],
    breaks: ["no attempt dialled twice"],
    needs: {}
  },
  {
    name: "no fence: a process that was frozen dials what another has taken over",
    patches: [
      {
        file: "core/engine/Sending.ts",
        find: "if (now - intended_at < freshFor) return send",
        put: "if (now - intended_at < Infinity) return send"
      }
    ],
    breaks: ["no attempt dialled twice"],
    // The other waits twenty seconds before it takes a dial that the carrier does not know for one that never was.
    needs: { store: "postgres", processes: 3, naps: { times: 2, millis: 27_000 } }
  },
  {
    name: "no settle time: a dial on its way counts as one that never arrives",
    patches: [
      {
        file: "core/engine/Watching.ts",
        find: "Machine.ringTimeout : Machine.settleTime)",
        put: "Machine.ringTimeout : 0)"
      }
    ],
    breaks: ["no attempt dialled twice"],
    // Longer than a lease, and not so long that it would ask before it dials.
    needs: { store: "postgres", processes: 3, naps: { times: 3, millis: 9_300 } }
  }
]

/** What chance does not do often enough is part of the programs that show a fault. */
export const patchesOf = ({ needs, patches }: Fault): ReadonlyArray<Patch> => [
  ...(needs.naps ? Naps.patches : []),
  ...patches
]

/** The scenario that shows a fault. */
export const scenarioOf = (fault: Fault, seed: number, say: (line: string) => void): Scenario => ({
  ...runOf(fault, seed, say),
  patches: patchesOf(fault)
})

/** The same without the fault, where it is not the system as it is: it has to keep every promise. */
export const controlOf = (fault: Fault, seed: number, say: (line: string) => void): Scenario | undefined =>
  fault.needs.naps ? { ...runOf(fault, seed, say), patches: Naps.patches } : undefined

const runOf = ({ needs }: Fault, seed: number, say: (line: string) => void): Omit<Scenario, "patches"> => ({
  seed,
  store: needs.store ?? "sqlite",
  processes: needs.processes ?? 1,
  recipients: needs.recipients ?? 60,
  calls: needs.calls ?? 60,
  plan: { ...calm, at_most: 30_000, ...needs.plan },
  naps: needs.naps ?? null,
  silence: false,
  calls_per_second: 100,
  refused: needs.refused ?? 0,
  // What a process had in hand when it was killed is tried again after a minute.
  patience: needs.plan?.kills === undefined ? 30_000 : 80_000,
  say
})
