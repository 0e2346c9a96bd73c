import { Clock, type Context, Data, type Duration, Effect, Option } from "effect"
import { type DialReference, LookupFailed } from "../../core/ports/CallDialer.ts"
import type { Answer } from "../shared/HttpExchange.ts"
import * as ProviderFailures from "../shared/ProviderFailures.ts"
import type { KnownCalls } from "./KnownCalls.ts"
import type { RestApi } from "./RestApi.ts"
import { type Call, decodeCall, decodeCallPage } from "./Wire.ts"

const second = 1_000
/** Twilio's times are whole seconds, and two of its clocks may differ by one. */
const slack = 2 * second
/** How many calls are looked through at most. */
const mostCalls = 5_000

/** What became of a search by numbers and time. */
export type Found = Data.TaggedEnum<{
  Call: { readonly call: Call }
  None: {}
}>
export const Found = Data.taggedEnum<Found>()

export const failures = ProviderFailures.make({ name: "the carrier", takes: "calls" })

const unreadable = () => new LookupFailed({ message: "the carrier's answer is not what is expected" })
const ambiguous = () => new LookupFailed({ message: "the carrier has calls that cannot be told apart" })

/** How many digits at the end of two numbers make them alike, however the carrier spells the rest. */
const tail = 7
const alike = (a: string | null, b: string) => a === null || a.slice(-tail) === b.slice(-tail)

/**
 * Finds the account's calls. Twilio files nothing under our keys: a dial whose call id is not known is looked for
 * by its numbers and its time. Times are compared by the carrier's own clock, which its answers tell.
 */
export const make = (
  api: RestApi,
  known: Context.Tag.Service<KnownCalls>,
  timeout: Duration.DurationInput
) => {
  const get = Effect.fnUntraced(function* (url: URL) {
    return yield* Effect.mapError(api.get(url, timeout), failures.unheard)
  })

  /** None when the account has no such call. */
  const bySid = Effect.fnUntraced(function* (sid: string) {
    const answer = yield* get(api.at(`/Calls/${encodeURIComponent(sid)}.json`))
    if (answer.status === 404) return Option.none<Call>()
    if (answer.status !== 200) return yield* failures.untold(answer.status)
    const call = decodeCall(answer.text)
    return Option.isSome(call) ? call : yield* unreadable()
  })

  /** Calls made through the interface since the dial that are not known to be another's. */
  const since = Effect.fnUntraced(function* (
    dial: DialReference,
    query: Readonly<Record<string, string>>,
    pageSize: number
  ) {
    const found: Array<Call> = []
    let url: URL | null = api.at("/Calls.json", { ...query, PageSize: String(pageSize) })
    for (let pages = 0; url !== null && pages * pageSize < mostCalls; pages++) {
      const answer: Answer = yield* get(url)
      if (answer.status !== 200) return yield* failures.untold(answer.status)
      const page = decodeCallPage(answer.text)
      if (Option.isNone(page)) return yield* unreadable()
      const { calls, next_page_uri } = page.value
      const now = yield* Clock.currentTimeMillis
      const stated = Date.parse(answer.headers["date"] ?? "")
      const from = (Number.isNaN(stated) ? now : stated) - (now - dial.since) - slack
      const recent = calls.filter(({ date_created, start_time }) => {
        const at = Date.parse(date_created ?? start_time ?? "")
        return Number.isNaN(at) || at >= from
      })
      found.push(
        ...recent.filter(
          ({ direction, sid }) =>
            (direction === null || direction.startsWith("outbound-api")) && !known.isOther(dial, sid)
        )
      )
      if (next_page_uri === null || (calls.length > 0 && recent.length === 0)) return found
      url = api.next(next_page_uri)
    }
    return yield* new LookupFailed({ message: "the carrier's pages of calls do not come to an end" })
  })

  /**
   * The one call between the dial's numbers since it was first sent. None is told only if there is not even one
   * to a number that is written in another way.
   */
  const byNumbers = Effect.fnUntraced(function* (dial: DialReference) {
    const { from_number, to_number } = dial
    const between = yield* since(dial, { To: to_number, From: from_number }, 1_000)
    if (between.length > 1) return yield* ambiguous()
    const [call] = between
    if (call !== undefined) {
      return known.claim(dial, call.sid) ? Found.Call({ call }) : yield* ambiguous()
    }
    const fromHere = yield* since(dial, { From: from_number }, 200)
    if (fromHere.some(({ to }) => alike(to, to_number))) return yield* ambiguous()
    return Found.None()
  })

  /** The dial's call, wherever its id is known from. */
  return Effect.fnUntraced(function* (dial: DialReference) {
    const sid = dial.carrier_call_id ?? known.sidOf(dial)
    if (sid === null) return yield* byNumbers(dial)
    const call = yield* bySid(sid)
    if (Option.isSome(call)) return Found.Call({ call: call.value })
    return yield* new LookupFailed({ message: "the carrier has forgotten the call" })
  })
}
