import type { CallProgress, Progress } from "../../core/model/calls/CarrierProgress.ts"
import type { Lookup } from "../../core/ports/CallDialer.ts"
import { busyOnce, hungUp, type Script, script, type Step } from "./Behaviour.ts"
import * as DueQueue from "./DueQueue.ts"
import type { Dial, Entry, HangUp } from "./LedgerEntry.ts"

export interface SimulatedCallsOptions {
  /** What the durations of a call are divided by. */
  readonly speed: number
  /** How long a call is kept once nothing more is to be told of it, in milliseconds. */
  readonly keepFor: number
  /** How many such calls are kept at most. */
  readonly keepAtMost: number
  readonly tell: (progress: CallProgress) => void
}

/** A call under its key. `steps` is dropped once all of it is told: the dial says it again. */
interface Filed {
  readonly dial: Dial
  readonly earlier: number
  hungUp: Pick<HangUp, "at" | "talked"> | null
  steps: ReadonlyArray<Step> | null
  told: number
}

/** The calls that a carrier knows. Everything happens at once; nothing waits. Times are epoch milliseconds. */
export interface SimulatedCalls {
  /** Files the dial and tells what is due of it. A key that is known already keeps its first call. */
  readonly receive: (dial: Dial) => { readonly script: Script; readonly repeated: boolean }
  /** Ends the call if it is under way; else nothing happens. */
  readonly hangUp: (hangUp: Omit<HangUp, "_tag">) => void
  /** The dial that is filed under a key. */
  readonly dialled: (key: string) => Dial | undefined
  /** Null: the carrier cannot tell. */
  readonly lookup: (workspace_id: string, key: string) => Lookup | null
  /** Tells what is due. */
  readonly advance: (now: number) => void
  /** When something is due next; Infinity when nothing is. */
  readonly next: () => number
  /** Files what happened in an earlier life without telling again what was due by `toldBy`. */
  readonly restore: (entry: Entry, toldBy: number) => void
}

export const carrierCallId = (key: string): string => `sim_${key}`

/** At least so many forgotten keys, and at most twice as many, are remembered as having been known. */
const forgottenAtLeast = 500_000

/** A number of 52 bits for a key. */
const fingerprint = (key: string): number => {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return (b >>> 12) * 2 ** 32 + (a >>> 0)
}

export const make = ({ keepAtMost, keepFor, speed, tell }: SimulatedCallsOptions): SimulatedCalls => {
  const calls = new Map<string, Filed>()
  const due = DueQueue.make<Filed>()
  /** Calls of which all is told and when that was, oldest first, from `first` on. */
  const over: Array<{ readonly filed: Filed; readonly since: number }> = []
  let first = 0
  let forgotten = new Set<number>()
  let olderForgotten = new Set<number>()
  const dialsOfCall = new Map<string, number>()

  const courseOf = ({ dial, earlier, hungUp: end }: Filed): ReadonlyArray<Step> => {
    const { steps } = script(dial, earlier, speed)
    return end === null ? steps : hungUp(dial, steps, end.at, speed, end.talked)
  }

  const wasKnown = (key: string): boolean => {
    const print = fingerprint(key)
    return forgotten.has(print) || olderForgotten.has(print)
  }

  const forget = (filed: Filed) => {
    calls.delete(filed.dial.key)
    forgotten.add(fingerprint(filed.dial.key))
    if (forgotten.size > forgottenAtLeast) {
      olderForgotten = forgotten
      forgotten = new Set()
    }
    const dials = dialsOfCall.get(filed.dial.call_id)
    if (dials === undefined || !busyOnce(filed.dial)) return
    if (dials === 1) dialsOfCall.delete(filed.dial.call_id)
    else dialsOfCall.set(filed.dial.call_id, dials - 1)
  }

  const finish = (filed: Filed, now: number) => {
    filed.steps = null
    over.push({ filed, since: now })
    while (over.length - first > keepAtMost || over[first]!.since < now - keepFor)
      forget(over[first++]!.filed)
    if (first > 1_000 && first > over.length / 2) {
      over.splice(0, first)
      first = 0
    }
  }

  const proceed = (filed: Filed, now: number) => {
    const { dial, steps } = filed
    if (steps === null) return
    while (filed.told < steps.length && steps[filed.told]!.progress.at <= now) {
      const { progress } = steps[filed.told++]!
      tell({ workspace_id: dial.workspace_id, key: dial.key, progress })
    }
    if (filed.told === steps.length) finish(filed, now)
    else due.add(steps[filed.told]!.progress.at, filed)
  }

  /** `silentBy`: what was due by then counts as told. */
  const file = (dial: Dial, silentBy: number) => {
    const known = calls.get(dial.key)
    if (known !== undefined) return { script: script(known.dial, known.earlier, speed), repeated: true }
    let earlier = 0
    if (busyOnce(dial)) {
      earlier = dialsOfCall.get(dial.call_id) ?? 0
      dialsOfCall.set(dial.call_id, earlier + 1)
    }
    const course = script(dial, earlier, speed)
    const told =
      course._tag === "Refused"
        ? course.steps.length
        : course.steps.filter(({ progress }) => progress.at <= silentBy).length
    const filed: Filed = { dial, earlier, hungUp: null, steps: course.steps, told }
    calls.set(dial.key, filed)
    proceed(filed, Math.max(dial.at, silentBy))
    return { script: course, repeated: wasKnown(dial.key) }
  }

  const hangUp = ({ at, key, talked, workspace_id }: Omit<HangUp, "_tag">, silentBy: number) => {
    const filed = calls.get(key)
    if (filed === undefined || filed.dial.workspace_id !== workspace_id || filed.hungUp !== null) return
    proceed(filed, at)
    const planned = courseOf(filed)
    const cut = hungUp(filed.dial, planned, at, speed, talked)
    if (cut === planned) return
    filed.hungUp = { at, talked }
    if (filed.steps === null) {
      filed.told = cut.length
      return
    }
    const toldBy = (moment: number, steps: ReadonlyArray<Step>) =>
      steps.filter(({ progress }) => progress.at <= moment).length
    filed.steps = cut
    // A silence that reaches beyond the hang-up has counted steps that it took away.
    filed.told = Math.max(Math.min(filed.told, toldBy(at, planned)), toldBy(silentBy, cut))
    proceed(filed, at)
  }

  return {
    receive: (dial) => file(dial, -Infinity),
    hangUp: (end) => hangUp(end, -Infinity),
    dialled: (key) => calls.get(key)?.dial,
    lookup: (workspace_id, key) => {
      const filed = calls.get(key)
      if (filed === undefined) return wasKnown(key) ? null : { _tag: "NeverReceived" }
      if (filed.dial.workspace_id !== workspace_id) return { _tag: "NeverReceived" }
      if (script(filed.dial, filed.earlier, speed)._tag === "InDoubt") return null
      const progress: ReadonlyArray<Progress> = courseOf(filed)
        .slice(0, filed.told)
        .map(({ progress }) => progress)
      return { _tag: "Known", carrier_call_id: carrierCallId(key), progress }
    },
    advance: (now) => {
      for (let filed = due.take(now); filed !== undefined; filed = due.take(now)) proceed(filed, now)
    },
    next: due.next,
    restore: (entry, toldBy) => {
      if (entry._tag === "Dial") file(entry, toldBy)
      else hangUp(entry, toldBy)
    }
  }
}
