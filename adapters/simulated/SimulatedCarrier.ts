import { Context, Data, Duration, Effect, FiberSet, Layer, Queue, type Scope, Stream } from "effect"
import * as CarrierCircuit from "../../core/engine/CarrierCircuit.ts"
import { CarrierReports, relay } from "../../core/engine/CarrierReports.ts"
import type { CircuitOptions } from "../../core/engine/Circuit.ts"
import { ConversationRunner } from "../../core/engine/ConversationRunner.ts"
import type { CallProgress } from "../../core/model/calls/CarrierProgress.ts"
import type { DialRequest } from "../../core/model/calls/DialRequest.ts"
import {
  CallDialer,
  type CarrierDriver,
  CarrierUnreachable,
  DialInDoubt,
  type DialReference,
  DialRefused,
  type Lookup,
  LookupFailed
} from "../../core/ports/CallDialer.ts"
import { makeForwardTime } from "../../core/ports/MonotonicTime.ts"
import { CarrierLedger, type Failure, type LookUp } from "./CarrierLedger.ts"
import { makeDueTimer } from "./DueTimer.ts"
import { type Dial, dialOf, type Entry, type HangUp } from "./LedgerEntry.ts"
import * as SimulatedCalls from "./SimulatedCalls.ts"
import { talk as talkOver } from "./TalkingCallees.ts"

export interface EngineOptions {
  /** What the durations of a call are divided by; Infinity: no delays. Default 1. */
  readonly speed?: number | undefined
  /** How long a call is kept once nothing more is to be told of it. Default 2 hours. */
  readonly keepFor?: Duration.DurationInput | undefined
  /** How many such calls, and how many entries of each list of the ledger, are kept at most. Default 200,000. */
  readonly keepAtMost?: number | undefined
  /** How long a request hangs while the carrier is failing by `time_out`. Default 15 s. */
  readonly timeOut?: Duration.DurationInput | undefined
  /** Has answered calls talked on: told of each, it completes when the talk is over. */
  readonly talk?: ((dial: Dial) => Effect.Effect<void>) | undefined
  /** Makes an entry durable before anything comes of it. */
  readonly journal?: ((entry: Entry) => Effect.Effect<void, JournalFailed>) | undefined
}

/** Whether the entry was kept is not known. */
export class JournalFailed extends Data.TaggedError("JournalFailed")<{ readonly cause: unknown }> {}

/** All that the simulated carrier needs to find a dial. */
export type DialName = Pick<DialReference, "workspace_id" | "key">

export interface Engine {
  readonly driver: CarrierDriver & {
    readonly lookup: (dial: DialName) => Effect.Effect<Lookup, LookupFailed | CarrierUnreachable>
    readonly hangUp: (dial: DialName) => Effect.Effect<void, LookupFailed | CarrierUnreachable>
  }
  /** What becomes of the calls, as it happens. */
  readonly progress: Stream.Stream<CallProgress>
  readonly ledger: Context.Tag.Service<CarrierLedger>
  /** Files an entry of an earlier life without telling again what was due by `toldBy` (epoch milliseconds). */
  readonly restore: (entry: Entry, toldBy: number) => void
}

/** Keeps the latest `atMost`, and up to a quarter more. */
const keep = <A>(list: Array<A>, value: A, atMost: number) => {
  list.push(value)
  if (list.length > 1.25 * atMost) list.splice(0, list.length - atMost)
}

/** A carrier in this process. What is due at once is told before the dial returns; one fiber tells the rest. */
export const engine = Effect.fnUntraced(function* (
  options: EngineOptions = {}
): Effect.fn.Return<Engine, never, Scope.Scope> {
  const { journal, keepAtMost = 200_000, speed = 1, talk, timeOut = "15 seconds" } = options
  const keepFor = Duration.toMillis(options.keepFor ?? "2 hours")
  const heard = yield* Queue.unbounded<CallProgress>()
  /** Begins the talk of a call that is answered. */
  let begin: ((key: string) => void) | null = null
  const calls = SimulatedCalls.make({
    speed,
    keepFor,
    keepAtMost,
    tell: (told) => {
      heard.unsafeOffer(told)
      if (told.progress._tag === "Answered") begin?.(told.key)
    }
  })

  const dials: Array<Dial> = []
  const hangUps: Array<HangUp> = []
  const lookups: Array<LookUp> = []
  const counts = { dials: 0, repeated: 0, hang_ups: 0, lookups: 0 }
  let failure: Failure | null = null
  /** Keys whose dial may or may not be in the journal. */
  const doubtful = new Set<string>()

  const time = yield* makeForwardTime
  const reschedule = yield* makeDueTimer(time, calls.advance, calls.next)

  const unreachable = () => new CarrierUnreachable({ message: "the simulated carrier is out of reach" })
  const cannotTell = () => new LookupFailed({ message: "the simulated carrier cannot tell" })
  const unanswered = () => new DialInDoubt({ message: "the simulated carrier did not answer in time" })

  /** Passes, unless the carrier is failing in a way that keeps requests from arriving. */
  const arrive = <E, F>(onUnreachable: () => E, onTimeOut: () => F) =>
    Effect.suspend((): Effect.Effect<void, E | F> => {
      if (failure === "unreachable") return Effect.failSync(onUnreachable)
      return failure === "time_out" ? Effect.delay(Effect.failSync(onTimeOut), timeOut) : Effect.void
    })

  const dial = Effect.fnUntraced(function* (request: DialRequest) {
    yield* arrive(unreachable, unanswered)
    const dial = dialOf(request, yield* time, talk !== undefined)
    if (journal !== undefined) {
      yield* Effect.catchAll(journal(dial), () => {
        doubtful.add(dial.key)
        return new DialInDoubt({ message: "the simulated carrier could not write its ledger" })
      })
    }
    counts.dials += 1
    keep(dials, dial, keepAtMost)
    const { repeated, script } = calls.receive(dial)
    if (repeated) counts.repeated += 1
    reschedule()
    if (failure === "lost_answers") return yield* new DialInDoubt({ message: "the answer was lost" })
    switch (script._tag) {
      case "Accepted":
        return SimulatedCalls.carrierCallId(dial.key)
      case "Refused":
        return yield* new DialRefused({
          outcome: script.outcome,
          sub_status: script.sub_status,
          code: script.code,
          message: script.message
        })
      case "InDoubt":
        yield* Effect.sleep(script.after_ms)
        return yield* unanswered()
    }
  })

  const lookup = Effect.fnUntraced(function* ({ key, workspace_id }: DialName) {
    yield* arrive(unreachable, unreachable)
    const at = yield* time
    counts.lookups += 1
    keep(lookups, { workspace_id, key, at }, keepAtMost)
    calls.advance(at)
    const known = doubtful.has(key) ? null : calls.lookup(workspace_id, key)
    return known === null ? yield* cannotTell() : known
  })

  const hangUp = Effect.fnUntraced(function* ({ key, workspace_id }: DialName) {
    yield* arrive(unreachable, unreachable)
    const entry: HangUp = { _tag: "HangUp", workspace_id, key, at: yield* time }
    if (journal !== undefined) yield* Effect.catchAll(journal(entry), () => cannotTell())
    counts.hang_ups += 1
    keep(hangUps, entry, keepAtMost)
    calls.hangUp(entry)
    reschedule()
  })

  const talks = yield* FiberSet.makeRuntime<never>()
  if (talk !== undefined) {
    begin = (key) => {
      const dial = calls.dialled(key)
      if (dial?.talks !== true) return
      talks(
        Effect.zipRight(
          talk(dial),
          Effect.map(time, (at) => {
            calls.hangUp({ workspace_id: dial.workspace_id, key, at, talked: true })
            reschedule()
          })
        )
      )
    }
  }

  return {
    driver: { dial, lookup, hangUp, ping: arrive(unreachable, unreachable) },
    progress: Stream.fromQueue(heard),
    ledger: {
      dials: Effect.sync(() => [...dials]),
      hangUps: Effect.sync(() => [...hangUps]),
      lookups: Effect.sync(() => [...lookups]),
      counts: Effect.sync(() => ({ ...counts })),
      fail: (mode) => Effect.sync(() => void (failure = mode)),
      recover: Effect.sync(() => void (failure = null))
    },
    restore: (entry, toldBy) => {
      calls.restore(entry, toldBy)
      reschedule()
    }
  }
})

export interface SimulatedCarrierOptions extends EngineOptions {
  readonly circuit?: CircuitOptions | undefined
}

/** The simulated carrier, and the ledger of what it received. */
export const layer = (
  options: SimulatedCarrierOptions = {}
): Layer.Layer<CallDialer | CarrierLedger, never, CarrierReports> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const { driver, ledger, progress } = yield* engine(options)
      const dialer = yield* CarrierCircuit.make(driver, { dialTimeout: Infinity, ...options.circuit })
      yield* relay(progress, (yield* CarrierReports).record)
      return Context.make(CallDialer, dialer).pipe(Context.add(CarrierLedger, ledger))
    })
  )

/** The simulated carrier with callees who talk: what is said in its calls is held by this platform. */
export const layerTalking = (
  options: SimulatedCarrierOptions & { readonly speed: number }
): Layer.Layer<CallDialer | CarrierLedger, never, CarrierReports | ConversationRunner> =>
  Layer.unwrapEffect(
    Effect.map(ConversationRunner, (runner) =>
      layer({ ...options, talk: (dial) => talkOver(runner, dial, options.speed) })
    )
  )
