import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, TestClock } from "effect"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { CarrierLedger } from "../../../adapters/simulated/CarrierLedger.ts"
import { WebhookInbox } from "../../../adapters/simulated/WebhookInbox.ts"
import { isOpen } from "../../../core/model/calls/CallingWindow.ts"
import { transitionsOf } from "../../../core/model/calls/Transition.ts"
import { CallDialer } from "../../../core/ports/CallDialer.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { Agents } from "../../../core/usecases/Agents.ts"
import { Calls } from "../../../core/usecases/Calls.ts"
import { Credits } from "../../../core/usecases/Credits.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import * as Platform from "../../Platform.ts"

const settled = Effect.fnUntraced(function* (workspace_id: string, call_id: string) {
  return yield* (yield* Calls).get(workspace_id, call_id)
})

const types = Effect.gen(function* () {
  const entries = yield* (yield* WebhookInbox).entries
  return entries.map(({ message }) => (JSON.parse(message.body) as { event_type: string }).event_type)
})

describe("the due-work loop", () => {
  it.scoped.each([
    ["0123", "completed", "answered", "user_hangup", 1],
    ["0001", "failed", "busy", null, 1],
    ["0002", "failed", "no_answer", null, 1],
    ["0003", "failed", "failed", "carrier_error", 1],
    ["0004", "completed", "voicemail", "agent_hangup", 1],
    ["0005", "failed", "rejected", null, 1],
    ["0006", "completed", "answered", "idle_timeout", 1],
    ["0007", "failed", "failed", "invalid_number", 1],
    ["0008", "failed", "unknown", "in_doubt", 1],
    ["0009", "failed", "unknown", "in_doubt", 1]
  ] as const)("a call to …%s ends %s, %s, %s", ([digits, status, outcome, sub_status, attempts]) =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const placed = yield* Platform.place(tenant, digits)
      assert.deepStrictEqual([placed.status, placed.attempt_count, placed.outcome], ["queued", 0, null])
      for (let i = 0; i < 40; i++) yield* TestClock.adjust("2 minutes")
      const call = yield* settled(tenant.workspace.id, placed.call_id)
      assert.deepStrictEqual(
        [call.status, call.outcome, call.sub_status, call.attempt_count],
        [status, outcome, sub_status, attempts]
      )
      const { dials, repeated } = yield* (yield* CarrierLedger).counts
      assert.deepStrictEqual([dials, repeated], [1, 0])
      assert.strictEqual((yield* types).filter((type) => type === "call_completed").length, 1)
      const credits = yield* Credits
      const [attempt] = yield* (yield* Repository).attempts.ofCall(tenant.workspace.id, call.call_id)
      assert.strictEqual(yield* credits.balance(tenant.workspace.id), 1_000 - attempt!.credits)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped(
    "an answered call sends call_started, call_completed and recording_completed, metadata verbatim",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Platform.tenant()
        yield* Platform.place(tenant, "0123", { metadata: { order: 1 } })
        yield* TestClock.adjust("5 minutes")
        assert.deepStrictEqual(yield* types, ["call_started", "call_completed", "recording_completed"])
        for (const { message } of yield* (yield* WebhookInbox).entries) {
          assert.include(message.body, '"metadata":{"order":1},"data":{')
          assert.notInclude(message.body, "+14155550123")
        }
      }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped(
    "a busy call is dialled again after retry_busy minutes, under a new key, with the hold kept",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Platform.tenant()
        const { call_id } = yield* Platform.place(tenant, "0010", {
          call_config: { call_retry_config: { retry_count: 2, retry_busy: 7 } }
        })
        yield* TestClock.adjust("1 minute")
        const waiting = yield* settled(tenant.workspace.id, call_id)
        assert.deepStrictEqual([waiting.status, waiting.outcome], ["retry_scheduled", "busy"])
        assert.strictEqual(yield* (yield* Credits).balance(tenant.workspace.id), 999)
        yield* TestClock.adjust("10 minutes")
        const call = yield* settled(tenant.workspace.id, call_id)
        assert.deepStrictEqual([call.status, call.attempt_count], ["completed", 2])
        const dials = yield* (yield* CarrierLedger).dials
        assert.isAtLeast(dials[1]!.at - dials[0]!.at, 7 * 60_000)
        assert.strictEqual(new Set(dials.map(({ key }) => key)).size, 2)
        const calls = yield* Calls
        const attempts = yield* calls.attempts(tenant.workspace.id, call_id)
        assert.strictEqual(new Set(attempts.map(({ session_id }) => session_id)).size, 2)
        const transitions = yield* calls.transitions(tenant.workspace.id, call_id)
        assert.deepStrictEqual(
          transitions.map(({ attempt_number, cause, outcome, status }) => [
            cause,
            status,
            attempt_number,
            outcome
          ]),
          [
            ["placed", "queued", null, null],
            ["dialled", "queued", 1, null],
            ["attempt_ended", "retry_scheduled", 1, "busy"],
            ["dialled", "retry_scheduled", 2, null],
            ["ringing", "ringing", 2, null],
            ["answered", "in_progress", 2, null],
            ["attempt_ended", "completed", 2, "answered"]
          ]
        )
        const { at: dialled } = transitions[3]!
        assert.strictEqual(transitions[2]!.scheduled_for, dialled)
        assert.strictEqual(attempts[1]!.started_at, dialled)
      }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("outside its window a call waits for the opening, and a retry for the next one", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 2, 7, 20))
      const tenant = yield* Platform.tenant()
      const call_time = { call_start_time: "09:00", call_end_time: "09:30", timezone: "America/New_York" }
      const { call_id } = yield* Platform.place(tenant, "0001", {
        call_config: { call_time, call_retry_config: { retry_count: 1, retry_busy: 60 } }
      })
      yield* TestClock.adjust("1 minute")
      const waiting = yield* settled(tenant.workspace.id, call_id)
      assert.deepStrictEqual([waiting.status, waiting.scheduled_for], ["queued", Date.UTC(2026, 2, 8, 13)])
      assert.deepInclude(transitionsOf(waiting)[1], {
        cause: "outside_window",
        status: "queued",
        scheduled_for: Date.UTC(2026, 2, 8, 13)
      })
      yield* TestClock.adjust("2 days")
      const dials = yield* (yield* CarrierLedger).dials
      assert.deepStrictEqual(
        dials.map(({ at }) => new Date(at).toISOString()),
        ["2026-03-08T13:00:00.000Z", "2026-03-09T13:00:00.000Z"]
      )
      for (const { at } of dials) assert.isTrue(isOpen(call_time, at))
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("max_concurrency and calls_per_second hold at the carrier, exactly", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant({ max_concurrency: 4, calls_per_second: 3 })
      for (let i = 0; i < 30; i++) yield* Platform.place(tenant, "0123")
      yield* TestClock.adjust("1 millis")
      const ledger = yield* CarrierLedger
      assert.strictEqual((yield* ledger.dials).length, 3)
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual((yield* ledger.dials).length, 4)
      const { calls } = yield* Repository
      for (let i = 0; i < 600; i++) {
        yield* TestClock.adjust("1 seconds")
        assert.isAtMost(yield* calls.countLive(tenant.workspace.id), 4)
      }
      const dials = yield* ledger.dials
      assert.strictEqual(dials.length, 30)
      for (const { at } of dials) {
        assert.isAtMost(dials.filter((other) => other.at > at - 1_000 && other.at <= at).length, 3)
      }
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("a call that is placed while all lines are taken wakes the loop once a second at most", () => {
    let looks = 0
    const store = Layer.map(MemoryRepository.layer, (context) => {
      const repository = Context.get(context, Repository)
      const { deliveries } = repository
      const nextDue = (workspace_id: string) =>
        Effect.suspend(() => {
          looks += 1
          return deliveries.nextDue(workspace_id)
        })
      return Context.make(Repository, { ...repository, deliveries: { ...deliveries, nextDue } })
    })
    return Effect.gen(function* () {
      const tenant = yield* Platform.tenant({ max_concurrency: 1 })
      yield* Platform.place(tenant, "0123")
      yield* TestClock.adjust("8 seconds")
      // The first of them finds that no line is free.
      yield* Platform.place(tenant, "0123")
      yield* TestClock.adjust("1 millis")
      const before = looks
      for (let i = 0; i < 20; i++) {
        yield* Platform.place(tenant, "0123")
        yield* TestClock.adjust("1 millis")
      }
      assert.strictEqual(looks, before)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(looks, before + 1)
    }).pipe(Effect.provide(Platform.layerOf({ store })))
  })

  it.scoped("a line that a workspace gets while all are taken is used within a second of the next call", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant({ max_concurrency: 1 })
      const ledger = yield* CarrierLedger
      for (let i = 0; i < 3; i++) yield* Platform.place(tenant, "0123")
      yield* TestClock.adjust("8 seconds")
      assert.strictEqual((yield* ledger.counts).dials, 1)
      yield* (yield* Workspaces).update(tenant.workspace.id, { max_concurrency: 2 })
      yield* Platform.place(tenant, "0123")
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* ledger.counts).dials, 2)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped(
    "while the carrier is away nothing is accepted and nothing is lost; then each is dialled once",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Platform.tenant()
        const ledger = yield* CarrierLedger
        yield* ledger.fail("unreachable")
        const placed = yield* Effect.forEach(Array.from({ length: 8 }), () => Platform.place(tenant, "0123"))
        yield* TestClock.adjust("10 seconds")
        const refused = yield* Effect.flip(Platform.place(tenant, "0123"))
        assert.strictEqual(refused._tag, "CarrierUnavailable")
        for (const { call_id } of placed) {
          assert.strictEqual((yield* settled(tenant.workspace.id, call_id)).status, "queued")
        }
        yield* ledger.recover
        yield* TestClock.adjust("5 minutes")
        yield* Platform.place(tenant, "0123")
        yield* TestClock.adjust("5 minutes")
        for (const { call_id } of placed) {
          const call = yield* settled(tenant.workspace.id, call_id)
          assert.deepStrictEqual([call.status, call.attempt_count], ["completed", 1])
        }
        assert.deepStrictEqual([(yield* ledger.counts).dials, (yield* ledger.counts).repeated], [9, 0])
      }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("a carrier that comes back in the middle of a look at what is due is dialled through", () => {
    let looks = 0
    let back: Effect.Effect<void> = Effect.void
    /** In the second look the call comes to be due again, and the carrier comes back before its end. */
    const store = Layer.effect(
      Repository,
      Effect.map(Repository, (repository) =>
        Repository.of({
          ...repository,
          campaigns: {
            ...repository.campaigns,
            nextDue: (workspace_id, work, after) => {
              const due = repository.campaigns.nextDue(workspace_id, work, after)
              if (work === "tend") looks += 1
              return work === "tend" && looks === 2 ? Effect.delay(due, "1100 millis") : due
            }
          },
          calls: {
            ...repository.calls,
            overdue: (...args) =>
              Effect.zipRight(looks === 2 ? back : Effect.void, repository.calls.overdue(...args))
          }
        })
      )
    ).pipe(Layer.provide(MemoryRepository.layer))
    return Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const ledger = yield* CarrierLedger
      back = (yield* CallDialer).awaitAvailable
      yield* ledger.fail("unreachable")
      const { call_id } = yield* Platform.place(tenant, "0123")
      yield* TestClock.adjust("10 seconds")
      yield* ledger.recover
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual((yield* settled(tenant.workspace.id, call_id)).status, "completed")
    }).pipe(Effect.provide(Platform.layerOf({ store, carrier: { circuit: { threshold: 1 } } })))
  })

  it.scoped("a dial whose answer is lost is looked up, not dialled again", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const ledger = yield* CarrierLedger
      yield* ledger.fail("lost_answers")
      const { call_id } = yield* Platform.place(tenant, "0123", {
        call_config: { call_retry_config: { retry_count: 3 } }
      })
      yield* TestClock.adjust("5 minutes")
      const call = yield* settled(tenant.workspace.id, call_id)
      assert.deepStrictEqual([call.status, call.outcome], ["completed", "answered"])
      assert.strictEqual((yield* ledger.counts).dials, 1)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("a waiting call is cancelled at once; a live one is hung up", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant({ max_concurrency: 1 })
      const calls = yield* Calls
      const live = yield* Platform.place(tenant, "0123")
      const waiting = yield* Platform.place(tenant, "0123")
      yield* TestClock.adjust("8 seconds")
      const cancelled = yield* calls.cancel(tenant.workspace.id, waiting.call_id)
      assert.strictEqual(cancelled.status, "cancelled")
      yield* calls.cancel(tenant.workspace.id, live.call_id)
      yield* TestClock.adjust("1 minute")
      const ended = yield* settled(tenant.workspace.id, live.call_id)
      assert.deepStrictEqual([ended.status, ended.outcome], ["cancelled", "cancelled"])
      const ledger = yield* CarrierLedger
      assert.strictEqual((yield* ledger.hangUps)[0]?.key, ended.attempt_id)
      assert.strictEqual((yield* ledger.counts).dials, 1)
      const again = yield* Effect.flip(calls.cancel(tenant.workspace.id, live.call_id))
      assert.strictEqual(again._tag, "CallEnded")
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("an agent that is not published any more fails the call at dial time, without a dial", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      yield* (yield* Agents).update(tenant.workspace.id, tenant.agent.id, { published: false })
      const { call_id } = yield* Platform.place(tenant, "0123")
      yield* TestClock.adjust("1 second")
      const call = yield* settled(tenant.workspace.id, call_id)
      assert.deepStrictEqual(
        [call.status, call.sub_status, call.error?.code, call.attempt_count],
        ["failed", "agent_not_published", "agent_not_published", 0]
      )
      assert.strictEqual((yield* (yield* CarrierLedger).counts).dials, 0)
      assert.strictEqual(yield* (yield* Credits).balance(tenant.workspace.id), 1_000)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("with credits for one call, of 100 racers one is accepted", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant({}, 1)
      const answers = yield* Effect.forEach(
        Array.from({ length: 100 }),
        () => Effect.either(Platform.place(tenant, "0123")),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(({ _tag }) => _tag === "Right").length, 1)
      assert.strictEqual(yield* (yield* Credits).balance(tenant.workspace.id), 0)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("nothing is left to do once every call has ended", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      for (const digits of ["0123", "0001", "0004", "0007"]) yield* Platform.place(tenant, digits)
      for (let i = 0; i < 10; i++) yield* TestClock.adjust("1 minute")
      const repository = yield* Repository
      assert.deepStrictEqual(yield* repository.workspaces.withWork, [])
      assert.isTrue(Option.isNone(yield* repository.calls.nextOverdue(tenant.workspace.id)))
    }).pipe(Effect.provide(Platform.layer()))
  )
})
