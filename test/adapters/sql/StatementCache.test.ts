import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { keyOf } from "../../../adapters/sql/postgres/Locks.ts"
import { numbered, prepare } from "../../../adapters/sql/postgres/StatementCache.ts"

const ownerOf = (sql: string) => prepare(sql).owner

describe("texts for PostgreSQL", () => {
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

  it("name the workspace among the parameters, wherever it stands", () => {
    assert.strictEqual(ownerOf("insert into calls (call_id, customer_id, x) values (?, ?, ?)"), 1)
    assert.strictEqual(ownerOf("insert into workspaces (id, name) values (?, ?)"), 0)
    assert.strictEqual(
      ownerOf("insert into recipient_lists (customer_id, list) select ?, max(list) from t"),
      0
    )
    assert.strictEqual(ownerOf("update calls set a = ?, b = ? where customer_id = ? and call_id = ?"), 2)
    assert.strictEqual(ownerOf("select * from d where next_attempt_at <= ? and d.customer_id = ?"), 1)
    assert.strictEqual(ownerOf("update workspaces set name = ?, updated_at = ? where id = ?"), 2)
    assert.strictEqual(ownerOf("select * from workspaces where id = ?"), 0)
  })

  it("name none where they go by something else", () => {
    assert.strictEqual(ownerOf("select * from api_keys where id = ?"), -1)
    assert.strictEqual(ownerOf("insert into recipients (list, queue) values (?, ?)"), -1)
    assert.strictEqual(ownerOf("select w.id from workspaces w order by w.id"), -1)
  })

  it("have one name each", () => {
    assert.strictEqual(prepare("select ?").name, prepare("select ?").name)
    assert.notStrictEqual(prepare("select ?").name, prepare("select  ?").name)
  })

  it.prop("give a workspace a lock whose number fits", [FastCheck.string()], ([id]) => {
    const key = keyOf(id)
    assert.strictEqual(key, key | 0)
    assert.strictEqual(key, keyOf(id))
  })
})
