import { Effect } from "effect"
import type { Call } from "../model/calls/Call.ts"
import * as Machine from "../model/calls/CallMachine.ts"
import { step } from "../model/calls/CallStep.ts"
import { Repository } from "../ports/Repository.ts"
import { type Claim, makeClaim } from "./Claim.ts"

/** Takes the calls of no campaign that are due, inside the claim's transaction. */
export const makeSingleCalls = Effect.gen(function* () {
  const { calls } = yield* Repository
  const { waiting } = yield* makeClaim

  /** What becomes of a call that is due. */
  const take = Effect.fnUntraced(function* (claim: Claim, call: Call) {
    const before = yield* waiting(call)
    const decision = yield* claim.judge(call)
    switch (decision._tag) {
      case "Dial":
        return [yield* claim.dial(before, call, decision)]
      case "Wait":
        yield* claim.save(before, step({ ...before, call: Machine.wait(call, decision.until, claim.now) }))
        return []
      case "Refuse":
        yield* claim.save(before, Machine.refuse(before, decision.sub_status, claim.now))
        return []
    }
  })

  /** Looks at up to `count` calls: what may be dialled, and whether there may be more. */
  return Effect.fnUntraced(function* (claim: Claim, count: number) {
    const due = yield* calls.dialable(claim.workspace.id, null, claim.now, count)
    yield* claim.lookUp(due.map(({ to_number }) => to_number))
    const requests = (yield* Effect.forEach(due, (call) => take(claim, call))).flat()
    yield* claim.finish
    return { requests, again: due.length > 0 }
  })
})
