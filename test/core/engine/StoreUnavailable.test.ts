import { assert, describe, it } from "@effect/vitest"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"

describe("a store that is away", () => {
  it("says why, in the words of the error at the root, or by its code", () => {
    const disk = new Error("the statement failed", { cause: new Error("database or disk is full") })
    const refused = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" })
    for (const [cause, why] of [
      [disk, "database or disk is full"],
      [refused, "ECONNREFUSED"],
      ["gone", "gone"],
      [undefined, "no reason given"]
    ]) {
      assert.strictEqual(
        new StoreUnavailable({ cause }).message,
        `the store cannot be read or written: ${why}`
      )
    }
  })
})
