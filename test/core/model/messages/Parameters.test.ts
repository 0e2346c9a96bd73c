import { assert, describe, it } from "@effect/vitest"
import { Either, Option } from "effect"
import * as FastCheck from "effect/FastCheck"
import type { Variable } from "../../../../core/model/agents/Prompt.ts"
import { describe as describeIssue } from "../../../../core/model/Issues.ts"
import {
  fill,
  type Mapping,
  mappingIssues,
  type Part,
  type Slot,
  slotsOf
} from "../../../../core/model/messages/Parameters.ts"
import { templateOf, templates } from "./Templates.ts"

const path = ["template", "variables"]

const greeting = templateOf([
  { type: "body", text: "Hello {{1}}, see you on {{2}}.", example: { body_text: [["Ada", "Friday"]] } }
])

const variables = (values: Record<string, Variable>) => new Map(Object.entries(values))

/** As what JSON says: keys are own properties, whatever their names. */
const mappingOf = (slots: ReadonlyArray<Slot>, variableOf: (slot: Slot) => string): Mapping => {
  const parts: Record<string, string> = {}
  for (const part of ["header", "body", "buttons"] as const) {
    const own = slots.filter((slot) => slot.part === part)
    if (own.length === 0) continue
    parts[part] =
      `{${own.map((slot) => `${JSON.stringify(slot.name)}:${JSON.stringify(variableOf(slot))}`).join()}}`
  }
  return JSON.parse(
    `{${Object.entries(parts)
      .map(([part, text]) => `"${part}":${text}`)
      .join()}}`
  ) as Mapping
}

const keyOf = ({ name, part }: Slot) => `${part}/${name}`

const bodyOf = (values: Record<string, Variable>, mapping: Mapping = { body: { "1": "name", "2": "day" } }) =>
  Either.map(fill(greeting, mapping, variables(values)), ({ body }) => Object.fromEntries(body))

describe("the slots of a template", () => {
  it.prop(
    "are all its placeholders, its header's file or place, and its open addresses",
    { made: templates },
    ({ made }) => {
      assert.deepStrictEqual(slotsOf(made.template).map(keyOf), made.slots.map(keyOf))
    }
  )
})

describe("a mapping", () => {
  it.prop(
    "that names a variable for every slot and no other is right; each that is missing or strange is told",
    {
      made: templates,
      dropped: FastCheck.infiniteStream(FastCheck.boolean()),
      strange: FastCheck.subarray(["body/zzz", "header/zzz", "buttons/17", "buttons/zzz"])
    },
    ({ dropped, made, strange }) => {
      const { slots, template } = made
      assert.deepStrictEqual(mappingIssues(template, mappingOf(slots, keyOf), path), [])
      const drops = [...dropped.take(slots.length)]
      const kept = slots.filter((_, i) => !drops[i])
      const more = strange.map((text): Slot => ({
        part: text.split("/")[0] as Part,
        name: text.split("/")[1]!
      }))
      const issues = mappingIssues(template, mappingOf([...kept, ...more], keyOf), path)
      assert.strictEqual(issues.length, slots.length - kept.length + more.length)
      for (const issue of issues) assert.isTrue(describeIssue(issue).startsWith("template.variables."))
    }
  )

  it("says in words which placeholder is left open, and in which part something is too much", () => {
    const [open, strange] = mappingIssues(greeting, { body: { "1": "name" }, header: { "1": "x" } }, path)
    assert.strictEqual(
      describeIssue(open!),
      "template.variables.body must name the variable of a recipient that fills 2"
    )
    assert.strictEqual(
      describeIssue(strange!),
      "template.variables.header names something that the template does not have to be filled with"
    )
  })

  it("never repeats a key that was sent: it may be a phone number", () => {
    const [issue] = mappingIssues(greeting, { body: { "1": "a", "2": "b", "+14155550123": "c" } }, path)
    assert.notInclude(describeIssue(issue!), "4155550123")
  })

  it("needs nothing for a template without placeholders", () => {
    const plain = templateOf([{ type: "body", text: "We are closed today." }])
    assert.deepStrictEqual(mappingIssues(plain, {}, path), [])
    assert.isTrue(Either.isRight(fill(plain, {}, new Map())))
  })
})

const scalar = FastCheck.oneof(
  FastCheck.string(),
  FastCheck.double({ noNaN: true }),
  FastCheck.integer(),
  FastCheck.boolean(),
  FastCheck.constant(null)
)

describe("filling a template", () => {
  it.prop(
    "gives every slot its variable's text, and nothing else; what is not there is never invented",
    { made: templates, values: FastCheck.infiniteStream(scalar) },
    ({ made, values }) => {
      const { slots, template } = made
      const given = new Map<string, Variable>(
        slots.map((slot) => [keyOf(slot), values.next().value as Variable])
      )
      const filled = fill(template, mappingOf(slots, keyOf), given)
      const blank = slots.find((slot) => String(given.get(keyOf(slot)) ?? "").trim() === "")
      if (blank !== undefined) return assert.deepStrictEqual(Either.getLeft(filled), Option.some(blank))
      const parameters = Either.getOrThrow(filled)
      const texts = (["header", "body", "buttons"] as const).flatMap((part) =>
        [...parameters[part]].map(([name, text]) => [keyOf({ part, name }), text] as const)
      )
      assert.deepStrictEqual(texts.map(([key]) => key).sort(), slots.map(keyOf).sort())
      for (const [key, text] of texts) {
        assert.deepStrictEqual(text.split(" "), String(given.get(key)).trim().split(/\s+/))
      }
    }
  )

  it.prop(
    "that lacks a variable, or whose mapping leaves a slot open, gives no message",
    { made: templates, which: FastCheck.nat(), how: FastCheck.constantFrom("variable", "mapping") },
    ({ how, made, which }) => {
      const { slots, template } = made
      if (slots.length === 0) return
      const missing = slots[which % slots.length]!
      const kept = slots.filter((slot) => slot !== missing)
      const given = new Map(slots.map((slot) => [keyOf(slot), "x"]))
      if (how === "variable") given.delete(keyOf(missing))
      assert.deepStrictEqual(
        Either.getLeft(fill(template, mappingOf(how === "mapping" ? kept : slots, keyOf), given)),
        Option.some(missing)
      )
    }
  )

  it("writes numbers and truth values as they are said, and takes a zero and a false for something", () => {
    assert.deepStrictEqual(Either.getOrThrow(bodyOf({ name: 0, day: false })), { "1": "0", "2": "false" })
    assert.deepStrictEqual(Either.getOrThrow(bodyOf({ name: 12.5, day: "1.0" })), { "1": "12.5", "2": "1.0" })
  })

  it("takes what is blank for nothing", () => {
    for (const name of [null, "", " ", "\n\t", "\u00a0"]) {
      assert.deepStrictEqual(
        Either.getLeft(bodyOf({ name, day: "Friday" })),
        Option.some({ part: "body", name: "1" })
      )
    }
    assert.deepStrictEqual(Either.getLeft(bodyOf({ name: "Ada" })), Option.some({ part: "body", name: "2" }))
  })

  it("makes one space of line breaks, tabs and runs of spaces, which no placeholder may hold", () => {
    assert.deepStrictEqual(
      Either.getOrThrow(bodyOf({ name: " Ada\r\n  Lovelace\t", day: "on\u2028Friday" })),
      {
        "1": "Ada Lovelace",
        "2": "on Friday"
      }
    )
  })

  it("does not expand what a variable holds", () => {
    assert.deepStrictEqual(Either.getOrThrow(bodyOf({ name: "{{2}}", day: "{{name}}" })), {
      "1": "{{2}}",
      "2": "{{name}}"
    })
  })

  it("finds a variable by its whole name, and none that objects have by themselves", () => {
    assert.deepStrictEqual(
      Either.getOrThrow(
        bodyOf({ "Ihr Name": "Ada", __proto__x: "Friday" }, { body: { "1": "Ihr Name", "2": "__proto__x" } })
      ),
      {
        "1": "Ada",
        "2": "Friday"
      }
    )
    assert.deepStrictEqual(
      Either.getLeft(bodyOf({ day: "Friday" }, { body: { "1": "toString", "2": "day" } })),
      Option.some({
        part: "body",
        name: "1"
      })
    )
  })

  it("fills one placeholder of many by one variable, and many by the same", () => {
    assert.deepStrictEqual(
      Either.getOrThrow(bodyOf({ name: "Ada" }, { body: { "1": "name", "2": "name" } })),
      { "1": "Ada", "2": "Ada" }
    )
  })
})
