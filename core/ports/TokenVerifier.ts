import { Context, Data, type Effect } from "effect"
import type { Principal } from "../model/workspaces/Principal.ts"

/** The token is malformed, expired, not yet valid, or signed with another key. */
export class TokenRejected extends Data.TaggedError("TokenRejected")<{ readonly reason: string }> {}

/** Verifies bearer tokens. */
export class TokenVerifier extends Context.Tag("outdial/TokenVerifier")<
  TokenVerifier,
  { readonly verify: (token: string) => Effect.Effect<Principal, TokenRejected> }
>() {}
