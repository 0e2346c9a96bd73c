import { script } from "../../adapters/simulated/Behaviour.ts"
import type { Dial } from "../../adapters/simulated/LedgerEntry.ts"
import { calleeOf } from "./Callees.ts"
import type { Asked, Evidence, Received } from "./Evidence.ts"

export type Promised =
  | "one call for each idempotency key"
  | "nothing dialled that was not asked for"
  | "no attempt dialled twice"
  | "no number dialled more often than its rules say"
  | "no dial outside its calling window"
  | "every accepted call and recipient dialled as often as its rules say"
  | "every end told, once, as it was"
  | "every event told, in order, without a gap"
  | "one attempt on record for each dial"
  | "in doubt only what the carrier cannot tell"
  | "credits balance to the unit"
  | "no number and no key in a log"

/** How a promise was kept. `found` has to be `expected`; each breach names an id, never a number. */
export interface Finding<Promise extends string = Promised> {
  readonly promise: Promise
  readonly expected: number
  readonly found: number
  readonly breaches: ReadonlyArray<string>
  /** More time may mend it: something is still to come. */
  readonly open: boolean
}

export const grouped = <A>(
  items: Iterable<A>,
  keyOf: (item: A) => string
): ReadonlyMap<string, ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/** Each event where it was acknowledged first. Later ones are repeats, which at least once allows. */
const firsts = (received: ReadonlyArray<Received>): ReadonlyArray<Received> => {
  const seen = new Set<string>()
  return received.filter(({ id, status }) => status < 300 && !seen.has(id) && seen.add(id))
}

/** The started minutes that the carrier's ledger says were talked. */
const minutesTalked = (dials: ReadonlyArray<Dial>, speed: number): number => {
  const earlier = new Map<string, number>()
  let minutes = 0
  for (const dial of dials) {
    const before = earlier.get(dial.call_id) ?? 0
    earlier.set(dial.call_id, before + 1)
    for (const { progress } of script(dial, before, speed).steps) {
      if (progress._tag === "Ended") minutes += Math.ceil(progress.duration_seconds / 60)
    }
  }
  return minutes
}

const sameTexts = (a: ReadonlyArray<string>, b: ReadonlyArray<string>) =>
  a.length === b.length && a.every((text, at) => text === b[at])

/** What the two ledgers, and what the clients were answered, say of each promise. */
export const judge = (evidence: Evidence): ReadonlyArray<Finding> => {
  const { asked, credits, price_per_minute, speed } = evidence
  const requests = evidence.carrier.filter((entry) => entry._tag === "Dial")
  const byKey = grouped(requests, ({ key }) => key)
  const dials = [...byKey.values()].map(([first]) => first!)
  const byNumber = grouped(dials, ({ to_number }) => to_number)
  const byCall = grouped(dials, ({ call_id }) => call_id)
  const told = grouped(firsts(evidence.received), ({ call_id }) => call_id)
  const wanted = new Map(asked.map((one) => [one.number, one]))

  const nameOf = (one: Asked) => one.call_id ?? byNumber.get(one.number)?.[0]?.call_id ?? "a recipient"
  const eventsOf = (one: Asked) => told.get(nameOf(one)) ?? []
  const endOf = (one: Asked) => eventsOf(one).filter(({ event_type }) => event_type === "call_completed")
  const dialsOf = (one: Asked) => (one.cancelled ? 0 : calleeOf(one.number).dials)
  const outcomeOf = (one: Asked) => (one.cancelled ? "cancelled" : calleeOf(one.number).outcome)
  const orderOf = (one: Asked) => (one.cancelled ? ["call_completed"] : calleeOf(one.number).events)

  const finding = (
    promise: Promised,
    expected: number,
    breaches: ReadonlyArray<string>,
    open = false
  ): Finding => ({ promise, expected, found: expected - breaches.length, breaches, open })
  /** A promise that is kept while nothing is found. */
  const none = (promise: Promised, breaches: ReadonlyArray<string>): Finding => ({
    promise,
    expected: 0,
    found: breaches.length,
    breaches,
    open: false
  })

  const strange = dials.filter(({ call_id, to_number }) => {
    const one = wanted.get(to_number)
    return one === undefined || nameOf(one) !== call_id
  })
  const tooOften = asked.filter((one) => (byNumber.get(one.number)?.length ?? 0) > dialsOf(one))
  const tooSeldom = asked.filter((one) => (byNumber.get(one.number)?.length ?? 0) < dialsOf(one))
  const early = dials.filter(({ at, to_number }) => at < (wanted.get(to_number)?.not_before ?? 0))
  const untold = asked.filter((one) => endOf(one).length === 0)
  const mistold = asked.filter((one) => {
    const ends = endOf(one)
    return ends.length > 1 || ends.some(({ outcome }) => outcome !== outcomeOf(one))
  })
  const typesOf = (one: Asked) => eventsOf(one).map(({ event_type }) => event_type)
  const gaps = asked.filter((one) => eventsOf(one).length < orderOf(one).length)
  const disordered = asked.filter((one) => {
    const types = typesOf(one)
    return !sameTexts(types, orderOf(one).slice(0, types.length))
  })
  const miscounted = asked.filter((one) =>
    endOf(one).some(({ attempt_count }) => attempt_count !== (byCall.get(nameOf(one))?.length ?? 0))
  )
  const doubts = asked.filter((one) => endOf(one).some(({ sub_status }) => sub_status === "in_doubt"))
  const undialled = firsts(evidence.received).filter(
    ({ call_id, sub_status }) => sub_status === "in_doubt" && !byCall.has(call_id)
  )
  const groundless = [
    ...doubts.filter((one) => outcomeOf(one) !== "unknown").map(nameOf),
    ...undialled.map(({ call_id }) => call_id)
  ]
  const unaccounted = asked.filter((one) => outcomeOf(one) === "unknown" && endOf(one).length === 0)
  const inDoubt = asked.filter((one) => outcomeOf(one) === "unknown").length

  const spent = (workspace_id: string) =>
    price_per_minute *
    minutesTalked(
      dials.filter((dial) => dial.workspace_id === workspace_id),
      speed
    )
  const asksLeft = credits.some(({ balance }) => balance === null)
  const left = credits.reduce((sum, { granted, workspace_id }) => sum + granted - spent(workspace_id), 0)
  const unequal = credits.filter(
    ({ balance, granted, workspace_id }) => balance !== null && balance !== granted - spent(workspace_id)
  )

  return [
    none("one call for each idempotency key", evidence.ambiguous),
    {
      ...none(
        "nothing dialled that was not asked for",
        strange.map(({ call_id }) => call_id)
      ),
      // The client that asked for it may still wait for the answer.
      open: strange.every(({ to_number }) => !wanted.has(to_number))
    },
    none(
      "no attempt dialled twice",
      [...byKey].flatMap(([key, times]) => (times.length > 1 ? [key] : []))
    ),
    none("no number dialled more often than its rules say", tooOften.map(nameOf)),
    none(
      "no dial outside its calling window",
      early.map(({ key }) => key)
    ),
    finding(
      "every accepted call and recipient dialled as often as its rules say",
      asked.length,
      tooSeldom.map(nameOf),
      true
    ),
    finding(
      "every end told, once, as it was",
      asked.length,
      [...untold, ...mistold].map(nameOf),
      mistold.length === 0
    ),
    finding(
      "every event told, in order, without a gap",
      asked.length,
      [...new Set([...disordered, ...gaps])].map(nameOf),
      disordered.length === 0
    ),
    none("one attempt on record for each dial", miscounted.map(nameOf)),
    {
      promise: "in doubt only what the carrier cannot tell",
      expected: inDoubt,
      found: doubts.length,
      breaches: [...new Set([...groundless, ...unaccounted.map(nameOf)])],
      open: groundless.length === 0
    },
    {
      promise: "credits balance to the unit",
      expected: left,
      found: asksLeft ? Number.NaN : credits.reduce((sum, { balance }) => sum + balance!, 0),
      breaches: asksLeft ? ["not asked yet"] : unequal.map(({ workspace_id }) => workspace_id),
      open: true
    },
    none(
      "no number and no key in a log",
      Array.from({ length: evidence.leaks }, () => "a line")
    )
  ]
}

export const breached = <Promise extends string>(
  findings: ReadonlyArray<Finding<Promise>>
): ReadonlyArray<Finding<Promise>> => findings.filter(({ breaches }) => breaches.length > 0)

/** What no more time can mend. */
export const beyondHope = (findings: ReadonlyArray<Finding>): ReadonlyArray<Finding> =>
  breached(findings).filter(({ open }) => !open)

const mark = ({ breaches }: Finding<string>) => (breaches.length === 0 ? "kept  " : "BROKEN")

/** The verdict as a table, the first breaches of each promise below it. */
export const table = (findings: ReadonlyArray<Finding<string>>): string => {
  const rows = findings.map((finding) => {
    const { breaches, expected, found, promise } = finding
    const row = `  ${mark(finding)}  ${promise.padEnd(70)} ${String(expected).padStart(9)} ${String(found).padStart(9)}`
    return breaches.length === 0 ? row : `${row}\n          ${breaches.slice(0, 5).join(" ")}`
  })
  return [`  ${"".padEnd(78)} ${"expected".padStart(9)} ${"found".padStart(9)}`, ...rows].join("\n")
}
