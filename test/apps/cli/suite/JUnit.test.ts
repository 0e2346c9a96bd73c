import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Schema } from "effect"
import { junit } from "../../../../apps/cli/suite/JUnit.ts"
import { Run } from "../../../../apps/cli/suite/Run.ts"
import { document } from "../../../../apps/cli/suite/Xml.ts"
import { at, failing, good, mixed, play, summary } from "./record.ts"
import { parse, type Read } from "./xml.ts"

const decode = Schema.decodeUnknownSync(Run)

const casesOf = (xml: string): ReadonlyArray<Read> =>
  parse(xml).children[0]!.children.filter(({ name }) => name === "testcase")

describe("a run as JUnit XML", () => {
  it("is, to the letter, what CI systems read", () => {
    assert.strictEqual(
      junit("Before the release", decode(mixed)),
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Before the release" tests="3" failures="1" errors="1" time="5.000">
  <testsuite name="Before the release" tests="3" failures="1" errors="1" time="5.000" skipped="0" timestamp="2026-02-03T04:05:06">
    <properties>
      <property name="run_id" value="run_1"/>
      <property name="suite_id" value="suite_1"/>
      <property name="agent_id" value="agent_1"/>
      <property name="status" value="completed"/>
      <property name="score" value="0.625"/>
      <property name="credits_used" value="8"/>
    </properties>
    <testcase classname="Before the release" name="In a hurry" time="1.500">
      <system-out>agent: Hello, this is the practice.
persona: Yes, yes, goodbye.</system-out>
    </testcase>
    <testcase classname="Before the release" name="Another day #1" time="5.000">
      <failure message="safety: The agent promised a refund,&#10;which its prompt does not allow." type="safety">safety (fail): The agent promised a refund,
which its prompt does not allow.
tool_use (maybe): It is not clear.</failure>
      <system-out>agent: one
persona: two
agent: three
persona: four
agent: five
persona: six</system-out>
    </testcase>
    <testcase classname="Before the release" name="Another day #2" time="0.000">
      <error message="the model did not answer within 60 seconds" type="error">the model did not answer within 60 seconds</error>
    </testcase>
  </testsuite>
</testsuites>
`
    )
  })

  it("of a run in which all passed has no failure, and the counts say so", () => {
    const root = parse(junit("S", decode(good)))
    assert.include(root.attributes, { tests: "3", failures: "0", errors: "0" })
    assert.deepStrictEqual(
      root.children[0]!.children.slice(1).flatMap(({ children }) => children.map(({ name }) => name)),
      ["system-out", "system-out", "system-out"]
    )
  })

  it("takes a play that is not finished for an error, in the counts too", () => {
    const open = { ...summary(), results: [play({ status: null, judgments: {}, turns: 1 }), play()] }
    const xml = junit("S", decode(open))
    assert.include(parse(xml).attributes, { tests: "2", failures: "0", errors: "1" })
    assert.include(casesOf(xml)[0]!.children[0], { name: "error", text: "it was not played to its end" })
  })

  it("numbers plays by their label, so that no two test cases have one name", () => {
    const labels = ["A", "B", "A", "C", "A"]
    const run = { ...good, results: labels.map((label) => play({ label, run_index: 1 })) }
    assert.deepStrictEqual(
      casesOf(junit("S", decode(run))).map(({ attributes }) => attributes["name"]),
      ["A #1", "B", "A #2", "C", "A #3"]
    )
  })

  it("keeps a judge of any name, and tells all that failed", () => {
    const judgments = JSON.parse(
      '{"__proto__":{"verdict":"fail","reasoning":"x"},"<&\\">":{"verdict":"fail","reasoning":"y"}}'
    ) as typeof failing.judgments
    const [failure] = casesOf(junit("S", decode({ ...mixed, results: [{ ...failing, judgments }] })))[0]!
      .children
    assert.deepStrictEqual(
      { ...failure!.attributes },
      { message: '__proto__: x; <&">: y', type: '__proto__, <&">' }
    )
    assert.strictEqual(failure!.text, '__proto__ (fail): x\n<&"> (fail): y')
  })

  it("keeps every character that XML has, and puts U+FFFD for the others", () => {
    const cases: ReadonlyArray<readonly [said: string, read: string]> = [
      ["]]> <![CDATA[ & &amp; &#0; <b> \"'", "]]> <![CDATA[ & &amp; &#0; <b> \"'"],
      ["👩‍👩‍👧 日本 e\u0301 \u{10ffff}", "👩‍👩‍👧 日本 e\u0301 \u{10ffff}"],
      ["a\u0000b\u001b[2Jc\u0008\u000b\u000c\u001f", "a\ufffdb\ufffd[2Jc\ufffd\ufffd\ufffd\ufffd"],
      ["\ud83d x \udc00 \ufffe\uffff", "\ufffd x \ufffd \ufffd\ufffd"],
      ["a\r\nb\rc\td\ne", "a\r\nb\rc\td\ne"]
    ]
    for (const [said, read] of cases) {
      const run = {
        ...mixed,
        results: [
          play({ label: said, transcript: [{ role: "agent", text: said, at: at(0) }] }),
          { ...failing, judgments: { safety: { verdict: "fail" as const, reasoning: said } } }
        ]
      }
      const xml = junit(said, decode(run))
      const [first, second] = casesOf(xml)
      assert.strictEqual(parse(xml).attributes["name"], read)
      assert.strictEqual(first!.attributes["name"], read)
      assert.strictEqual(first!.children[0]!.text, `agent: ${read}`)
      assert.strictEqual(second!.children[0]!.attributes["message"], `safety: ${read}`)
      assert.strictEqual(second!.children[0]!.text, `safety (fail): ${read}`)
    }
  })

  it("survives any text in attributes and in elements", () => {
    const anything = FastCheck.string({ unit: "binary", maxLength: 20 })
    const lone = FastCheck.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit))
    FastCheck.assert(
      FastCheck.property(anything, lone, (text, unit) => {
        const said = `${text}${unit}${text}`
        const root = parse(document({ name: "a", attributes: { b: said }, children: said }))
        const kept = said.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
        assert.deepStrictEqual([root.attributes["b"], root.text], [kept, kept])
      }),
      { numRuns: 500 }
    )
  })
})
