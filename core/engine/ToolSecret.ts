import { Clock, Effect, Encoding, Option } from "effect"
import { rotated, type SigningSecret } from "../model/webhooks/SigningSecret.ts"
import { Repository } from "../ports/Repository.ts"
import { Secrets } from "../ports/Secrets.ts"
import { makeNoting } from "./Noting.ts"

/** What a workspace's tools are signed with: made when it is first needed, and the same until it is rotated. */
export const makeToolSecret = Effect.gen(function* () {
  const { workspaces } = yield* Repository
  const secrets = yield* Secrets
  const { noted } = yield* makeNoting

  const newSecret = Effect.map(secrets.random(24), (bytes) => `whsec_${Encoding.encodeBase64(bytes)}`)

  /** Stores what follows from the secret as it is then; of racers each goes on from what the one before has stored. */
  const change = (workspace_id: string, f: (known: SigningSecret | null) => SigningSecret) =>
    noted(
      workspace_id,
      Effect.gen(function* () {
        const changed = f(Option.getOrNull(yield* workspaces.toolSecret(workspace_id)))
        yield* workspaces.keepToolSecret(workspace_id, changed)
        return changed
      })
    )

  const get = Effect.fnUntraced(function* (workspace_id: string) {
    const known = yield* workspaces.toolSecret(workspace_id)
    if (Option.isSome(known)) return known.value
    const first = { secret: yield* newSecret, previous_secret: null, previous_secret_until: null }
    return yield* change(workspace_id, (known) => known ?? first)
  })

  const rotate = Effect.fnUntraced(function* (workspace_id: string) {
    const before = yield* get(workspace_id)
    const secret = yield* newSecret
    const now = yield* Clock.currentTimeMillis
    return yield* change(workspace_id, (known) => rotated(known ?? before, secret, now))
  })

  return { get, rotate }
})
