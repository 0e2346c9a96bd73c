import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { report } from "../../../../apps/cli/suite/Report.ts"
import { barOf, hasPassed, Run } from "../../../../apps/cli/suite/Run.ts"
import { widthOf } from "../../../../apps/cli/terminal/Table.ts"
import { at, erroring, failing, good, mixed, play, summary } from "./record.ts"

const decode = Schema.decodeUnknownSync(Run)

describe("the report of a run", () => {
  it("has every play in a table, why the bad ones are bad, and all of it in a line", () => {
    assert.strictEqual(
      report("Before the release", decode(mixed), 60),
      [
        "Run run_1 of Before the release, played and judged by built-in rules",
        "",
        "RESULT  SCENARIO        TURNS  TIME",
        "pass    In a hurry          2  2s",
        "FAIL    Another day #1      6  5s",
        "ERROR   Another day #2      0  0s",
        "",
        "FAIL  Another day #1",
        "  safety: The agent promised a refund, which its prompt does",
        "          not allow.",
        "  tool_use (maybe): It is not clear.",
        "  … 2 more before",
        "  agent    three",
        "  persona  four",
        "  agent    five",
        "  persona  six",
        "",
        "ERROR  Another day #2: the model did not answer within 60",
        "                       seconds",
        "",
        "completed. 3 plays: 1 passed, 1 failed, 1 errored; score 0.63; 8 credits; 1m."
      ].join("\n")
    )
  })

  it("has whole transcripts where they are wanted: of all plays, or of those that failed", () => {
    const all = report("S", decode(mixed), 60, "all")
    assert.match(all, /^pass {2}In a hurry$/m)
    assert.match(all, /^ {2}agent {4}one$/m)
    assert.notInclude(all, "more before")
    const failed = report("S", decode(mixed), 60, "failed")
    assert.match(failed, /^ {2}agent {4}one$/m)
    assert.notMatch(failed, /^pass {2}In a hurry$/m)
  })

  it("of a run that could not go on says why", () => {
    const stopped = { ...mixed, status: "failed" as const, error: "insufficient credits" }
    assert.match(report("S", decode(stopped)), /\nfailed: insufficient credits\. 3 plays: /)
    const cancelled = { ...mixed, status: "cancelled" as const, error: "cancelled" }
    assert.match(report("S", decode(cancelled)), /\ncancelled\. 3 plays: /)
  })

  it("shows the tools that the agent of a failed play used", () => {
    const tool_calls = [{ turn: 3, name: "order_status", arguments: `{"id":1}`, result: `{"ok":true}` }]
    const text = report("S", decode({ ...summary(), results: [play({ status: "fail", tool_calls })] }))
    assert.include(text, `\n  order_status (turn 3): {"id":1} → {"ok":true}\n`)
  })

  it("of a run that goes on shows what is open", () => {
    const text = report("S", decode({ ...summary(), results: [play({ status: null })] }))
    assert.match(text, /^open +In a hurry/m)
    assert.match(text, /It has not ended yet\.$/)
  })

  it("lets nothing that was said steer the terminal, and breaks no line in the middle", () => {
    const hostile = "\u001b[2J\u202e evil\r\n\u0007text\u0000 "
    const text = report(
      hostile,
      decode({
        ...mixed,
        results: [
          {
            ...failing,
            label: hostile,
            judgments: { [hostile]: { verdict: "fail", reasoning: hostile } },
            transcript: [{ role: "agent", text: hostile.repeat(20), at: at(0) }]
          },
          { ...erroring, error: hostile }
        ]
      }),
      80
    )
    assert.notMatch(text.replaceAll("\n", ""), /[\p{Control}\u202e]/u)
    const said = text
      .split("\n")
      .filter((line) => line.startsWith("  agent") || line.startsWith("           "))
    assert.isAbove(said.length, 5)
    assert.isTrue(said.every((line) => widthOf(line) <= 80))
  })
})

describe("a run", () => {
  it("has passed when it is completed and every play has passed, and not otherwise", () => {
    assert.isTrue(hasPassed(decode(good)))
    assert.isFalse(hasPassed(decode(mixed)))
    for (const status of ["queued", "running", "failed", "cancelled"]) {
      assert.isFalse(hasPassed(decode({ ...good, status })))
    }
  })

  it("is shown as a bar of plays with verdicts, score and time", () => {
    const bar = barOf(decode({ ...mixed, status: "running" }), 75_000)
    assert.deepStrictEqual(bar, {
      label: "running",
      done: 3,
      total: 3,
      facts: ["1 passed", "1 failed", "1 errored", "score 0.63", "1m"]
    })
  })
})
