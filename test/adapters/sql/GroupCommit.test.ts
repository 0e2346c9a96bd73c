import { Cause, Effect, Exit, Fiber, Option } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { type GroupCommit, make } from "../../../adapters/sql/sqlite/GroupCommit.ts"
import type { Flush, Flushed } from "../../../adapters/sql/Flushes.ts"
import { CurrentUnit } from "../../../adapters/shared/UnitOfWork.ts"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"

/**
 * Group commit over a connection that writes down what it is told, and fails at the statements given, and a disk that
 * flushes at once, or when it is told to.
 */
const recordedOn = (flush: Flush<unknown>, ...failing: ReadonlyArray<string>) => {
  const statements: Array<string> = []
  const commits: GroupCommit = make((sql) => {
    statements.push(sql)
    if (failing.includes(sql)) throw new Error(sql)
  }, flush)
  return { statements, commits }
}

const recorded = (...failing: ReadonlyArray<string>) =>
  recordedOn((flushed) => flushed(undefined), ...failing)

const onSlowDisk = () => {
  const flushes: Array<Flushed<unknown>> = []
  return { ...recordedOn((flushed) => void flushes.push(flushed)), flushes }
}

/** Lets the units that wait run, until so many groups are committed. */
const committed = (statements: ReadonlyArray<string>, groups: number) =>
  Effect.promise(() => new Promise(setImmediate)).pipe(
    Effect.repeat({ until: () => count(statements, "commit") === groups })
  )

const isOver = (fiber: Fiber.RuntimeFiber<unknown, unknown>) => Effect.map(Fiber.poll(fiber), Option.isSome)

const count = (statements: ReadonlyArray<string>, sql: string) =>
  statements.filter((statement) => statement === sql).length

/** What a unit does that has written before. */
const written = <A, E>(work: Effect.Effect<A, E>) =>
  Effect.flatMap(Effect.serviceOptional(CurrentUnit), (unit) => {
    unit.wrote = true
    return work
  }).pipe(Effect.catchTag("NoSuchElementException", Effect.die)) as Effect.Effect<A, E>

const assertUnavailable = (exit: Exit.Exit<unknown, unknown>) => {
  assert.isTrue(Exit.isFailure(exit))
  if (Exit.isFailure(exit)) assert.instanceOf(Cause.squash(exit.cause), StoreUnavailable)
}

describe("GroupCommit", () => {
  it.effect("commits all units that wait at once", () =>
    Effect.gen(function* () {
      const { commits, statements } = recorded()
      const answers = yield* Effect.forEach(
        Array.from({ length: 32 }, (_, n) => n),
        (n) =>
          commits.transaction(
            "ws",
            Effect.sync(() => statements.push(`unit ${n}`) && n)
          ),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        answers,
        Array.from({ length: 32 }, (_, n) => n)
      )
      assert.strictEqual(count(statements, "begin immediate"), 1)
      assert.strictEqual(count(statements, "savepoint unit"), 0)
      assert.strictEqual(count(statements, "commit"), 1)
      assert.strictEqual(statements.at(-1), "commit")
    })
  )

  it.effect("commits a unit that is alone without waiting for others", () =>
    Effect.gen(function* () {
      const { commits, statements } = recorded()
      yield* commits.transaction(
        "ws",
        Effect.sync(() => statements.push("unit"))
      )
      assert.deepStrictEqual(statements, ["begin immediate", "unit", "commit"])
      yield* Effect.exit(commits.transaction("ws", Effect.fail("no")))
      assert.deepStrictEqual(statements.slice(3), ["begin immediate", "rollback"])
    })
  )

  it.effect("splits more than 256 units into several commits", () =>
    Effect.gen(function* () {
      const { commits, statements } = recorded()
      const unit = commits.transaction(
        "ws",
        Effect.sync(() => statements.push("unit"))
      )
      yield* Effect.replicateEffect(unit, 600, { concurrency: "unbounded" })
      assert.strictEqual(count(statements, "unit"), 600)
      assert.strictEqual(count(statements, "commit"), 3)
    })
  )

  const ends = [Effect.succeed(1), Effect.fail("a"), Effect.die("b"), Effect.interrupt]
  const exitsOf = (
    { commits }: ReturnType<typeof recorded>,
    works: ReadonlyArray<Effect.Effect<unknown, string>>
  ) =>
    Effect.forEach(works, (work) => Effect.exit(commits.transaction("ws", work)), {
      concurrency: "unbounded"
    })

  it.effect("goes on behind a unit that fails before it has written, and commits the others", () =>
    Effect.gen(function* () {
      const recording = recorded()
      const exits = yield* exitsOf(recording, [...ends, written(Effect.succeed(2))])
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, false, false, true])
      assert.deepStrictEqual(recording.statements, ["begin immediate", "commit"])
    })
  )

  it.effect(
    "runs a group again with savepoints when a unit fails that has written, and the next ones so",
    () =>
      Effect.gen(function* () {
        const recording = recorded()
        const { statements } = recording
        const exits = yield* exitsOf(recording, ends.map(written))
        assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, false, false])
        assert.deepStrictEqual(statements.slice(0, 3), ["begin immediate", "rollback", "begin immediate"])
        assert.strictEqual(count(statements, "rollback to savepoint unit"), 3)
        assert.strictEqual(count(statements, "release savepoint unit"), 4)
        assert.strictEqual(count(statements, "commit"), 1)
        statements.length = 0
        yield* exitsOf(recording, ends.map(written))
        assert.strictEqual(count(statements, "begin immediate"), 1)
        assert.strictEqual(count(statements, "savepoint unit"), 4)
      })
  )

  it.effect("lets groups do without savepoints again when no unit has failed for long", () =>
    Effect.gen(function* () {
      const recording = recorded()
      yield* exitsOf(recording, ends.map(written))
      yield* Effect.replicateEffect(recording.commits.transaction("ws", Effect.void), 64)
      recording.statements.length = 0
      yield* exitsOf(recording, [Effect.void, Effect.void])
      assert.deepStrictEqual(recording.statements, ["begin immediate", "commit"])
    })
  )

  it.effect("skips a unit that is interrupted while it waits", () =>
    Effect.gen(function* () {
      const { commits, statements } = recorded()
      const fibers = yield* Effect.forEach([0, 1, 2], (n) =>
        Effect.fork(
          commits.transaction(
            "ws",
            Effect.sync(() => statements.push(`unit ${n}`))
          )
        )
      )
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fibers[1]!)
      yield* Effect.forEach(fibers, Fiber.await)
      assert.include(statements, "unit 0")
      assert.notInclude(statements, "unit 1")
      assert.include(statements, "unit 2")
    })
  )

  it.effect("runs a unit whose caller may not be interrupted, though it is", () =>
    Effect.gen(function* () {
      const { commits, statements } = recorded()
      const unit = Effect.sync(() => statements.push("unit"))
      const caller = yield* Effect.fork(Effect.uninterruptible(commits.transaction("ws", unit)))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(caller)
      assert.deepStrictEqual(statements, ["begin immediate", "unit", "commit"])
    })
  )

  for (const failing of ["begin immediate", "commit", "savepoint unit", "release savepoint unit"]) {
    it.effect(`fails every unit of the group when ${failing} fails, and serves the next one`, () =>
      Effect.gen(function* () {
        const recording = recorded(failing)
        const isOfSavepoint = failing.endsWith("savepoint unit")
        const units = [Effect.void, isOfSavepoint ? written(Effect.fail("no")) : Effect.void, Effect.void]
        ;(yield* exitsOf(recording, units)).forEach(assertUnavailable)
        assert.strictEqual(recording.statements.at(-1), "rollback")
        const alone = yield* Effect.exit(recording.commits.transaction("ws", Effect.void))
        assert.strictEqual(Exit.isSuccess(alone), isOfSavepoint)
      })
    )
  }

  it.effect("ends a unit that waits for something, and goes on with the others", () =>
    Effect.gen(function* () {
      const { commits } = recorded()
      const exits = yield* Effect.forEach(
        [Effect.never, Effect.succeed("done")],
        (work) => Effect.exit(commits.transaction("ws", work)),
        { concurrency: "unbounded" }
      )
      assert.isTrue(Exit.isFailure(exits[0]!) && Cause.isDie(exits[0].cause))
      assert.deepStrictEqual(exits[1], Exit.succeed("done"))
    })
  )

  it.effect("runs what waits when it is closed, and refuses what comes after", () =>
    Effect.gen(function* () {
      const { commits, statements } = recorded()
      const fiber = yield* Effect.fork(commits.transaction("ws", Effect.succeed("stored")))
      yield* Effect.yieldNow()
      yield* commits.close
      assert.include(statements, "commit")
      assert.strictEqual(yield* Fiber.join(fiber), "stored")
      assertUnavailable(yield* Effect.exit(commits.transaction("ws", Effect.void)))
    })
  )

  it.effect("answers a group when it is on disk, and commits others meanwhile", () =>
    Effect.gen(function* () {
      const { commits, flushes, statements } = onSlowDisk()
      const fork = () => Effect.fork(commits.transaction("ws", written(Effect.void)))
      const first = yield* fork()
      yield* committed(statements, 1)
      const second = yield* fork()
      yield* committed(statements, 2)
      assert.deepStrictEqual([yield* isOver(first), yield* isOver(second)], [false, false])
      flushes[1]!(undefined)
      yield* Fiber.join(second)
      assert.isFalse(yield* isOver(first))
      flushes[0]!(undefined)
      yield* Fiber.join(first)
    })
  )

  it.effect(
    "flushes nothing for a group that has only read, unless it may have seen what is not on disk",
    () =>
      Effect.gen(function* () {
        const { commits, flushes, statements } = onSlowDisk()
        yield* commits.transaction("ws", Effect.void)
        assert.lengthOf(flushes, 0)
        yield* Effect.fork(commits.transaction("ws", written(Effect.void)))
        yield* committed(statements, 2)
        const reading = yield* Effect.fork(commits.transaction("ws", Effect.void))
        yield* committed(statements, 3)
        assert.isFalse(yield* isOver(reading))
        for (const flushed of flushes) flushed(undefined)
        yield* Fiber.join(reading)
      })
  )

  it.effect("fails every unit of a group that cannot be flushed, and serves the next one", () =>
    Effect.gen(function* () {
      const faults = [new Error("no space"), undefined]
      const { commits } = recordedOn((flushed) => flushed(faults.shift()))
      const units = [written(Effect.void), Effect.void].map((work) => commits.transaction("ws", work))
      const exits = yield* Effect.forEach(units, Effect.exit, { concurrency: "unbounded" })
      exits.forEach(assertUnavailable)
      yield* commits.transaction("ws", written(Effect.void))
    })
  )

  it.effect("interrupts a unit that is committed when it is on disk", () =>
    Effect.gen(function* () {
      const { commits, flushes, statements } = onSlowDisk()
      const unit = yield* Effect.fork(commits.transaction("ws", written(Effect.void)))
      yield* committed(statements, 1)
      const interruption = yield* Effect.fork(Fiber.interrupt(unit))
      yield* Effect.yieldNow()
      assert.isFalse(yield* isOver(interruption))
      flushes[0]!(undefined)
      yield* Fiber.join(interruption)
    })
  )

  it.effect("is closed when all is on disk", () =>
    Effect.gen(function* () {
      const { commits, flushes, statements } = onSlowDisk()
      const unit = yield* Effect.fork(commits.transaction("ws", written(Effect.void)))
      yield* Effect.yieldNow()
      const closing = yield* Effect.fork(commits.close)
      yield* committed(statements, 1)
      assert.isFalse(yield* isOver(closing))
      flushes[0]!(undefined)
      yield* Fiber.join(closing)
      yield* Fiber.join(unit)
    })
  )
})
