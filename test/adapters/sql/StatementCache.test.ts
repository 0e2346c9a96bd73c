import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { keyOf, keysOf } from "../../../adapters/sql/postgres/Locks.ts"
import { numbered, prepare } from "../../../adapters/sql/postgres/StatementCache.ts"

describe("statements for PostgreSQL", () => {
  it.prop(
    "number their parameters from one, and leave literals as they are",
    [FastCheck.array(FastCheck.constantFrom("?", "a = ?", "'?'", "'it''s ?'", "''", " and "))],
    ([parts]) => {
      let count = 0
      const expected = parts.map((part) =>
        part.startsWith("'") ? part : part.replaceAll("?", () => `$${++count}`)
      )
      assert.strictEqual(numbered(parts.join(" ")), expected.join(" "))
    }
  )

  it("have one name each", () => {
    assert.strictEqual(prepare("select ?").name, prepare("select ?").name)
    assert.notStrictEqual(prepare("select ?").name, prepare("select  ?").name)
  })

  it.prop("give a workspace a lock whose number fits", [FastCheck.string()], ([id]) => {
    const key = keyOf(id)
    assert.strictEqual(key, key | 0)
    assert.strictEqual(key, keyOf(id))
  })
  it.prop(
    "take the locks of any workspaces in one order, each once",
    [FastCheck.array(FastCheck.string())],
    ([ids]) => {
      const keys = keysOf(ids)
      assert.deepStrictEqual(keys, keysOf(ids.toReversed()))
      assert.deepStrictEqual(
        keys,
        [...new Set(ids.map(keyOf))].sort((left, right) => left - right)
      )
    }
  )
})
