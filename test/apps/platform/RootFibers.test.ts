import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as RootFibers from "../../../apps/platform/RootFibers.ts"

const isListed = Effect.acquireUseRelease(
  Effect.forkDaemon(Effect.interruptible(Effect.never)),
  (fiber) => Effect.map(Fiber.roots, (roots) => roots.some((each) => each === fiber)),
  Fiber.interrupt
)

it.effect("root fibers are listed no more, so that what lists them refers to no request", () =>
  Effect.gen(function* () {
    assert.isTrue(yield* isListed)
    yield* RootFibers.unlist
    assert.isFalse(yield* isListed)
  })
)
