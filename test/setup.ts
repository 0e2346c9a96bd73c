import { effect, it, live, prop, scoped, scopedLive } from "@effect/vitest"
import { Effect, TestClock, TestContext } from "effect"
import { chai } from "vitest"

// `layer` of @effect/vitest leaves what it made on `it`, where the files that follow in this process would find it
// (mended in Effect 4: https://github.com/Effect-TS/effect-smol/pull/2177).
Object.assign(it, { effect, live, prop, scoped, scopedLive })

// A proxy around each assertion only finds misspelt words of `expect(...)`, which the compiler finds here, and takes a
// third of its time.
chai.config.useProxy = false

const soon = (run: () => void) => setTimeout(run, 0)

// Before each step a test clock lets all that is ready run: it compares the fibers under supervision four times, with
// three timers of no length between. Tests here supervise no fibers, so that these timers do the same in a fifth of
// the time.
const settled = Effect.async<void>((resume) => {
  soon(() => soon(() => soon(() => resume(Effect.void))))
})
const clock = Effect.runSync(Effect.provide(TestClock.testClock(), TestContext.TestContext))
Object.assign(Object.getPrototypeOf(clock), { awaitSuspended: () => settled })
