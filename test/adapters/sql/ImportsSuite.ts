import { assert } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import { Effect } from "effect"
import { Database } from "../../../adapters/sql/Database.ts"
import { hour } from "../../../core/model/Codecs.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { makeImport, start, ws } from "../../contracts/repository/Fixtures.ts"

/** A process of a version that renewed no imports stores them without a time by which they are due. */
export const earlierImportsEnd = Effect.gen(function* () {
  const database = yield* Database
  const { imports } = yield* Repository
  const [earlier, ended, renewed] = [
    makeImport(1, { created_at: start }),
    makeImport(2, { created_at: start, status: "completed", completed_at: start }),
    makeImport(3, { created_at: start })
  ]
  for (const each of [earlier, ended, renewed]) yield* imports.insert(each, start)
  yield* database.run(ws, "update imports set due_at = null where id <> ?", [renewed.id])
  yield* imports.renew(renewed, start + 2 * hour)
  const overdue = (now: number) => Effect.map(imports.overdue(now, 10), (keys) => keys.map(({ id }) => id))
  assert.deepStrictEqual(yield* overdue(start + hour - 1), [])
  assertNone(yield* imports.getOverdue(earlier, start + hour - 1))
  assert.deepStrictEqual(yield* overdue(start + hour), [earlier.id])
  assertSome(yield* imports.getOverdue(earlier, start + hour), earlier)
  assert.deepStrictEqual(yield* overdue(start + 2 * hour), [earlier.id, renewed.id])
  assert.isTrue(yield* imports.update({ ...earlier, status: "failed", completed_at: start + hour }))
  assert.deepStrictEqual(yield* overdue(start + 2 * hour), [renewed.id])
})
