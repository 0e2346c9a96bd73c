import { Schema } from "effect"
import { day, Timestamp } from "../Codecs.ts"

/** What requests are signed with: `whsec_…`, and for a day after a rotation the secret before it too. */
export interface SigningSecret {
  readonly secret: string
  /** Signs beside `secret` until `previous_secret_until`. */
  readonly previous_secret: string | null
  readonly previous_secret_until: number | null
}

/** The secrets that sign at a time, the newest first. */
export const secretsAt = (
  { previous_secret, previous_secret_until, secret }: SigningSecret,
  now: number
): ReadonlyArray<string> =>
  previous_secret !== null && (previous_secret_until ?? 0) > now ? [secret, previous_secret] : [secret]

export const rotated = (before: SigningSecret, secret: string, now: number): SigningSecret => ({
  secret,
  previous_secret: before.secret,
  previous_secret_until: now + day
})

/** What requests to the agents' own tools are signed with, as it is shown. */
export const ToolSecret = Schema.Struct({
  secret: Schema.String.annotations({ description: "`whsec_…`, as Standard Webhooks have it" }),
  previous_secret_until: Schema.NullOr(Timestamp).annotations({
    description: "Until when the secret before signs beside it; null unless it was rotated"
  })
}).annotations({ identifier: "ToolSecret" })
