import { assert, describe } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import { Effect } from "effect"
import { carriedOut, type KeyedRequest } from "../../../core/ports/AnswerRows.ts"
import type { Check } from "./Check.ts"
import { other, start, ws } from "./Fixtures.ts"

const request = (over: Partial<KeyedRequest> = {}): KeyedRequest => ({
  customer_id: ws,
  key: "june",
  digest: "d1",
  created_at: start,
  status: null,
  body: null,
  ...over
})

export const answerRows = (check: Check) =>
  describe("answers to requests with a key", () => {
    check("are kept for their workspace, and given to every request behind the first", ({ answers }) =>
      Effect.gen(function* () {
        assertNone(yield* answers.begin(request(), start - 1, start - 1))
        assertSome(yield* answers.begin(request({ digest: "d2" }), start - 1, start - 1), request())
        assertNone(yield* answers.begin(request({ customer_id: other }), start - 1, start - 1))
        yield* answers.finish(ws, "june", 200, '{"name":"Åre 🎿"}')
        const done = request({ status: 200, body: '{"name":"Åre 🎿"}' })
        assertSome(yield* answers.begin(request({ digest: "d2" }), start - 1, start - 1), done)
        assertSome(
          yield* answers.begin(request({ customer_id: other }), start - 1, start - 1),
          request({ customer_id: other })
        )
      })
    )

    check("are gone when they are released, expired or forgotten", ({ answers }) =>
      Effect.gen(function* () {
        yield* answers.begin(request(), start - 1, start - 1)
        yield* answers.release(other, "june")
        assertSome(yield* answers.begin(request(), start - 1, start - 1), request())
        yield* answers.release(ws, "june")
        assertNone(yield* answers.begin(request(), start - 1, start - 1))
        const later = request({ digest: "d2", created_at: start + 9 })
        assertNone(yield* answers.begin(later, start, start - 1))
        yield* answers.forget(ws, start + 8)
        assertSome(yield* answers.begin(request(), start, start - 1), later)
        yield* answers.forget(ws, start + 9)
        assertNone(yield* answers.begin(request({ created_at: start + 10 }), start, start - 1))
      })
    )

    check(
      "are carried out by the request that has the key, which another has once it was given up",
      ({ answers }) =>
        Effect.gen(function* () {
          yield* answers.begin(request(), start - 9, start - 1)
          const later = request({ digest: "d2", created_at: start + 9 })
          assertNone(yield* answers.begin(later, start - 9, start))
          assert.isFalse(yield* answers.carryOut(ws, "june", start))
          assert.isFalse(yield* answers.carryOut(other, "june", start + 9))
          assert.isTrue(yield* answers.carryOut(ws, "june", start + 9))
          const done = { ...later, status: carriedOut }
          assertSome(yield* answers.begin(request({ created_at: start + 99 }), start - 9, start + 9), done)
        })
    )
  })
