import { assert, describe } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import { Cause, Context, Effect, Exit, Fiber, Option } from "effect"
import { platformWide, WorkspaceNotNamed } from "../../../core/ports/Repository.ts"
import type { Check } from "./Check.ts"
import { makeCall, makeEntry, makeKey, makeWorkspace, other, page, ws } from "./Fixtures.ts"

/** Lets the event loop go round once. */
const nextTurn = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

class Greeting extends Context.Tag("test/Greeting")<Greeting, string>() {}

export const units = (check: Check) =>
  describe("transaction", () => {
    check("stores all of a unit's writes and answers what the work answers", ({ calls, transaction }) =>
      Effect.gen(function* () {
        const answer = yield* transaction(
          ws,
          Effect.zipRight(calls.insert(makeCall(1)), Effect.as(calls.insert(makeCall(2)), "both stored"))
        )
        assert.strictEqual(answer, "both stored")
        assert.strictEqual((yield* calls.list(ws, {}, page)).total, 2)
      })
    )

    check("sees its own writes", ({ calls, credits, transaction }) =>
      transaction(
        ws,
        Effect.gen(function* () {
          yield* calls.insert(makeCall(1))
          yield* credits.append(ws, [makeEntry(1, 5)])
          assertSome(yield* calls.get(ws, "call_000001"), makeCall(1))
          assert.strictEqual(yield* credits.balance(ws), 5)
          assertSome(yield* calls.nextWaiting(ws, null), makeCall(1).due_at)
        })
      )
    )

    const failures = {
      fails: Effect.fail("no"),
      dies: Effect.die("no"),
      "interrupts itself": Effect.interrupt
    }
    for (const [how, failure] of Object.entries(failures)) {
      check(`undoes everything when the work ${how}`, ({ calls, credits, transaction, workspaces }) =>
        Effect.gen(function* () {
          yield* workspaces.insert(makeWorkspace())
          yield* calls.insert(makeCall(1))
          yield* credits.append(ws, [makeEntry(1, 5)])
          const exit = yield* Effect.exit(
            transaction(
              ws,
              Effect.gen(function* () {
                yield* calls.insert(makeCall(2, { idempotency_key: "k" }))
                yield* calls.update(makeCall(1, { version: 1, phase: "live", due_at: 7, status: "ringing" }))
                yield* credits.append(ws, [makeEntry(2, -5)])
                yield* workspaces.update(makeWorkspace({ name: "changed" }))
                return yield* failure
              })
            )
          )
          assert.isTrue(Exit.isFailure(exit))
          assertSome(yield* calls.get(ws, "call_000001"), makeCall(1))
          assertNone(yield* calls.get(ws, "call_000002"))
          assertNone(yield* calls.byKey(ws, "k"))
          assert.deepStrictEqual(yield* calls.list(ws, {}, page), { data: [makeCall(1)], total: 1 })
          assert.deepStrictEqual(yield* calls.dialable(ws, null, Infinity, 10), [makeCall(1)])
          assertNone(yield* calls.nextOverdue(ws))
          assert.strictEqual(yield* credits.balance(ws), 5)
          assert.strictEqual((yield* credits.list(ws, {}, page)).total, 1)
          assertSome(yield* workspaces.get(ws), makeWorkspace())
        })
      )
    }

    check("gives the work's own failure back", ({ transaction }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* Effect.exit(transaction(ws, Effect.fail("why"))), Exit.fail("why"))
        assert.deepStrictEqual(yield* Effect.exit(transaction(ws, Effect.die("how"))), Exit.die("how"))
      })
    )

    check("leaves no part of a unit that waits and is interrupted", ({ calls, transaction }) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(
          transaction(ws, Effect.zipRight(calls.insert(makeCall(1)), Effect.never))
        )
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(fiber)
        yield* calls.insert(makeCall(2))
        assert.deepStrictEqual(yield* calls.list(ws, {}, page), { data: [makeCall(2)], total: 1 })
      })
    )

    check("stores all or nothing of units that are interrupted at any moment", ({ calls, transaction }) =>
      Effect.gen(function* () {
        const unit = (n: number) =>
          transaction(ws, Effect.zipRight(calls.insert(makeCall(2 * n)), calls.insert(makeCall(2 * n + 1))))
        const fibers = yield* Effect.forEach(
          Array.from({ length: 40 }, (_, n) => n),
          (n) => Effect.fork(unit(n))
        )
        yield* Effect.forEach(fibers, (fiber, n) =>
          n % 3 === 0 ? Fiber.interrupt(fiber) : n % 3 === 1 ? Effect.yieldNow() : Fiber.await(fiber)
        )
        yield* Effect.forEach(fibers, Fiber.await)
        const stored = (yield* calls.list(ws, {}, page)).data.map(({ call_id }) => Number(call_id.slice(5)))
        for (const n of stored) assert.include(stored, n % 2 === 0 ? n + 1 : n - 1)
      })
    )

    check("joins the transaction that it is in: both count, or neither", ({ calls, transaction }) =>
      Effect.gen(function* () {
        const inner = transaction(ws, calls.insert(makeCall(2)))
        yield* Effect.exit(
          transaction(
            ws,
            Effect.zipRight(Effect.zipRight(calls.insert(makeCall(1)), inner), Effect.fail("late"))
          )
        )
        assert.strictEqual((yield* calls.list(ws, {}, page)).total, 0)
        yield* transaction(ws, Effect.zipRight(calls.insert(makeCall(1)), inner))
        assert.strictEqual((yield* calls.list(ws, {}, page)).total, 2)
      })
    )

    check("undoes an inner transaction that fails, and the outer one may go on", ({ calls, transaction }) =>
      Effect.gen(function* () {
        yield* transaction(
          ws,
          Effect.gen(function* () {
            yield* calls.insert(makeCall(1))
            yield* Effect.ignore(
              transaction(ws, Effect.zipRight(calls.insert(makeCall(2)), Effect.fail("no")))
            )
            yield* calls.insert(makeCall(3))
          })
        )
        assert.deepStrictEqual((yield* calls.list(ws, {}, page)).data, [makeCall(3), makeCall(1)])
      })
    )

    check("keeps the services and the clock of its caller", ({ transaction }) =>
      Effect.gen(function* () {
        const work = Effect.zip(
          Greeting,
          Effect.clockWith((clock) => clock.currentTimeMillis)
        )
        const [greeting, now] = yield* transaction(ws, work).pipe(Effect.provideService(Greeting, "hello"))
        assert.strictEqual(greeting, "hello")
        assert.strictEqual(now, 0)
      })
    )

    check("runs units one after the other: a hundred read-and-write ones lose nothing", (repository) =>
      Effect.gen(function* () {
        const { transaction, workspaces } = repository
        yield* workspaces.insert(makeWorkspace({ max_concurrency: 0 }))
        const increment = transaction(
          ws,
          Effect.gen(function* () {
            const workspace = Option.getOrThrow(yield* workspaces.get(ws))
            yield* Effect.yieldNow()
            yield* workspaces.update({ ...workspace, max_concurrency: workspace.max_concurrency + 1 })
          })
        )
        yield* Effect.replicateEffect(increment, 100, { concurrency: "unbounded", discard: true })
        assert.strictEqual(Option.getOrThrow(yield* workspaces.get(ws)).max_concurrency, 100)
      })
    )

    check("shows others nothing of a unit before its end", ({ calls, transaction }) =>
      Effect.gen(function* () {
        const pair = (n: number) =>
          transaction(
            ws,
            Effect.gen(function* () {
              yield* calls.insert(makeCall(2 * n))
              yield* Effect.yieldNow()
              yield* calls.insert(makeCall(2 * n + 1))
            })
          )
        const writers = yield* Effect.fork(
          Effect.forEach(
            Array.from({ length: 100 }, (_, n) => n),
            pair,
            { concurrency: 8, discard: true }
          )
        )
        const totals = new Set<number>()
        while (totals.size === 0 || Math.max(...totals) < 200) {
          totals.add((yield* calls.list(ws, {}, { limit: 1, offset: 0 })).total)
          yield* nextTurn
        }
        yield* Fiber.join(writers)
        for (const total of totals) assert.strictEqual(total % 2, 0)
      })
    )

    check("does not let one unit's failure touch another's", ({ calls, transaction }) =>
      Effect.gen(function* () {
        const exits = yield* Effect.forEach(
          Array.from({ length: 60 }, (_, n) => n),
          (n) =>
            Effect.exit(
              transaction(
                ws,
                Effect.zipRight(calls.insert(makeCall(n)), n % 3 === 0 ? Effect.fail(n) : Effect.succeed(n))
              )
            ),
          { concurrency: "unbounded" }
        )
        exits.forEach((exit, n) => assert.deepStrictEqual(exit, n % 3 === 0 ? Exit.fail(n) : Exit.succeed(n)))
        assert.strictEqual((yield* calls.list(ws, {}, page)).total, 40)
      })
    )

    check("dies when an id is stored a second time, and keeps the first", ({ apiKeys, calls, transaction }) =>
      Effect.gen(function* () {
        yield* calls.insert(makeCall(1))
        const unit = transaction(
          ws,
          Effect.gen(function* () {
            yield* apiKeys.insert(makeKey(1))
            yield* Effect.ignore(
              Effect.catchAllDefect(calls.insert(makeCall(1, { status: "failed" })), Effect.fail)
            )
          })
        )
        assert.isTrue(Exit.isFailure(yield* Effect.exit(unit)))
        assertSome(yield* calls.get(ws, "call_000001"), makeCall(1))
        assertNone(yield* apiKeys.get("key_000001"))
      })
    )

    const refusedFor = (exit: Exit.Exit<unknown, unknown>) => {
      const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      assert.instanceOf(defect, WorkspaceNotNamed)
      return defect.workspace_id
    }

    check("may name several workspaces, in any order and more than once", ({ calls, transaction }) =>
      Effect.gen(function* () {
        const elsewhere = makeCall(2, { customer_id: other })
        yield* transaction(
          [other, ws, other],
          Effect.zipRight(calls.insert(makeCall(1)), transaction(other, calls.insert(elsewhere)))
        )
        assertSome(yield* calls.get(ws, "call_000001"), makeCall(1))
        assertSome(yield* calls.get(other, "call_000002"), elsewhere)
      })
    )

    check("dies, and is undone, when its work touches a workspace that it did not name", (repository) =>
      Effect.gen(function* () {
        const { apiKeys, calls, credits, transaction, workspaces } = repository
        const strays: Record<string, ReadonlyArray<Effect.Effect<unknown>>> = {
          [other]: [
            calls.get(other, "call_000001"),
            calls.insert(makeCall(2, { customer_id: other })),
            credits.append(other, [makeEntry(1, 5, { customer_id: other })]),
            workspaces.get(other),
            workspaces.insert(makeWorkspace({ id: other })),
            transaction(other, Effect.void),
            transaction([ws, other], Effect.void)
          ],
          [platformWide]: [workspaces.list(page), workspaces.withWork, apiKeys.get("key_000001")]
        }
        for (const [id, verbs] of Object.entries(strays)) {
          for (const verb of verbs) {
            const caught = Effect.catchAllDefect(verb, () => Effect.void)
            const exit = yield* Effect.exit(
              transaction(ws, Effect.zipRight(calls.insert(makeCall(1)), caught))
            )
            assert.strictEqual(refusedFor(exit), id)
          }
        }
        assert.strictEqual((yield* calls.list(ws, {}, page)).total, 0)
        assert.strictEqual((yield* calls.list(other, {}, page)).total, 0)
        assert.strictEqual((yield* workspaces.list(page)).total, 0)
      })
    )

    check("names what is listed of all workspaces as it does a workspace", ({ transaction, workspaces }) =>
      Effect.gen(function* () {
        const added = yield* transaction(
          [platformWide, ws],
          Effect.zipRight(workspaces.insert(makeWorkspace()), workspaces.list(page))
        )
        assert.deepStrictEqual(added, { data: [makeWorkspace()], total: 1 })
      })
    )
  })
