import { Schema } from "effect"
import { Timestamp } from "../Codecs.ts"

/** Who changed what. It holds ids, and nothing of what was sent. */
export const AuditEntry = Schema.Struct({
  id: Schema.String,
  customer_id: Schema.String,
  actor_kind: Schema.Literal("api_key", "bearer"),
  actor: Schema.String.annotations({ description: "The API key's id, or the subject that the token names" }),
  operation: Schema.String.annotations({ description: "The operation's id, such as `updateCampaign`" }),
  object_id: Schema.NullOr(Schema.String).annotations({
    description: "What was made or changed; null where an operation changes no record of its own"
  }),
  created_at: Timestamp
}).annotations({ identifier: "AuditEntry" })
export type AuditEntry = typeof AuditEntry.Type
