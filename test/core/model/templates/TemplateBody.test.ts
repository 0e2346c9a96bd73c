import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as FastCheck from "effect/FastCheck"
import { describe as worded, fieldOf } from "../../../../core/model/Issues.ts"
import { placeholdersOf } from "../../../../core/model/templates/Placeholders.ts"
import { templateFromJson } from "../../../../core/model/templates/TemplateBody.ts"

type Json = Record<string, unknown>

const body = (text = "Hello.", example?: unknown): Json => ({
  type: "body",
  text,
  ...(example !== undefined && { example })
})
const draft = (over: Json = {}): Json => ({
  name: "reminder",
  language: "en_US",
  category: "utility",
  components: [body()],
  ...over
})
const withParts = (...components: ReadonlyArray<unknown>) => draft({ components: [body(), ...components] })
const named = (component: unknown) => draft({ parameter_format: "named", components: [component] })
const buttons = (...entries: ReadonlyArray<unknown>) => ({ type: "buttons", buttons: entries })
const url = (address: string, example?: unknown) => ({
  type: "url",
  text: "Open",
  url: address,
  ...(example !== undefined && { example })
})
const reply = (text: string) => ({ type: "quick_reply", text })
const phone = { type: "phone_number", text: "Call", phone_number: "+14155550100" }

const read = (sent: unknown) => templateFromJson(JSON.stringify(sent))

const accepted = (sent: unknown) => {
  const result = read(sent)
  if (Either.isLeft(result)) assert.fail(JSON.stringify(result.left))
  return result.right
}

/** The issues of what is refused, in words. */
const refusals = (sent: unknown): ReadonlyArray<string> =>
  Either.match(read(sent), { onLeft: (issues) => issues.map(worded), onRight: () => [] })

const refused = (sent: unknown, ...expected: ReadonlyArray<string>) => {
  const issues = refusals(sent)
  assert.strictEqual(issues.length, expected.length, JSON.stringify(issues))
  expected.forEach((part, i) => assert.include(issues[i]!, part))
}

describe("the body of a message template", () => {
  it("is taken as it is, with positional parameters unless told", () => {
    const components = [
      { type: "header", format: "text", text: "For {{1}}", example: { header_text: ["Ada"] } },
      body("Hello {{1}}, {{2}} is the day, {{1}}.", { body_text: [["Ada", "Friday"]] }),
      { type: "footer", text: "The practice" },
      buttons(
        reply("Yes"),
        url("https://example.com/a?b=c#d"),
        url("http://example.com:8080/{{1}}", ["x"]),
        phone
      )
    ]
    assert.deepStrictEqual(accepted(draft({ components })), {
      ...draft({ components }),
      parameter_format: "positional"
    } as never)
  })

  it("takes keywords in upper case and keeps them in lower case, and texts as they are", () => {
    const upper = draft({
      category: "MARKETING",
      parameter_format: "POSITIONAL",
      components: [
        { type: "HEADER", format: "IMAGE", example: { header_handle: ["4::aW"] } },
        { type: "BODY", text: "HELLO" },
        { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "YES" }] }
      ]
    })
    assert.deepStrictEqual(accepted(upper), {
      name: "reminder",
      language: "en_US",
      category: "marketing",
      parameter_format: "positional",
      components: [
        { type: "header", format: "image", example: { header_handle: ["4::aW"] } },
        { type: "body", text: "HELLO" },
        { type: "buttons", buttons: [{ type: "quick_reply", text: "YES" }] }
      ]
    })
  })

  it("has a name, a language and a category of a known form", () => {
    for (const name of ["a", "0_a", "x".repeat(512)]) assert.isEmpty(refusals(draft({ name })))
    for (const name of ["", "A", "a-b", "a b", "é", "x".repeat(513), "a\n"]) {
      refused(draft({ name }), "name must be 1 to 512 lower-case letters, digits and underscores")
    }
    for (const language of ["en", "fil", "en_US", "pt_BR", "zh_Hans_CN", "es_419"]) {
      assert.isEmpty(refusals(draft({ language })))
    }
    for (const language of ["", "EN", "en-US", "en_us", "english", "en_", "en_USA"]) {
      refused(draft({ language }), "language must be a code such as")
    }
    for (const category of ["", "other", 1, null, "marketing "]) {
      refused(draft({ category }), "category must be marketing, utility or authentication")
    }
    refused(draft({ parameter_format: "numbered" }), "parameter_format must be positional or named")
  })

  it("is refused with the issues of all its fields, none of which repeats what was sent", () => {
    const issues = refusals({ name: "SECRET", category: "SECRET", components: 1, SECRET: "SECRET" })
    assert.strictEqual(issues.length, 5, JSON.stringify(issues))
    for (const [i, field] of ["name", "language", "category", "components"].entries()) {
      assert.isTrue(
        issues.some((issue) => issue.startsWith(field)),
        `${i} ${field}`
      )
    }
    refused(
      draft({
        components: [
          { type: "header", format: "text", text: "" },
          body("{{x}}"),
          { type: "footer", text: "{{1}}" },
          { type: "poll" },
          7
        ]
      }),
      "components.0.text must have 1 to 60 characters",
      "components.1.text must have placeholders such as {{1}}",
      "components.2.text must not have placeholders",
      "components.3.type must be one of header, body, footer, buttons",
      "components.4 must be an object"
    )
    for (const sent of [[], 1, null, "x"]) refused(sent, "the body must be a JSON object")
    assert.isTrue(Either.isLeft(templateFromJson("{")))
  })

  it("has exactly one body, and at most one header, footer and set of buttons", () => {
    const header = { type: "header", format: "location" }
    const footer = { type: "footer", text: "Bye" }
    refused(draft({ components: [] }), "components must have exactly one body")
    refused(withParts(body()), "components must have exactly one body")
    refused(withParts(header, header), "components must have at most one header")
    refused(withParts(footer, footer), "components must have at most one footer")
    refused(withParts(buttons(reply("a")), buttons(reply("b"))), "components must have at most one buttons")
    assert.isEmpty(refusals(withParts(footer, header, buttons(reply("a")))))
  })

  it("refuses properties that a component or a button does not have, and text that cannot be stored", () => {
    refused(
      withParts({ type: "footer", text: "Bye", format: "text" }),
      "components.1.format is not permitted"
    )
    refused(
      withParts({ type: "header", format: "location", text: "x" }),
      "components.1.text is not permitted"
    )
    refused(withParts(buttons({ ...reply("a"), url: "x" })), "components.1.buttons.0.url is not permitted")
    refused(draft({ components: [body("Hi", { header_text: [] })] }), "header_text is not permitted")
    const proto = JSON.stringify(draft()).replace('"type"', '"__proto__":{},"type"')
    assert.isTrue(Either.isLeft(templateFromJson(proto)))
    for (const text of ["a\u0000b", "a\ud800b"]) {
      refused(draft({ components: [body(text)] }), "components.0.text must not contain NUL")
    }
  })

  it("answers to nesting of any depth", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000)
    const sent = JSON.stringify(draft({ components: 0 })).replace('"components":0', `"components":${deep}`)
    assert.isTrue(Either.isLeft(templateFromJson(sent)))
  })
})

describe("texts", () => {
  it("have their limits", () => {
    assert.isEmpty(refusals(draft({ components: [body("x".repeat(1_024))] })))
    for (const text of ["", "   ", "x".repeat(1_025), 1, null]) {
      assert.lengthOf(refusals(draft({ components: [body(text as string)] })), 1, String(text))
    }
    assert.isEmpty(refusals(withParts({ type: "header", format: "text", text: "x".repeat(60) })))
    refused(
      withParts({ type: "header", format: "text", text: "x".repeat(61) }),
      "components.1.text must have 1 to 60 characters"
    )
    assert.isEmpty(refusals(withParts({ type: "footer", text: "x".repeat(60) })))
    refused(withParts({ type: "footer", text: "x".repeat(61) }), "components.1.text must have 1 to 60")
    refused(withParts({ type: "header", format: "sound" }), "components.1.format must be one of text, image")
    refused(withParts({ type: "header" }), "components.1.format must be one of text, image")
  })

  it("have positional placeholders numbered from 1 without gaps", () => {
    const samples = (n: number) => ({ body_text: [Array.from({ length: n }, () => "x")] })
    assert.isEmpty(refusals(draft({ components: [body("a {{2}} b {{1}} c", samples(2))] })))
    for (const text of ["a {{2}} b", "a {{1}} b {{3}} c", "a {{10001}} b"]) {
      assert.lengthOf(refusals(draft({ components: [body(text, samples(1))] })), 1, text)
    }
    for (const text of ["a {{0}} b", "a {{01}} b", "a {{ 1 }} b", "a {{x}} b", "a {{}} b", "a {{-1}} b"]) {
      refused(draft({ components: [body(text, samples(1))] }), "must have placeholders such as {{1}}")
    }
    for (const text of ["a {{1} b", "a {{ b", "a }} b", "a {{{1}}} b", "a {{1}}} b", "a {{{{1}}}} b"]) {
      refused(draft({ components: [body(text, samples(1))] }), "braces {{ and }} in pairs")
    }
    assert.isEmpty(refusals(draft({ components: [body("a { b } c {1} d")] })))
  })

  it("have named placeholders in lower case", () => {
    const sample = (param_name: string) => ({ param_name, example: "x" })
    const of = (...names: ReadonlyArray<string>) => ({ body_text_named_params: names.map(sample) })
    assert.isEmpty(
      refusals(named(body("Hi {{first_name}} and {{day_2}}, {{first_name}}!", of("day_2", "first_name"))))
    )
    for (const name of ["First", "1", "a-b", "_a", " a ", "x".repeat(101)]) {
      refused(named(body(`Hi {{${name}}}!`, of("a"))), "must have placeholders such as {{first_name}}")
    }
    for (const example of [undefined, of(), of("b"), of("a", "b"), of("a", "a")]) {
      refused(
        named(body("Hi {{a}}!", example)),
        "components.0.example.body_text_named_params must have 1 example: each placeholder's, by its name"
      )
    }
    refused(named(body("Hi {{a}}!", { body_text: [["x"]] })), "body_text is not for named parameters")
    refused(named(body("Hi!", of("a"))), "must have 0 examples")
  })

  it("of a body have no placeholder at their ends, nor two in a row", () => {
    const one = { body_text: [["x"]] }
    const two = { body_text: [["x", "y"]] }
    refused(draft({ components: [body("{{1}} b", one)] }), "must not begin or end with a placeholder")
    refused(draft({ components: [body("a {{1}}", one)] }), "must not begin or end with a placeholder")
    refused(draft({ components: [body("a {{1}}{{2}} b", two)] }), "must have something between")
    assert.isEmpty(refusals(draft({ components: [body("a {{1}} {{2}} b", two)] })))
  })

  it("of a header have at most one placeholder, anywhere", () => {
    const header = (text: string, example?: unknown) => ({
      type: "header",
      format: "text",
      text,
      ...(example !== undefined && { example })
    })
    assert.isEmpty(refusals(withParts(header("{{1}}", { header_text: ["x"] }))))
    refused(
      withParts(header("{{1}} {{2}}", { header_text: ["x", "y"] })),
      "must have at most one placeholder"
    )
    refused(withParts(header("{{1}}")), "components.1.example.header_text must have 1 example")
    refused(withParts(header("a", { header_text: ["x"] })), "components.1.example.header_text must have 0")
    assert.isEmpty(
      refusals({
        ...withParts(header("{{a}}", { header_text_named_params: [{ param_name: "a", example: "x" }] })),
        parameter_format: "named"
      })
    )
  })

  it("have an example for each placeholder and no others", () => {
    const text = "a {{1}} b {{2}} c"
    assert.isEmpty(refusals(draft({ components: [body(text, { body_text: [["x", "y"]] })] })))
    for (const example of [
      undefined,
      {},
      { body_text: [] },
      { body_text: [["x"]] },
      { body_text: [["x", "y", "z"]] }
    ]) {
      refused(
        draft({ components: [body(text, example)] }),
        "components.0.example.body_text must have 2 examples, one for each placeholder"
      )
    }
    refused(
      draft({
        components: [
          body(text, {
            body_text: [
              ["x", "y"],
              ["x", "y"]
            ]
          })
        ]
      }),
      "must have one array of examples"
    )
    refused(draft({ components: [body(text, { body_text: ["x", "y"] })] }), "body_text.0", "body_text.1")
    refused(draft({ components: [body("a", { body_text: [["x"]] })] }), "must have 0 examples")
    refused(
      draft({ components: [body("a {{1}} b", { body_text_named_params: [] })] }),
      "body_text_named_params is not for positional parameters"
    )
  })

  it.prop(
    "have the placeholders that were put in, in whatever order",
    [FastCheck.array(FastCheck.nat(9))],
    ([order]) => {
      const used = [...new Set(order)].sort((left, right) => left - right)
      const text = order.map((n) => `, {{${used.indexOf(n) + 1}}}`).join("")
      const reading = placeholdersOf(text, "positional")
      assert.strictEqual(reading.rule, null)
      assert.deepStrictEqual(
        reading.rule === null && reading.distinct,
        used.map((_, i) => String(i + 1))
      )
    }
  )

  it.prop(
    "of any kind are answered, and what an issue says never repeats them",
    [FastCheck.string({ unit: FastCheck.constantFrom("{", "}", "1", "a", " ", "é", "\u0000") })],
    ([text]) => {
      const result = read(draft({ components: [body(`${text}SECRET`)] }))
      if (Either.isLeft(result)) {
        for (const issue of result.left) {
          assert.strictEqual(fieldOf(issue).slice(0, 12), "components.0")
          assert.notInclude(worded(issue), "SECRET")
        }
      } else assert.deepStrictEqual(result.right.components, [{ type: "body", text: `${text}SECRET` }])
    }
  )
})

describe("buttons", () => {
  it("are 1 to 10, with at most 2 addresses and 1 phone number, and replies that differ", () => {
    const replies = Array.from({ length: 10 }, (_, i) => reply(`${i}`))
    assert.isEmpty(refusals(withParts(buttons(...replies))))
    refused(withParts(buttons()), "components.1.buttons must be 1 to 10 buttons")
    refused(withParts(buttons(...replies, reply("x"))), "components.1.buttons must be 1 to 10 buttons")
    const page = url("https://example.com")
    assert.isEmpty(refusals(withParts(buttons(page, page, phone, reply("a")))))
    refused(withParts(buttons(page, page, page)), "components.1.buttons must have at most 2 of type url")
    refused(withParts(buttons(phone, phone)), "must have at most 1 of type phone_number")
    refused(withParts(buttons(reply("a"), reply("b"), reply("a"))), "must have quick replies that differ")
    refused(withParts(buttons({ type: "otp", text: "x" })), "components.1.buttons.0.type must be one of")
    refused(withParts(buttons(reply("x".repeat(26)))), "components.1.buttons.0.text must have 1 to 25")
    refused(withParts({ type: "buttons" }), "components.1.buttons is required")
  })

  it("call a number in E.164 form, which a refusal does not repeat", () => {
    const [issue] = refusals(withParts(buttons({ ...phone, phone_number: "4155550100" })))
    assert.include(issue!, "components.1.buttons.0.phone_number must be an E.164 number")
    assert.notInclude(issue!, "4155550100")
  })

  it("open an http or https address, with at most one placeholder, at its end, and its example", () => {
    for (const address of ["https://example.com", "http://a.b-c.example/x?y=%20", "https://127.0.0.1:80/"]) {
      assert.isEmpty(refusals(withParts(buttons(url(address)))))
      assert.isEmpty(refusals(withParts(buttons(url(`${address}{{1}}`.replace("com{{", "com/{{"), ["x"])))))
    }
    for (const address of [
      "example.com",
      "ftp://example.com",
      "javascript:alert(1)",
      "https://",
      "https:///x",
      "https://a b.com",
      "https://exa_mple.com/ x",
      'https://example.com/"x"',
      "https://-a.com",
      "https://user@example.com",
      `https://example.com/${"é"}`
    ]) {
      refused(withParts(buttons(url(address))), "components.1.buttons.0.url must be an http or https address")
    }
    refused(withParts(buttons(url(`https://example.com/${"x".repeat(2_000)}`))), "must have 1 to 2000")
    for (const address of ["https://example.com/{{1}}/x", "https://example.com/{{1}}{{1}}"]) {
      refused(withParts(buttons(url(address, ["x"]))), "must have at most one placeholder, {{1}}, at its end")
    }
    for (const address of ["https://example.com/{{2}}", "https://example.com/{{a}}"]) {
      refused(withParts(buttons(url(address, ["x"]))), "must have at most one placeholder")
    }
    refused(withParts(buttons(url("https://example.com/{{1}}"))), "example is required for the placeholder")
    refused(withParts(buttons(url("https://example.com/{{1}}", []))), "example must be one example")
    refused(withParts(buttons(url("https://example.com/{{1}}", ["x", "y"]))), "example must be one example")
    refused(withParts(buttons(url("https://example.com/", ["x"]))), "must not be given without a placeholder")
  })
})
