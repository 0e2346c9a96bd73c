import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { withMadeUpValues } from "../../../../core/model/suites/MadeUpValues.ts"
import { testedAgent } from "../../../../core/model/suites/Subject.ts"
import { subject } from "../../../contracts/repository/Fixtures.ts"

const scenario = { label: "In a hurry", instructions: "You are in a hurry.", runs: 3, max_turns: 6 }

const filled = (prompt: string, variables: Readonly<Record<string, string>> = {}, run_index = 1) =>
  testedAgent({ ...subject, agent: { ...subject.agent, prompt }, variables }, scenario, run_index).prompt

const valueOf = (name: string): string => String(withMadeUpValues({ [name]: "" }, [], "a/1").get(name))

describe("What a suite leaves empty", () => {
  it("is plausible by the variable's name", () => {
    assert.match(valueOf("first_name"), /^[A-Z][a-z]+$/)
    assert.match(valueOf("customerName"), /^[A-Z][a-z]+ [A-Z][a-z]+$/)
    assert.match(valueOf("COMPANY-NAME"), /^[A-Z]/)
    assert.match(valueOf("due_date"), /^\d{1,2} [A-Z][a-z]+$/)
    assert.match(valueOf("appointment_time"), /^\d{1,2}:\d{2}$/)
    assert.match(valueOf("amount"), /^\d+ dollars$/)
    assert.match(valueOf("email"), /^[a-z]+\.[a-z]+@example\.com$/)
    assert.match(valueOf("phone_number"), /^\+1415555\d{4}$/)
    assert.match(valueOf("order_id"), /^\d{5}$/)
    assert.strictEqual(valueOf("loyalty_tier"), "loyalty tier")
  })

  it("is of one person within a play", () => {
    const names = "{{first_name}} {{last_name}}"
    for (let run = 1; run < 20; run++) {
      assert.strictEqual(filled(names, {}, run), filled("{{customer_name}}", {}, run))
    }
  })

  it("leaves no gap, whether the suite names the variable or not", () => {
    const prompt = "Hello {{name}}, this is the assistant of {{company}}."
    assert.match(filled(prompt, { name: "" }), /^Hello \w+ \w+, this is the assistant of \w+/)
    assert.match(filled(prompt, { name: "Ada", company: "" }), /^Hello Ada, this is the assistant of \w+/)
  })

  it("is another in other plays of a scenario, now and then", () => {
    const prompts = Array.from({ length: 20 }, (_, run) => filled("{{name}} {{date}}", {}, run))
    assert.isAbove(new Set(prompts).size, 5)
  })

  it.prop(
    "is the same each time, and never empty where the name has a letter",
    [FastCheck.string(), FastCheck.string(), FastCheck.string({ minLength: 1 })],
    ([name, seed, given]) => {
      const made = withMadeUpValues({ [name]: "", [`${name}!`]: given }, [], seed)
      assert.deepStrictEqual(withMadeUpValues({ [name]: "", [`${name}!`]: given }, [], seed), made)
      assert.strictEqual(made.get(`${name}!`), given)
      if (/[a-z]/i.test(name)) assert.notStrictEqual(made.get(name), "")
    }
  )

  it("does not touch a run of an earlier version, whose texts are filled in", () => {
    const agent = { ...subject.agent, prompt: "Say {{name}}" }
    assert.strictEqual(
      testedAgent({ ...subject, agent, variables: null }, scenario, 1).prompt,
      "Say {{name}}"
    )
  })
})
