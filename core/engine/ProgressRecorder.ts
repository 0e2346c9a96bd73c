import { Array as Arr, Clock, Effect, Option } from "effect"
import * as Machine from "../model/calls/CallMachine.ts"
import { joined, step, type Step } from "../model/calls/CallStep.ts"
import type { CallProgress, Progress } from "../model/calls/CarrierProgress.ts"
import { Repository } from "../ports/Repository.ts"
import { makeCallStore } from "./CallStore.ts"

/** How many attempts one transaction brings up to date. */
const atOnce = 128

/** All that was told of one attempt, in the order in which it came. */
interface Told {
  readonly workspace_id: string
  readonly key: string
  readonly progress: Array<Progress>
}

/** Brings what a carrier tells into the store: one transaction for all that is told of one attempt. */
export const makeProgressRecorder = Effect.gen(function* () {
  const repository = yield* Repository
  const store = yield* makeCallStore

  /** Answers none when somebody else changed the call meanwhile, else whether anything changed. */
  const attempt = Effect.fnUntraced(function* (
    workspace_id: string,
    key: string,
    progress: ReadonlyArray<Progress>,
    now: number
  ) {
    const told = yield* repository.attempts.get(workspace_id, key)
    if (Option.isNone(told)) return Option.some(false)
    const call = yield* repository.calls.get(workspace_id, told.value.call_id)
    if (Option.isNone(call)) return Option.some(false)
    const before = { call: call.value, attempt: told.value }
    const current = call.value.attempt_id === key
    let after: Step = step(before)
    for (const each of progress) {
      if (!current && each._tag !== "RecordingReady") continue
      const balance = Machine.exceedsHold(after.call, each)
        ? yield* repository.credits.balance(workspace_id)
        : 0
      const next = Machine.record(after, key, each, balance, now)
      if (next !== null) after = joined(after, next)
    }
    const changed =
      after.call !== before.call || after.attempt !== before.attempt || after.recordings.length > 0
    if (!changed) return Option.some(false)
    return (yield* store.save(before, after, now)) ? Option.some(true) : Option.none<boolean>()
  })

  /** Answers whether anything changed. */
  const recordOne = (workspace_id: string, key: string, progress: ReadonlyArray<Progress>) =>
    repository
      .transaction(
        workspace_id,
        Effect.flatMap(Clock.currentTimeMillis, (now) => attempt(workspace_id, key, progress, now))
      )
      .pipe(Effect.repeat({ until: Option.isSome }), Effect.map(Option.contains(true)))

  /** What is told at one time is stored at one time; where that fails, each attempt by itself. */
  const recordAll = (told: ReadonlyArray<Told>) =>
    repository
      .transaction(
        told.map(({ workspace_id }) => workspace_id),
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const did: Array<Option.Option<boolean>> = []
          for (const { key, progress, workspace_id } of told) {
            did.push(yield* attempt(workspace_id, key, progress, now))
          }
          return did
        })
      )
      .pipe(
        Effect.flatMap((did) =>
          Option.match(Option.all(did), {
            onNone: () =>
              Effect.forEach(did, (any, i) =>
                Option.isSome(any)
                  ? Effect.succeed(any.value)
                  : recordOne(told[i]!.workspace_id, told[i]!.key, told[i]!.progress)
              ),
            onSome: Effect.succeed
          })
        ),
        Effect.catchAllDefect(() =>
          Effect.forEach(told, ({ key, progress, workspace_id }) => recordOne(workspace_id, key, progress))
        )
      )

  /** Answers the workspaces in which something changed. */
  const record = Effect.fnUntraced(function* (batch: Iterable<CallProgress>) {
    const byKey = new Map<string, Told>()
    for (const { key, progress, workspace_id } of batch) {
      const told = byKey.get(key)
      if (told === undefined) byKey.set(key, { workspace_id, key, progress: [progress] })
      else told.progress.push(progress)
    }
    const changed = new Set<string>()
    for (const told of Arr.chunksOf(byKey.values(), atOnce)) {
      const did = yield* recordAll(told)
      did.forEach((any, i) => any && changed.add(told[i]!.workspace_id))
    }
    return changed
  })

  return { record, recordOne }
})
