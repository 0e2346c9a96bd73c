import { assert, describe } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import { Effect } from "effect"
import type { BatchItem, CallBatch } from "../../../core/model/calls/CallBatch.ts"
import type { Check } from "./Check.ts"
import { other, start, ws } from "./Fixtures.ts"

const makeBatch = (n: number, over: Partial<CallBatch> = {}): CallBatch => ({
  id: `batch_00000${n}`,
  customer_id: ws,
  total: 150,
  scheduled_for: start + 60,
  idempotency_key: null,
  digest: null,
  created_at: start + n,
  cancelled_at: null,
  ...over
})

const items = (from: number): ReadonlyArray<BatchItem> => [
  { index: from, status: "created", call_id: `call_${from}`, error: null },
  {
    index: from + 1,
    status: "refused",
    call_id: null,
    error: { code: "invalid_request", message: "no “Åre” 🎿" }
  }
]

export const callBatchRows = (check: Check) =>
  describe("batches of calls", () => {
    check("are kept for their workspace, one for each key", ({ callBatches }) =>
      Effect.gen(function* () {
        const keyed = makeBatch(1, { idempotency_key: "june", digest: "d1" })
        assertNone(yield* callBatches.insert(keyed))
        assertSome(yield* callBatches.insert(makeBatch(2, { idempotency_key: "june", digest: "d2" })), keyed)
        assertNone(yield* callBatches.get(ws, "batch_000002"))
        assertSome(yield* callBatches.get(ws, "batch_000001"), keyed)
        assertNone(yield* callBatches.get(other, "batch_000001"))
        const foreign = makeBatch(1, { customer_id: other, idempotency_key: "june", digest: "d3" })
        assertNone(yield* callBatches.insert(foreign))
        for (const n of [3, 4]) assertNone(yield* callBatches.insert(makeBatch(n)))
      })
    )

    check("have what became of each part, in order, once", ({ callBatches }) =>
      Effect.gen(function* () {
        yield* callBatches.insert(makeBatch(1))
        yield* callBatches.addPart(ws, "batch_000001", 10, items(1_000))
        yield* callBatches.addPart(ws, "batch_000001", 9, items(900))
        yield* callBatches.addPart(ws, "batch_000002", 0, items(0))
        assertSome(yield* callBatches.part(ws, "batch_000001", 9), items(900))
        assertNone(yield* callBatches.part(ws, "batch_000001", 0))
        assertNone(yield* callBatches.part(other, "batch_000001", 9))
        const all = yield* callBatches.items(ws, "batch_000001")
        assert.deepStrictEqual(all, [...items(900), ...items(1_000)])
        assert.deepStrictEqual(yield* callBatches.items(other, "batch_000001"), [])
        const again = yield* Effect.exit(callBatches.addPart(ws, "batch_000001", 9, items(900)))
        assert.strictEqual(again._tag, "Failure")
      })
    )

    check("are cancelled at the first time that is noted", ({ callBatches }) =>
      Effect.gen(function* () {
        yield* callBatches.insert(makeBatch(1))
        yield* callBatches.cancel(other, "batch_000001", start + 70)
        assertSome(yield* callBatches.get(ws, "batch_000001"), makeBatch(1))
        yield* callBatches.cancel(ws, "batch_000001", start + 80)
        yield* callBatches.cancel(ws, "batch_000001", start + 90)
        assertSome(yield* callBatches.get(ws, "batch_000001"), makeBatch(1, { cancelled_at: start + 80 }))
      })
    )
  })
