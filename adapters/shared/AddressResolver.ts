import { lookup } from "node:dns"
import { isIPv4 } from "node:net"
import { Effect, Either } from "effect"
import { monotonicMillis } from "../../core/ports/MonotonicTime.ts"
import { type AddressPolicy, checkAddress, checkUrl, hostOf, isAddress } from "./AddressPolicy.ts"
import { TryFailed } from "./TryFailed.ts"

/** All addresses of a host name. */
export type Resolver = (host: string) => Effect.Effect<ReadonlyArray<string>, TryFailed>

const dnsFailed = new TryFailed({ reason: "unreachable", error: "dns", remedy: "none" })

/** The system's resolver, hosts file included. */
export const systemResolver: Resolver = (host) =>
  Effect.async((resume) => {
    lookup(host, { all: true }, (error, found) =>
      resume(error ? Effect.fail(dnsFailed) : Effect.succeed(found.map((each) => each.address)))
    )
  })

export interface Target {
  readonly url: URL
  /** To be connected to as they stand, IPv4 first; at least one. */
  readonly addresses: ReadonlyArray<string>
}

const refused = (reason: string) =>
  new TryFailed({ reason: "refused", error: `address refused: ${reason}`, remedy: "none" })

const maxKept = 4_096

/**
 * Finds where a URL leads and refuses it unless every address of its host may be called. What was vetted is
 * kept for `ttl` milliseconds: since connections go to vetted addresses only, keeping them opens nothing.
 */
export const makeLocate = (policy: AddressPolicy, resolver: Resolver, ttl: number) => {
  const kept = new Map<string, { readonly target: Target; readonly until: number }>()

  return Effect.fnUntraced(function* (text: string) {
    const now = yield* monotonicMillis
    const known = kept.get(text)
    if (known !== undefined && known.until > now) return known.target
    const url = checkUrl(text, policy)
    if (Either.isLeft(url)) return yield* refused(url.left)
    const host = hostOf(url.right)
    const found = isAddress(host) ? [host] : yield* resolver(host)
    if (found.length === 0) return yield* dnsFailed
    const checked = Either.all(found.map((address) => checkAddress(address, policy)))
    if (Either.isLeft(checked)) return yield* refused(checked.left)
    const addresses = checked.right.toSorted((a, b) => Number(isIPv4(b)) - Number(isIPv4(a)))
    const target: Target = { url: url.right, addresses }
    if (kept.size >= maxKept) kept.clear()
    kept.set(text, { target, until: now + ttl })
    return target
  })
}
