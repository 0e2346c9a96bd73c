import { createHmac, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"

/** A session of a workspace: who a socket talks for. */
export interface SessionName {
  readonly workspace_id: string
  readonly session_id: string
}

/** Where a token is good: with a carrier that signs its request besides, or with any client that has it. */
export type Audience = "carrier" | "client"

const hmac = (key: Redacted.Redacted, audience: Audience, content: string): Buffer =>
  createHmac("sha256", Redacted.value(key))
    .update(JSON.stringify(["session", audience, content]))
    .digest()

/**
 * The permission to talk for one session, in characters that a path may have: the session, the time when the permission
 * ends (epoch milliseconds; null: never by itself), and their HMAC-SHA256.
 */
export const seal = (
  key: Redacted.Redacted,
  audience: Audience,
  { session_id, workspace_id }: SessionName,
  expires_at: number | null
): string => {
  const content = Buffer.from(JSON.stringify([workspace_id, session_id, expires_at])).toString("base64url")
  return `${content}.${hmac(key, audience, content).toString("base64url")}`
}

/** The session that a token is for; null for a token that was not made here, or whose time is over. */
export const open = (
  key: Redacted.Redacted,
  audience: Audience,
  token: string,
  now: number
): SessionName | null => {
  const [content = "", signature = "", ...more] = token.split(".")
  const found = Buffer.from(signature, "base64url")
  const wanted = hmac(key, audience, content)
  if (more.length > 0 || found.length !== wanted.length || !timingSafeEqual(found, wanted)) return null
  const [workspace_id, session_id, expires_at] = JSON.parse(
    Buffer.from(content, "base64url").toString("utf8")
  ) as [string, string, number | null]
  return expires_at === null || now < expires_at ? { workspace_id, session_id } : null
}
