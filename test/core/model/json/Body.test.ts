import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { reader } from "../../../../core/model/json/Body.ts"

const read = reader(Schema.Struct({ metadata: Schema.Unknown }), { metadata: 100 })

describe("a body whose JSON is kept as sent", () => {
  it("keeps escaped surrogates and NUL, which every store can hold", () => {
    const metadata = '{"a":"\\ud800","\\u0000":1e400}'
    const body = read(`{"metadata":${metadata}}`)
    assert.strictEqual(Either.getOrThrow(body).raw("metadata"), metadata)
  })

  it("is refused with a surrogate that stands alone, which UTF-8 cannot write", () => {
    for (const lone of ["\ud800", "\udc00", "\udc00\ud800"]) {
      const body = read(`{"metadata":{"a":"${lone}"}}`)
      assert.deepStrictEqual(body, Either.left([{ path: [], message: "the body is not valid JSON" }]))
    }
    assert.isTrue(Either.isRight(read('{"metadata":{"a":"😀"}}')))
  })
})
