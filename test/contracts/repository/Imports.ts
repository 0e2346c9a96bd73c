import { assert, describe } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import { Effect, Exit } from "effect"
import type { Check } from "./Check.ts"
import { makeImport, other, page, start, ws } from "./Fixtures.ts"

const errors = [
  { row: 2, error: `a "quoted" rule`, value: `'; drop table imports; -- ?` },
  { row: 1_048_576, error: "", value: "\u0000\ud800 👩‍👩‍👧 \\ \n" },
  { row: 3, error: "__proto__", value: '{"__proto__":{"x":1}}' }
]

/** By when an import is renewed. */
const due = start + 100

const done = makeImport(1, {
  status: "completed_with_errors",
  total_rows: 150_000,
  accepted_rows: 149_997,
  rejected_rows: 3,
  errors,
  completed_at: start + 9
})

export const importRows = (check: Check) =>
  describe("imports", () => {
    check("come back as they were stored, to their workspace and campaign alone", ({ imports }) =>
      Effect.gen(function* () {
        const whole = { ...done, source_uri: "s3://bucket/ø?x='1'", metadata: { content_type: 'a/b; c="d"' } }
        yield* imports.insert(whole, due)
        assertSome(yield* imports.get(ws, "camp_000001", "imp_000001"), whole)
        assert.deepStrictEqual(yield* imports.list(ws, "camp_000001", page), { data: [whole], total: 1 })
        assertNone(yield* imports.get(other, "camp_000001", "imp_000001"))
        assertNone(yield* imports.get(ws, "camp_000002", "imp_000001"))
        assertNone(yield* imports.get(ws, "camp_000001", "imp_000002"))
        assert.deepStrictEqual(yield* imports.list(other, "camp_000001", page), { data: [], total: 0 })
        assert.deepStrictEqual(yield* imports.list(ws, "camp_000002", page), { data: [], total: 0 })
        assert.isTrue(Exit.isFailure(yield* Effect.exit(imports.insert(makeImport(1), due))))
        assertSome(yield* imports.get(ws, "camp_000001", "imp_000001"), whole)
      })
    )

    check("are updated in what came of them, all else stays", ({ imports }) =>
      Effect.gen(function* () {
        yield* imports.insert(makeImport(1), due)
        yield* imports.update({
          ...done,
          filename: "other.csv",
          source_uri: "x",
          metadata: { content_type: "x" },
          created_at: 1
        })
        assertSome(yield* imports.get(ws, "camp_000001", "imp_000001"), done)
        yield* imports.update({ ...done, customer_id: other, total_rows: 1 })
        yield* imports.update({ ...done, campaign_id: "camp_000002", total_rows: 1 })
        yield* imports.update(makeImport(2))
        assert.deepStrictEqual(yield* imports.list(ws, "camp_000001", page), { data: [done], total: 1 })
        assert.deepStrictEqual(yield* imports.list(other, "camp_000001", page), { data: [], total: 0 })
        assert.deepStrictEqual(yield* imports.list(ws, "camp_000002", page), { data: [], total: 0 })
      })
    )

    check("are overdue while they are open and not renewed, and are completed once", ({ imports }) =>
      Effect.gen(function* () {
        const [first, second, third] = [makeImport(1), makeImport(2), makeImport(3, { customer_id: other })]
        yield* imports.insert(first, due)
        yield* imports.insert(second, due - 1)
        yield* imports.insert(third, due - 2)
        yield* imports.insert(makeImport(4, { status: "failed", completed_at: start }), due - 3)
        const overdue = (now: number, limit = 10) =>
          Effect.map(imports.overdue(now, limit), (keys) =>
            keys.map(({ customer_id, id }) => [customer_id, id])
          )
        const [a, b, c] = [first, second, third].map(({ customer_id, id }) => [customer_id, id])
        assert.deepStrictEqual(yield* overdue(due - 3), [])
        assert.deepStrictEqual(yield* overdue(due), [c, b, a] as never)
        assert.deepStrictEqual(yield* overdue(due, 2), [c, b] as never)
        yield* imports.renew(second, due + 1)
        yield* imports.renew({ ...first, customer_id: other }, due + 1)
        yield* imports.renew({ ...first, campaign_id: "camp_000002" }, due + 1)
        assert.deepStrictEqual(yield* overdue(due), [c, a] as never)
        assertNone(yield* imports.getOverdue(second, due))
        assertNone(yield* imports.getOverdue({ ...first, campaign_id: "camp_000002" }, due))
        assertSome(yield* imports.getOverdue(first, due), first)
        const counted = { ...first, total_rows: 7, accepted_rows: 6, rejected_rows: 1 }
        assert.isTrue(yield* imports.update(counted))
        assertSome(yield* imports.getOverdue(first, due), counted)
        assert.isTrue(yield* imports.update(done))
        assert.isFalse(yield* imports.update({ ...done, total_rows: 1 }))
        yield* imports.renew(first, due - 5)
        assertNone(yield* imports.getOverdue(first, due))
        assert.deepStrictEqual(yield* overdue(due + 1), [c, b] as never)
        assertSome(yield* imports.get(ws, "camp_000001", "imp_000001"), done)
      })
    )

    check("are listed newest first, page by page", ({ imports }) =>
      Effect.gen(function* () {
        for (const n of [3, 1, 5, 2, 4]) yield* imports.insert(makeImport(n, { created_at: start }), due)
        yield* imports.insert(makeImport(6, { customer_id: other }), due)
        yield* imports.insert(makeImport(7, { campaign_id: "camp_000002" }), due)
        const pages = yield* Effect.forEach([0, 2, 4, 6], (offset) =>
          imports.list(ws, "camp_000001", { limit: 2, offset })
        )
        assert.deepStrictEqual(
          pages.map(({ data }) => data.map(({ id }) => Number(id.slice(4)))),
          [[5, 4], [3, 2], [1], []]
        )
        assert.deepStrictEqual(
          pages.map(({ total }) => total),
          [5, 5, 5, 5]
        )
      })
    )

    check("keep their refused rows in slices, each to itself, in the order of the file", ({ imports }) =>
      Effect.gen(function* () {
        const slice = (...rows: ReadonlyArray<number>) => rows.map((row) => ({ ...errors[1]!, row }))
        const mine = makeImport(1)
        const others = [
          makeImport(2),
          makeImport(1, { customer_id: other }),
          makeImport(1, { campaign_id: "camp_000002" })
        ]
        yield* imports.addErrors(mine, errors.slice(0, 1))
        for (const one of others) yield* imports.addErrors(one, slice(7, 9))
        yield* imports.addErrors(mine, slice(9, 1_004))
        yield* imports.addErrors(mine, slice(12_345))
        const read = yield* Effect.forEach([0, 2, 8, 9, 12_344, 12_345], (row) =>
          imports.errorsAfter(mine, row)
        )
        assert.deepStrictEqual(read, [
          errors.slice(0, 1),
          slice(9, 1_004),
          slice(9, 1_004),
          slice(12_345),
          slice(12_345),
          []
        ])
        for (const one of others) assert.deepStrictEqual(yield* imports.errorsAfter(one, 0), slice(7, 9))
        assert.deepStrictEqual(yield* imports.errorsAfter(makeImport(3), 0), [])
      })
    )

    check("are as before when a unit fails", ({ imports, transaction }) =>
      Effect.gen(function* () {
        yield* imports.insert(makeImport(1), due)
        yield* Effect.exit(
          transaction(
            ws,
            Effect.zipRight(
              Effect.all([
                imports.insert(makeImport(2), due),
                imports.update(done),
                imports.addErrors(done, errors)
              ]),
              Effect.fail("no")
            )
          )
        )
        assert.deepStrictEqual(yield* imports.list(ws, "camp_000001", page), {
          data: [makeImport(1)],
          total: 1
        })
        assert.deepStrictEqual(yield* imports.errorsAfter(done, 0), [])
      })
    )
  })
