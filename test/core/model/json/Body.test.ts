import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { reader } from "../../../../core/model/json/Body.ts"

const { text: read, value } = reader(Schema.Struct({ metadata: Schema.Unknown }), { metadata: 100 })

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

describe("a body that is a value already", () => {
  it("is written as JSON where it is kept, and read as it stands everywhere else", () => {
    const body = Either.getOrThrow(value({ metadata: { at: new Date(0), order: [1, null] } }))
    assert.strictEqual(body.raw("metadata"), '{"at":"1970-01-01T00:00:00.000Z","order":[1,null]}')
  })

  it("is refused by the same rules: an object, not too large, not too deep, and of JSON", () => {
    const issueOf = (sent: unknown) =>
      Either.match(value(sent), { onLeft: ([issue]) => issue?.message, onRight: () => null })
    const circle: Record<string, unknown> = {}
    circle["self"] = circle
    const deep = JSON.parse(`${"[".repeat(45)}${"]".repeat(45)}`) as unknown
    assert.strictEqual(issueOf([]), "the body must be a JSON object")
    assert.strictEqual(issueOf({ metadata: "a".repeat(99) }), "metadata must be at most 100 bytes of JSON")
    assert.strictEqual(issueOf({ metadata: circle }), "the input cannot be written as JSON")
    assert.strictEqual(issueOf({ metadata: 1n }), "the input cannot be written as JSON")
    assert.isNull(issueOf({ metadata: deep }))
  })
})
