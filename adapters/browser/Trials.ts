import { randomBytes } from "node:crypto"
import { Clock, Effect, Layer, Redacted } from "effect"
import { second } from "../../core/model/Codecs.ts"
import { TrialLinks } from "../../core/ports/TrialLinks.ts"
import { refused, type SocketHandler, type SocketTalk } from "../shared/LiveSockets.ts"
import * as SessionTokens from "../shared/SessionTokens.ts"

export interface Options {
  /** What addresses are sealed with; one of chance, which dies with the process, unless it is given. */
  readonly secret?: Redacted.Redacted | undefined
  /** Where the REST interface stands: `/v0`. */
  readonly basePath?: string | undefined
  /** Where clients reach this server, without a slash at the end: `https://voice.example.com`. */
  readonly publicOrigin?: string | undefined
  /** The same, when there is no public one and no request tells it. */
  readonly ownOrigin?: string | undefined
}

/** Below the base path. */
export const folder = "/conversations"

/** How long a client has to open the socket. */
const lifetime = 60 * second

/** Addresses `{origin}{basePath}/conversations/{token}`, each good for a minute. */
export const links = (options: Options = {}): Layer.Layer<TrialLinks> =>
  Layer.sync(TrialLinks, () => {
    const { basePath = "/v0", ownOrigin = "http://127.0.0.1:8080", publicOrigin } = options
    const secret = options.secret ?? Redacted.make(randomBytes(32).toString("hex"))
    return {
      make: (session, now, origin) => {
        const expires_at = now + lifetime
        const token = SessionTokens.seal(secret, "client", session, expires_at)
        const base = (publicOrigin ?? origin ?? ownOrigin).replace(/^http/, "ws")
        return { url: `${base}${basePath}${folder}/${token}`, expires_at }
      }
    }
  })

/** Whether a session was not taken yet; remembered for as long as its address is good. */
const makeOnce = () => {
  const used = new Map<string, number>()
  return (session_id: string, now: number): boolean => {
    for (const [each, until] of used) {
      if (until > now) break
      used.delete(each)
    }
    if (used.has(session_id)) return false
    used.set(session_id, now + lifetime)
    return true
  }
}

/**
 * Takes the sockets at these addresses, each of them once. The client speaks the frames of a relay: its `setup` says what it can do
 * (`capabilities`), `prompt` brings what was typed or understood, `text` what the agent says.
 */
export const sockets = (secret: Redacted.Redacted, talk: SocketTalk): SocketHandler => {
  const isFirst = makeOnce()
  return ({ url }) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const path = url.replace(/[?#].*$/s, "")
      const token = path.slice(path.lastIndexOf("/") + 1)
      const session = SessionTokens.open(secret, "client", token, now)
      return session === null || !isFirst(session.session_id, now)
        ? refused(403, "the address is not valid any more: ask for another")
        : {
            _tag: "Accepted",
            name: session.session_id,
            run: (socket) => talk(session, socket)
          }
    })
}
