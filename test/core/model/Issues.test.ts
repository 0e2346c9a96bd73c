import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { Characters } from "../../../core/model/Codecs.ts"
import { describe as worded, issuesOf } from "../../../core/model/Issues.ts"

const wrong = <A, I>(schema: Schema.Schema<A, I>, value: unknown): ReadonlyArray<string> =>
  issuesOf(Either.getOrThrow(Either.flip(Schema.decodeUnknownEither(schema, { errors: "all" })(value)))).map(
    worded
  )

const Status = Schema.Literal("queued", "ringing", "completed")

describe("a wrong value of an enumeration", () => {
  it("is answered with all values", () => {
    const message = ['status must be "queued", "ringing" or "completed"']
    for (const status of ["done", 1, null, {}]) {
      assert.deepStrictEqual(wrong(Schema.Struct({ status: Status }), { status }), message)
      assert.deepStrictEqual(wrong(Schema.Struct({ status: Schema.optional(Status) }), { status }), message)
    }
  })

  it("is answered with null, where that is one of them", () => {
    assert.deepStrictEqual(
      wrong(Schema.Struct({ status: Schema.NullOr(Schema.Literal("a")) }), { status: 1 }),
      ['status must be "a" or null']
    )
  })

  it("is told apart from those of other fields", () => {
    const Two = Schema.Struct({ a: Schema.optional(Schema.Literal("x", "y")), b: Schema.Literal("z") })
    assert.deepStrictEqual(wrong(Two, { a: 1, b: 2 }), ['a must be "x" or "y"', 'b must be "z"'])
  })
})

describe("what is no object", () => {
  it("is answered with that it must be one, whether its schema has a name or not", () => {
    const Plain = Schema.Struct({ name: Schema.NullOr(Schema.String) })
    for (const schema of [Plain, Plain.annotations({ identifier: "ModelChoice" })]) {
      assert.deepStrictEqual(wrong(Schema.Struct({ model: schema }), { model: "m" }), [
        "model must be an object"
      ])
      assert.strictEqual(
        wrong(Schema.Struct({ model: Schema.NullOr(schema) }), { model: 5 })[0],
        "model must be an object"
      )
    }
  })
})

describe("the length of a text", () => {
  it("is counted in characters, as JSON Schema counts them", () => {
    const Name = Schema.Struct({ name: Characters(1, 3) })
    const decode = Schema.decodeUnknownEither(Name)
    assert.isTrue(Either.isRight(decode({ name: "😀😀😀" })))
    assert.deepStrictEqual(wrong(Name, { name: "😀😀😀😀" }), ["name must be 1 to 3 characters long"])
    assert.deepStrictEqual(wrong(Name, { name: "" }), ["name must be 1 to 3 characters long"])
    assert.deepStrictEqual(wrong(Schema.Struct({ name: Characters(0, 3) }), { name: "abcd" }), [
      "name must be at most 3 characters long"
    ])
  })
})
