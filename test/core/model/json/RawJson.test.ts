import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import {
  depth,
  hasNulOrLoneSurrogate,
  isDeeperThan,
  isLongerThan,
  topLevel
} from "../../../../core/model/json/RawJson.ts"

/** A JSON text as a person might write it, with its depth, counted while it was written. */
interface Written {
  readonly text: string
  readonly depth: number
}

const space = FastCheck.stringOf(FastCheck.constantFrom(" ", "\t", "\n", "\r"), { maxLength: 3 })

const character = FastCheck.oneof(
  FastCheck.constantFrom("{", "}", "[", "]", ",", ":", " ", "/", "é", "😀", "\u2028", "\u007f"),
  FastCheck.constantFrom(...'"\\/bfnrt').map((escaped) => `\\${escaped}`),
  FastCheck.constantFrom("\\u0041", "\\u0022", "\\u005c", "\\u0000", "\\ud83d\\ude00", "\\uD800", "\\u007B"),
  FastCheck.fullUnicode().map((plain) => JSON.stringify(plain).slice(1, -1))
)

const string = FastCheck.array(character, { maxLength: 6 }).map((parts) => `"${parts.join("")}"`)

const number = FastCheck.oneof(
  FastCheck.constantFrom("1.0", "-0", "1e400", "-1E+400", "12345678901234567890", "0.10e-7", "2.50"),
  FastCheck.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value))
)

const scalar = FastCheck.oneof(FastCheck.constantFrom("true", "false", "null"), number, string).map(
  (text): Written => ({ text, depth: 0 })
)

const deepest = (items: ReadonlyArray<Written>) => Math.max(0, ...items.map((item) => item.depth))

/** Few names, so that they repeat, some of them spelled with escapes. */
const name = FastCheck.oneof(
  FastCheck.constantFrom('"a"', '"\\u0061"', '""', '"__proto__"', '"constructor"', '"metadata"'),
  FastCheck.constant('"me\\u0074adata"'),
  string
)

const padded = (inner: FastCheck.Arbitrary<string>) =>
  FastCheck.tuple(space, inner, space).map((parts) => parts.join(""))

const joined = (open: string, close: string, items: ReadonlyArray<string>, empty: string) =>
  open + (items.length === 0 ? empty : items.join(",")) + close

const { value } = FastCheck.letrec<{ value: Written; array: Written; object: Written }>((tie) => ({
  value: FastCheck.oneof({ depthSize: "small", withCrossShrink: true }, scalar, tie("array"), tie("object")),
  array: FastCheck.tuple(
    FastCheck.array(FastCheck.tuple(space, tie("value"), space), { maxLength: 4 }),
    space
  ).map(([items, empty]) => ({
    text: joined(
      "[",
      "]",
      items.map(([before, { text }, after]) => before + text + after),
      empty
    ),
    depth: 1 + deepest(items.map(([, item]) => item))
  })),
  object: FastCheck.tuple(
    FastCheck.array(FastCheck.tuple(padded(name), space, tie("value"), space), { maxLength: 4 }),
    space
  ).map(([members, empty]) => ({
    text: joined(
      "{",
      "}",
      members.map(([key, before, { text }, after]) => `${key}:${before}${text}${after}`),
      empty
    ),
    depth: 1 + deepest(members.map(([, , item]) => item))
  }))
}))

const object = FastCheck.tuple(
  space,
  FastCheck.array(FastCheck.tuple(space, name, space, space, value, space), { maxLength: 6 }),
  space
).map(([before, members, after]) => {
  const written = members.map(([a, key, b, c, { text }, d]) => `${a}${key}${b}:${c}${text}${d}`)
  return {
    text: before + joined("{", "}", written, before) + after,
    members: members.map(([, key, , , { text }]) => [key, text] as const)
  }
})

describe("RawJson.topLevel", () => {
  it.prop(
    "gives each property's text exactly as it was written, the last of those with one name",
    [object],
    ([{ members, text }]) => {
      const expected = new Map(members.map(([key, slice]) => [JSON.parse(key) as string, slice]))
      assert.deepStrictEqual(new Map(topLevel(text)), expected)
    },
    { fastCheck: { numRuns: 1_000 } }
  )

  it.prop(
    "agrees with JSON.parse on names and values",
    [object],
    ([{ text }]) => {
      const parsed = JSON.parse(text) as Record<string, unknown>
      const slices = topLevel(text)
      assert.deepStrictEqual([...slices.keys()].sort(), Object.keys(parsed).sort())
      for (const [key, slice] of slices) {
        assert.isTrue(text.includes(slice))
        assert.deepStrictEqual(JSON.parse(slice), parsed[key])
      }
    },
    { fastCheck: { numRuns: 1_000 } }
  )

  it.prop(
    "reads what JSON.stringify wrote, indented or not",
    [
      FastCheck.dictionary(FastCheck.fullUnicodeString(), FastCheck.jsonValue()),
      FastCheck.integer({ min: 0, max: 3 })
    ],
    ([record, indent]) => {
      const slices = topLevel(JSON.stringify(record, null, indent))
      assert.strictEqual(slices.size, Object.keys(record).length)
      for (const key of Object.keys(record)) {
        assert.deepStrictEqual(JSON.parse(slices.get(key)!), JSON.parse(JSON.stringify(record[key])))
      }
    }
  )

  it("keeps digits, key order and duplicate keys inside a value", () => {
    const metadata =
      '{"z": 1.0, "a": 12345678901234567890, "a": 1e400, "in": {"k":1,"k":2}, "s": "\\u0041\\/é"}'
    const slices = topLevel(` {"metadata"\n:\t${metadata}\r\n, "n" : -0.0 }`)
    assert.strictEqual(slices.get("metadata"), metadata)
    assert.strictEqual(slices.get("n"), "-0.0")
  })

  it("reads names with their escapes resolved, and takes __proto__ for an ordinary one", () => {
    const slices = topLevel('{"me\\u0074adata": {"a":1}, "__proto__": {"polluted": true}}')
    assert.deepStrictEqual([...slices.keys()], ["metadata", "__proto__"])
    assert.strictEqual(slices.get("__proto__"), '{"polluted": true}')
    assert.isUndefined((slices as unknown as Record<string, unknown>)["polluted"])
  })

  it("takes the last of two properties with one name, however it is spelled", () => {
    const slices = topLevel('{"a":1,"b":2,"\\u0061":[3]}')
    assert.deepStrictEqual([...slices.keys()], ["a", "b"])
    assert.deepStrictEqual([...slices.values()].map(String), ["[3]", "2"])
  })

  it("finds no properties in what is no object", () => {
    for (const text of ["[]", '["a"]', '"{}"', "1", " null ", "{}", " { \n } "]) {
      assert.strictEqual(topLevel(text).size, 0, text)
    }
  })

  it("takes a text nested a million deep, since it never recurses", () => {
    const nested = "[".repeat(1_000_000) + "]".repeat(1_000_000)
    assert.strictEqual(topLevel(`{"a":${nested},"b":1}`).get("a"), nested)
    assert.strictEqual(depth(nested), 1_000_000)
  })
})

describe("RawJson.depth", () => {
  it.prop(
    "counts the arrays and objects around the innermost value",
    [value],
    ([written]) => assert.strictEqual(depth(written.text), written.depth),
    { fastCheck: { numRuns: 1_000 } }
  )

  it("does not count brackets inside strings", () => {
    assert.strictEqual(depth('"[[[["'), 0)
    assert.strictEqual(depth('{"[{": "\\"]}[[", "a": [{}]}'), 3)
  })
})

describe("a limit of a JSON text", () => {
  it.prop("of levels is that of its depth", [value, FastCheck.nat(6)], ([{ depth, text }, levels]) => {
    assert.strictEqual(isDeeperThan(text, levels), depth > levels)
  })

  it.prop(
    "of bytes is that of its UTF-8",
    [FastCheck.fullUnicodeString({ maxLength: 20 }), FastCheck.nat(60)],
    ([text, bytes]) => {
      assert.strictEqual(isLongerThan(text, bytes), new TextEncoder().encode(text).length > bytes)
    },
    { fastCheck: { numRuns: 1_000 } }
  )
})

describe("RawJson.hasNulOrLoneSurrogate", () => {
  const clean = FastCheck.fullUnicodeString().map((text) => text.replaceAll("\u0000", ""))
  const bad = FastCheck.constantFrom("\u0000", "\ud800", "\udc00", "\ude00\ud83d", "\ud83d\ud83d\ude00")
  const cleanJson = FastCheck.letrec((tie) => ({
    value: FastCheck.oneof(
      { depthSize: "small" },
      FastCheck.oneof(FastCheck.constant(null), FastCheck.boolean(), FastCheck.double()),
      clean,
      FastCheck.array(tie("value"), { maxLength: 4 }),
      FastCheck.dictionary(clean, tie("value"), { maxKeys: 4 })
    )
  })).value

  it.prop("lets through what every store can hold", [cleanJson], ([json]) => {
    assert.isFalse(hasNulOrLoneSurrogate(json))
  })

  it.prop(
    "finds one bad string at any depth, as a value or as a key",
    [
      cleanJson,
      clean,
      bad,
      clean,
      FastCheck.boolean(),
      FastCheck.array(FastCheck.constantFrom("array", "object"), { maxLength: 64 })
    ],
    ([sibling, before, character, after, asKey, path]) => {
      const text = before + character + after
      const innermost: unknown = asKey ? { [text]: 1 } : text
      const json = path.reduce<unknown>(
        (inner, kind) =>
          kind === "array" ? [sibling, inner, sibling] : { before: sibling, inner, after: 0 },
        innermost
      )
      assert.isTrue(hasNulOrLoneSurrogate(json))
    }
  )

  it("looks into keys that touch prototypes elsewhere", () => {
    assert.isTrue(hasNulOrLoneSurrogate(JSON.parse('{"__proto__": {"a": ["\\u0000"]}}')))
    assert.isFalse(hasNulOrLoneSurrogate(JSON.parse('{"__proto__": {"a": ["\\ud83d\\ude00"]}}')))
  })
})
