import { Effect, Option } from "effect"
import type { Call } from "../model/calls/Call.ts"
import * as Machine from "../model/calls/CallMachine.ts"
import { Repository } from "../ports/Repository.ts"
import { type Claim, makeClaim } from "./Claim.ts"

/** Takes the calls of no campaign that are due, inside the claim's transaction. */
export const makeSingleCalls = Effect.gen(function* () {
  const { calls } = yield* Repository
  const { save, waiting } = yield* makeClaim

  /** Stores what becomes of a call that is due. */
  const take = Effect.fnUntraced(function* (claim: Claim, call: Call) {
    const before = yield* waiting(call)
    const decision = yield* claim.judge(call)
    switch (decision._tag) {
      case "Dial":
        return Option.toArray(yield* claim.dial(before, call, decision))
      case "Wait": {
        const later = Machine.wait(call, decision.until, claim.now)
        yield* calls.update({ ...later, version: call.version + 1 })
        return []
      }
      case "Refuse":
        yield* save(before, Machine.refuse(before, decision.sub_status, claim.now), claim.now)
        return []
    }
  })

  /** Looks at up to `count` calls: what may be dialled, and whether there may be more. */
  return Effect.fnUntraced(function* (claim: Claim, count: number) {
    const due = yield* calls.dialable(claim.workspace.id, null, claim.now, count)
    yield* claim.lookUp(due.map(({ to_number }) => to_number))
    const requests = (yield* Effect.forEach(due, (call) => take(claim, call))).flat()
    return { requests, again: due.length > 0 }
  })
})
