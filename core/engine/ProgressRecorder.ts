import { Array as Arr, Clock, Effect, Option } from "effect"
import type { Attempt } from "../model/calls/Attempt.ts"
import * as Machine from "../model/calls/CallMachine.ts"
import { joined, step, type Step } from "../model/calls/CallStep.ts"
import type { CallProgress, Ended, Progress } from "../model/calls/CarrierProgress.ts"
import { second } from "../model/Codecs.ts"
import { endedBy } from "../model/conversations/Session.ts"
import { Repository } from "../ports/Repository.ts"
import { makeCallStore } from "./CallStore.ts"
import { makeSessionReading } from "./SessionReading.ts"
import type { StepBatch } from "./StepBatch.ts"

/** How long the process that holds a conversation has to store its end when the call is over. */
const endWithin = 15 * second

/** How many attempts one transaction brings up to date. */
const atOnce = 128

/** From how many attempts on they are read together: a text for many costs more than that for one. */
const several = 8

/** What was told of each attempt, in the order in which it came. */
type Told = ReadonlyArray<readonly [key: string, progress: ReadonlyArray<Progress>]>

/** Brings what a carrier tells into the store: one transaction for all that is told of one attempt. */
export const makeProgressRecorder = Effect.gen(function* () {
  const repository = yield* Repository
  const store = yield* makeCallStore
  const { standing } = yield* makeSessionReading

  /** The end of a call whose conversation was held here, as the conversation has it. */
  const heldEnd = Effect.fnUntraced(function* (
    { customer_id, session_id }: Attempt,
    told: Ended,
    now: number
  ) {
    const session = Option.getOrNull(yield* repository.sessions.get(customer_id, session_id))
    if (session === null) return told
    if (session.reason !== null) return endedBy(told, { ...session, reason: session.reason })
    // The process that holds it has not stored its end yet, or has died.
    yield* repository.sessions.lookAt(customer_id, session_id, now + endWithin)
    const { closing } = (yield* standing(session)).state
    return closing === null ? told : endedBy(told, { reason: closing.reason, error_code: null })
  })

  /** Answers whether anything changed. */
  const attempt = Effect.fnUntraced(function* (
    batch: StepBatch,
    workspace_id: string,
    key: string,
    progress: ReadonlyArray<Progress>
  ) {
    const { now } = batch
    const told =
      batch.attempts.get(key) ?? Option.getOrNull(yield* repository.attempts.get(workspace_id, key))
    if (told === null) return false
    const call =
      batch.calls.get(told.call_id) ??
      Option.getOrNull(yield* repository.calls.get(workspace_id, told.call_id))
    if (call === null) return false
    const before = { call, attempt: told }
    const current = call.attempt_id === key
    let after: Step = step(before)
    for (const each of progress) {
      if (!current && each._tag !== "RecordingReady") continue
      const met = each._tag === "Ended" && each.held === true ? yield* heldEnd(told, each, now) : each
      const balance = Machine.exceedsHold(after.call, met) ? yield* store.balance(batch, workspace_id) : 0
      const next = Machine.record(after, key, met, balance, now)
      if (next !== null) after = joined(after, next)
    }
    const changed =
      after.call !== before.call || after.attempt !== before.attempt || after.recordings.length > 0
    if (changed) yield* store.saveIn(batch, before, after)
    return changed
  })

  const readAll = Effect.fnUntraced(function* (batch: StepBatch, workspace_id: string, told: Told) {
    const attempts = yield* repository.attempts.many(
      workspace_id,
      told.map(([key]) => key)
    )
    for (const each of attempts) batch.attempts.set(each.id, each)
    const call_ids = new Set(attempts.map(({ call_id }) => call_id))
    const calls = yield* repository.calls.many(workspace_id, [...call_ids])
    for (const call of calls) batch.calls.set(call.call_id, call)
    yield* store.readRecipients(batch, workspace_id, calls)
  })

  /** Brings attempts up to date, inside a transaction; see `attempt`. */
  const recordIn = Effect.fnUntraced(function* (workspace_id: string, told: Told) {
    const now = yield* Clock.currentTimeMillis
    const batch = yield* store.batchAt(now)
    if (told.length >= several) yield* readAll(batch, workspace_id, told)
    const did: Array<boolean> = []
    for (const [key, progress] of told) did.push(yield* attempt(batch, workspace_id, key, progress))
    yield* store.finish(batch)
    return did
  })

  /** Answers whether anything changed. */
  const recordOne = (workspace_id: string, key: string, progress: ReadonlyArray<Progress>) =>
    repository.transaction(workspace_id, recordIn(workspace_id, [[key, progress]])).pipe(
      Effect.eventually,
      Effect.map(([did]) => did!)
    )

  /** What is told at one time is stored at one time; where that fails, each attempt by itself. */
  const recordAll = (workspace_id: string, told: Told) => {
    const oneByOne = () => Effect.forEach(told, (each) => recordOne(workspace_id, ...each))
    return repository
      .transaction(workspace_id, recordIn(workspace_id, told))
      .pipe(Effect.catchAll(oneByOne), Effect.catchAllDefect(oneByOne))
  }

  /** Answers whether anything changed in the workspace. */
  const recordMany = (workspace_id: string, told: Told) =>
    Effect.map(
      Effect.forEach(Arr.chunksOf(told, atOnce), (chunk) => recordAll(workspace_id, chunk)),
      (did) => did.flat().includes(true)
    )

  /**
   * Answers the workspaces in which something changed. They are brought up to date side by side; a single one needs
   * no fibers of its own for that, which were a fifth of what a callback cost.
   */
  const record = Effect.fnUntraced(function* (batch: Iterable<CallProgress>) {
    const told = new Map<string, Map<string, Array<Progress>>>()
    for (const { key, progress, workspace_id } of batch) {
      const ofWorkspace = told.get(workspace_id) ?? new Map<string, Array<Progress>>()
      told.set(workspace_id, ofWorkspace)
      const ofAttempt = ofWorkspace.get(key)
      if (ofAttempt === undefined) ofWorkspace.set(key, [progress])
      else ofAttempt.push(progress)
    }
    return yield* Effect.filter(
      told.keys(),
      (workspace_id) => recordMany(workspace_id, [...told.get(workspace_id)!]),
      { concurrency: told.size === 1 ? 1 : "unbounded" }
    )
  })

  return { record, recordOne }
})
