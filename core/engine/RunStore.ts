import { Effect, Schema } from "effect"
import { type Run, RunSummary } from "../model/suites/Run.ts"
import { isOpen } from "../model/suites/RunMachine.ts"
import { Repository } from "../ports/Repository.ts"
import { bareSubject, makeOutbox } from "./Outbox.ts"

const encode = Schema.encodeSync(RunSummary)

/** How a test run is stored, with the event that tells of its end, inside the caller's transaction. */
export const makeRunStore = Effect.gen(function* () {
  const { runs } = yield* Repository
  const outbox = yield* makeOutbox

  return {
    save: (before: Run, after: Run, now: number) => {
      const stored = runs.update(after)
      if (!isOpen(before) || isOpen(after)) return stored
      const of = { ...bareSubject(after.customer_id, after.id), agent_id: after.agent_id }
      const news = { type: "test_run_completed" as const, of, data: () => JSON.stringify(encode(after)) }
      return Effect.zipRight(stored, outbox.tell(after.customer_id, [news], now))
    }
  }
})
