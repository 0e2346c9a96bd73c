import { Effect, Encoding, Option } from "effect"
import { Repository } from "../ports/Repository.ts"
import { Secrets } from "../ports/Secrets.ts"

/** What a workspace's tools are signed with, `whsec_…`: made when it is first needed, and the same from then on. */
export const makeToolSecret = Effect.gen(function* () {
  const { workspaces } = yield* Repository
  const secrets = yield* Secrets

  return Effect.fnUntraced(function* (workspace_id: string) {
    const known = yield* workspaces.toolSecret(workspace_id, null)
    if (Option.isSome(known)) return known.value
    const fresh = `whsec_${Encoding.encodeBase64(yield* secrets.random(24))}`
    return Option.getOrThrow(yield* workspaces.toolSecret(workspace_id, fresh))
  })
})
