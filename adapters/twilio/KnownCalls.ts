import { Context, Layer } from "effect"
import type { DialReference } from "../../core/ports/CallDialer.ts"

type Name = Pick<DialReference, "workspace_id" | "key">

/** How many calls are remembered at least; at most twice as many. */
const atLeast = 50_000

const nameOf = ({ key, workspace_id }: Name) => JSON.stringify([workspace_id, key])

/**
 * Which of Twilio's calls this process knows to be which dial, by the answers to dials, by callbacks, and by
 * what look-ups found. What was learnt longest ago is forgotten first.
 */
export class KnownCalls extends Context.Tag("outdial/twilio/KnownCalls")<
  KnownCalls,
  {
    /** Notes that the call is the dial's. False when it is known to be another's, which it stays. */
    readonly claim: (dial: Name, sid: string) => boolean
    readonly sidOf: (dial: Name) => string | null
    /** Whether the call is known to be another dial's. */
    readonly isOther: (dial: Name, sid: string) => boolean
  }
>() {
  static readonly layer = Layer.sync(this, () => {
    let young = { sids: new Map<string, string>(), names: new Map<string, string>() }
    let old: typeof young = { sids: new Map(), names: new Map() }

    const sidOf = (dial: Name) => {
      const name = nameOf(dial)
      return young.sids.get(name) ?? old.sids.get(name) ?? null
    }
    const isOther = (dial: Name, sid: string) => {
      const name = young.names.get(sid) ?? old.names.get(sid)
      return name !== undefined && name !== nameOf(dial)
    }
    return {
      sidOf,
      isOther,
      claim: (dial, sid) => {
        if (isOther(dial, sid)) return false
        young.sids.set(nameOf(dial), sid)
        young.names.set(sid, nameOf(dial))
        if (young.names.size >= atLeast) {
          old = young
          young = { sids: new Map(), names: new Map() }
        }
        return true
      }
    }
  })
}
