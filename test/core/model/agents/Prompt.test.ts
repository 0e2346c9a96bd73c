import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { placeholders, render, type Variable, variablesOf } from "../../../../core/model/agents/Prompt.ts"
import { RawJson } from "../../../../core/model/json/RawJson.ts"

const name = FastCheck.oneof(
  FastCheck.constantFrom("name", "__proto__", "constructor", "toString", "a b", "größe", "$&", "order.id"),
  FastCheck.fullUnicodeString({ minLength: 1, maxLength: 8 })
)
  .map((text) => text.replaceAll(/[{}]/g, "").trim())
  .filter((text) => text !== "")

const space = FastCheck.stringOf(FastCheck.constantFrom(" ", "\t", "\n"), { maxLength: 2 })

/** Text with no brace in it, so that what is placed beside it keeps its meaning. */
const plain = FastCheck.fullUnicodeString({ maxLength: 8 }).map((text) => text.replaceAll(/[{}]/g, ""))

/** Text that nothing is to be read into, braces and all. */
const braces = FastCheck.stringOf(FastCheck.constantFrom("{", "}", "a", " "), { maxLength: 40 })

const variable = FastCheck.oneof(
  FastCheck.fullUnicodeString(),
  FastCheck.constantFrom<Variable>("{{name}}", "{{ constructor }}", "$1 $& $$ $`", null, true, false, 0, -1.5)
)

const variables = FastCheck.array(FastCheck.tuple(name, variable)).map((entries) => new Map(entries))

/** A prompt with the names it asks for, written with spaces as they come. */
const written = FastCheck.tuple(
  plain,
  FastCheck.array(FastCheck.tuple(space, name, space, plain), { maxLength: 6 })
).map(([first, parts]) => ({
  prompt:
    first + parts.map(([before, asked, after, text]) => `{{${before}${asked}${after}}}${text}`).join(""),
  parts,
  first
}))

describe("Prompt.placeholders", () => {
  it.prop("are the distinct names in order of first appearance", [written], ([{ parts, prompt }]) => {
    assert.deepStrictEqual(placeholders(prompt), [...new Set(parts.map(([, asked]) => asked))])
  })

  it("have a name that is not empty and has no brace in it", () => {
    assert.deepStrictEqual(placeholders("{{}} {{ }} {{\n}} {a} {{b} } {{c}} {{{d}}} {{e{f}}} {{{{ g }}}}"), [
      "c",
      "d",
      "g"
    ])
  })
})

describe("Prompt.render", () => {
  it.prop(
    "puts each value in its placeholder's place, leaves the rest as it is, and expands no value again",
    [written, variables],
    ([{ first, parts, prompt }, values]) => {
      const expected = parts.map(([, asked, , text]) => {
        const value = values.get(asked)
        return (value === undefined || value === null ? "" : String(value)) + text
      })
      assert.strictEqual(render(prompt, values), first + expected.join(""))
    },
    { fastCheck: { numRuns: 500 } }
  )

  it.prop("leaves a prompt without placeholders alone", [braces, variables], ([prompt, values]) => {
    if (placeholders(prompt).length === 0) assert.strictEqual(render(prompt, values), prompt)
  })

  it.prop("leaves nothing of a placeholder that has no value", [written], ([{ first, parts, prompt }]) => {
    assert.strictEqual(render(prompt, new Map()), first + parts.map(([, , , text]) => text).join(""))
  })

  it("leaves braces alone that hold no name", () => {
    const prompt = "{{}} {{ }} {{\n}} {a} {{a} } { {a}}"
    assert.strictEqual(render(prompt, new Map([["a", "x"]]).set("", "y")), prompt)
  })

  it("writes numbers and booleans as String does, null and unknown names as nothing", () => {
    const values = new Map<string, Variable>([
      ["n", 1.5],
      ["zero", 0],
      ["yes", true],
      ["no", false],
      ["none", null],
      ["empty", ""]
    ])
    assert.strictEqual(
      render("[{{n}}|{{ zero }}|{{yes}}|{{no}}|{{none}}|{{empty}}|{{toString}}]", values),
      "[1.5|0|true|false|||]"
    )
  })

  it("does not expand what a value contains, be it placeholders or replacement patterns", () => {
    const values = new Map<string, Variable>([
      ["a", "{{b}}"],
      ["b", "$& $1 {{a}}"]
    ])
    assert.strictEqual(render("{{a}}{{b}}", values), "{{b}}$& $1 {{a}}")
    assert.strictEqual(render("{{{a}}}", values), "{{{b}}}")
  })

  it("reads a megabyte of braces, spaces or unfinished placeholders in one pass", () => {
    const half = 500_000
    const hostile = [
      "{".repeat(2 * half),
      "}".repeat(2 * half),
      "{{" + " ".repeat(2 * half),
      "{{a".repeat(half),
      "{{ ".repeat(half),
      "{{a}".repeat(half),
      `${"{".repeat(half)}a}`,
      "{ ".repeat(half) + "}".repeat(half)
    ]
    for (const prompt of hostile) {
      assert.deepStrictEqual(placeholders(prompt), [], prompt.slice(0, 8))
      assert.isTrue(render(prompt, new Map([["a", "x"]])) === prompt, prompt.slice(0, 8))
    }
    const nested = "{".repeat(half) + "a" + "}".repeat(half)
    assert.deepStrictEqual(placeholders(nested), ["a"])
    assert.strictEqual(render(nested, new Map([["a", ""]])).length, 2 * half - 4)
  })
})

describe("Prompt.variablesOf", () => {
  const json = (value: unknown) => RawJson(JSON.stringify(value))

  it.prop(
    "are the object's own names and values",
    [
      FastCheck.array(
        FastCheck.tuple(
          FastCheck.oneof(name, FastCheck.fullUnicodeString()),
          FastCheck.oneof(
            FastCheck.fullUnicodeString(),
            FastCheck.maxSafeInteger(),
            FastCheck.double({ min: -1e15, max: 1e15, noNaN: true }).map((value) => value + 0),
            FastCheck.boolean(),
            FastCheck.constant(null)
          )
        )
      )
    ],
    ([entries]) => {
      const members = entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      const expected = new Map(
        entries.map(([key, value]) => [key, JSON.parse(JSON.stringify(value)) as Variable])
      )
      assert.deepStrictEqual(new Map(variablesOf(RawJson(`{${members.join(", ")}}`))), expected)
    }
  )

  it("are none without an object", () => {
    for (const absent of [null, RawJson("[]"), RawJson("null"), RawJson('"{}"'), RawJson("{}")]) {
      assert.strictEqual(variablesOf(absent).size, 0)
    }
  })

  it("may be named __proto__ and constructor, and touch no prototype", () => {
    const values = variablesOf(RawJson('{"__proto__": "p", "constructor": "c", "name": "n"}'))
    assert.strictEqual(render("{{__proto__}}{{constructor}}{{name}}{{toString}}", values), "pcn")
    const nested = variablesOf(RawJson('{"__proto__": {"polluted": "yes"}, "name": "n"}'))
    assert.deepStrictEqual([...nested.keys()], ["name"])
    assert.strictEqual(render("{{polluted}}{{name}}", nested), "n")
    assert.isFalse("polluted" in {})
  })

  it("keep the digits of a number that is too large to be read exactly", () => {
    const values = variablesOf(RawJson('{"order": 12345678901234567890, "far": 1e400, "near": 1.50}'))
    assert.strictEqual(render("{{order}} {{far}} {{near}}", values), "12345678901234567890 1e400 1.5")
  })

  it("are no arrays and no objects", () => {
    assert.deepStrictEqual([...variablesOf(json({ list: [1], object: {}, text: "t" }))], [["text", "t"]])
  })
})
