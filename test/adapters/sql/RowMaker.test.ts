import { execFileSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { looped, rowMaker, valuesMaker } from "../../../adapters/sql/RowMaker.ts"

const columns = FastCheck.uniqueArray(
  FastCheck.string({ unit: "binary" }).filter((name) => name !== "__proto__"),
  { maxLength: 40 }
)

describe("a row", () => {
  it.prop("has the value of each column under its name", [columns], ([names]) => {
    const values = names.map((_, at) => (at % 2 === 0 ? at : null))
    for (const row of [rowMaker(names)(values), looped(names)(values)]) {
      assert.deepStrictEqual(
        new Map(Object.entries(row)),
        new Map(names.map((name, at) => [name, values[at]]))
      )
    }
  })

  it.prop("has its values in the order of the columns, whatever else it has", [columns], ([names]) => {
    const row = Object.fromEntries(names.map((name, at) => [name, at]))
    assert.deepStrictEqual(
      valuesMaker(names)({ ...row, [`${names.join("")} `]: "more" }),
      names.map((_, at) => at)
    )
  })

  it("is the same where a process may make no code of texts", () => {
    const module = new URL("../../../adapters/sql/RowMaker.ts", import.meta.url).href
    const printed = execFileSync(process.execPath, [
      "--disallow-code-generation-from-strings",
      "--import=tsx",
      "--input-type=module",
      "--eval",
      `const { rowMaker, valuesMaker } = await import("${module}")
       const names = ["id", "amount"]
       const row = rowMaker(names)(["led_1", 2])
       process.stdout.write(JSON.stringify([row, valuesMaker(names)(row)]))`
    ])
    assert.strictEqual(printed.toString(), `[{"id":"led_1","amount":2},["led_1",2]]`)
  })
})
