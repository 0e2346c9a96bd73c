import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Schedule, Scope } from "effect"
import * as Processes from "../../programs/Processes.ts"
import { onServer } from "../sql/PostgresSuite.ts"
import * as Rig from "./Rig.ts"

type Running = Effect.Effect.Success<ReturnType<typeof Rig.make>>

onServer("server processes on one PostgreSQL", (postgres) => {
  const scope = Effect.runSync(Scope.make())
  let rig: Running
  beforeAll(async () => {
    const making = Rig.make({ postgres: postgres(), servers: 3, tenants: 9 })
    rig = await Effect.runPromise(Scope.extend(making, scope))
  }, 60_000)
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  /** A call for each workspace at each of these servers. */
  const placeAt = (members: ReadonlyArray<Rig.Member>) =>
    Effect.forEach(
      members.flatMap((member) => rig.tenants.map((tenant) => [member, tenant] as const)),
      ([member, tenant]) => rig.place(member, tenant),
      { concurrency: 8 }
    )

  it("make one demo workspace between them when they start on an empty database", () => {
    const welcomed = rig.members.filter(({ running }) => running.output().includes("Outdial is ready"))
    assert.lengthOf(welcomed, 1)
  })

  it.scopedLive("take every workspace's requests at any of them, and dial each call once", () =>
    Effect.gen(function* () {
      yield* rig.dialled(yield* placeAt(rig.members))
      assert.deepStrictEqual(rig.dialledTwice(), [])
    })
  )

  it.scopedLive(
    "take over from one that is frozen, and dial nothing twice when it goes on",
    () =>
      Effect.gen(function* () {
        const [frozen, ...others] = rig.members
        const calls: Array<string> = []
        // Each workspace has a call at one of the others, again and again once it is dialled.
        const load = yield* Effect.fork(
          Effect.forEach(
            rig.tenants,
            (tenant, n) =>
              Effect.repeat(
                Effect.flatMap(rig.place(others[n % others.length]!, tenant), (call) => {
                  calls.push(call)
                  return rig.dialled([call])
                }),
                Schedule.spaced("100 millis")
              ),
            { concurrency: "unbounded" }
          )
        )
        yield* rig.dialled(yield* placeAt([frozen!]))
        frozen!.running.process.kill("SIGSTOP")
        yield* Effect.addFinalizer(() => Effect.sync(() => frozen!.running.process.kill("SIGCONT")))
        const placed = yield* placeAt(others)
        yield* rig.dialled(placed)
        frozen!.running.process.kill("SIGCONT")
        yield* rig.dialled(yield* placeAt(rig.members))
        yield* Fiber.interrupt(load)
        yield* rig.dialled(calls)
        assert.deepStrictEqual(rig.dialledTwice(), [])
      }),
    60_000
  )

  it.scopedLive(
    "take over from one that is told to end, which takes its leave, and ends well and in time",
    () =>
      Effect.gen(function* () {
        const [leaving, ...others] = rig.members
        yield* rig.sharing
        const calls = yield* placeAt(rig.members)
        yield* Processes.kill(leaving!.running, "SIGTERM").pipe(Effect.timeout("10 seconds"))
        assert.strictEqual(leaving!.running.process.exitCode, 0)
        assert.strictEqual(yield* rig.named, others.length, "no member waits until it is known to be gone")
        yield* rig.dialled([...calls, ...(yield* placeAt(others))])
        assert.deepStrictEqual(rig.dialledTwice(), [])
      }),
    60_000
  )

  it.scopedLive(
    "take over from one that is killed",
    () =>
      Effect.gen(function* () {
        const [, killed, other] = rig.members
        yield* rig.dialled(yield* placeAt([killed!, other!]))
        yield* Processes.kill(killed!.running)
        yield* rig.dialled(yield* placeAt([other!]))
        assert.deepStrictEqual(rig.dialledTwice(), [])
      }),
    60_000
  )
})
