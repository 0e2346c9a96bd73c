import { Schema } from "effect"

export const Scope = Schema.Literal(
  "sessions:read",
  "sessions:write",
  "campaigns:read",
  "campaigns:write",
  "recipients:export",
  "phone_numbers:read",
  "phone_numbers:write",
  "templates:write",
  "agents:read",
  "agents:write",
  "webhooks:read",
  "webhooks:write",
  "workspace:read",
  "workspace:write",
  "keys:write",
  "people:write"
)
export type Scope = typeof Scope.Type
export const allScopes: ReadonlyArray<Scope> = Scope.literals

/** The caller of a request: its workspace, the kind of its credential, and its scopes. */
export interface Principal {
  readonly workspace_id: string
  readonly kind: "api_key" | "bearer"
  /** The key's id, or the subject that a token names; empty when it names none. */
  readonly subject: string
  readonly scopes: ReadonlySet<Scope>
}
