import { Effect } from "effect"
import { minute } from "../model/Codecs.ts"
import type { ApiKey } from "../model/workspaces/Workspace.ts"
import { Repository } from "../ports/Repository.ts"

/** Keys whose last use is known here; forgotten when there are more. */
const mostKnown = 10_000

/** Notes that keys are used, each at most once a minute. The write runs beside the request that used the key. */
export const makeKeyUse = Effect.gen(function* () {
  const { apiKeys } = yield* Repository
  const scope = yield* Effect.scope
  const known = new Map<string, number>()

  return ({ customer_id, id, last_used_at }: ApiKey, now: number): Effect.Effect<unknown> => {
    const last = Math.max(known.get(id) ?? 0, last_used_at ?? 0)
    if (now - last < minute) return Effect.void
    if (known.size >= mostKnown) known.clear()
    known.set(id, now)
    return apiKeys.used(customer_id, id, now).pipe(
      Effect.catchAllCause((cause) => Effect.logWarning("the use of an API key could not be noted", cause)),
      Effect.forkIn(scope)
    )
  }
})
