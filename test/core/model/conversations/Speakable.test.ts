import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { rest, silent, speak } from "../../../../core/model/conversations/Speakable.ts"

const spoken = (...deltas: ReadonlyArray<string>): string => {
  let state = silent
  let said = ""
  for (const delta of deltas) {
    const next = speak(state, delta)
    state = next.state
    said += next.text
  }
  return said + rest(state)
}

describe("speakable text", () => {
  const cases: ReadonlyArray<readonly [written: string, said: string]> = [
    ["Plain words, said as they are.", "Plain words, said as they are."],
    ["This is **important**, and *this* too.", "This is important, and this too."],
    ["# Title\n- one\n- two\n", "Title\none\ntwo\n"],
    ["See [our page](https://example.com/a?b=c) now.", "See our page now."],
    ["Go to https://www.example.com/path?x=1 today.", "Go to example.com today."],
    ["Great 🎉 news 👩‍💻!", "Great  news !"],
    ["Call `reset` now.", "Call reset now."],
    ["It costs 2 * 3 = 6.", "It costs 2  3 = 6."],
    ["snake_case_name stays", "snake_case_name stays"],
    ["> quoted", "quoted"],
    ["---\nafter", "\nafter"],
    ["An open **bold that never closes", "An open bold that never closes"],
    ["5,000 €, 10 %, a/b, 3.5", "5,000 €, 10 %, a/b, 3.5"]
  ]

  it.each(cases)("says %j as %j, in one piece and letter by letter", (written, said) => {
    assert.strictEqual(spoken(written), said)
    assert.strictEqual(spoken(...written), said)
    assert.strictEqual(spoken(...written.split("")), said)
  })

  it("forwards words at once and holds back only what may become something else", () => {
    const first = speak(silent, "Hello there, I am ")
    assert.strictEqual(first.text, "Hello there, I am ")
    const second = speak(first.state, "**Ada** from ")
    assert.strictEqual(second.text, "Ada from ")
    const third = speak(second.state, "[the ")
    assert.strictEqual(third.text, "")
  })

  it("is the same however it is cut, and loses no word of plain text", () => {
    const piece = FastCheck.stringOf(FastCheck.constantFrom(..."ab ,.\n*_[]()#-!🎉`"), { maxLength: 40 })
    FastCheck.assert(
      FastCheck.property(piece, FastCheck.array(FastCheck.nat(40), { maxLength: 8 }), (text, cuts) => {
        const points = [
          0,
          ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b),
          text.length
        ]
        const pieces = points.slice(1).map((end, i) => text.slice(points[i], end))
        const letters = (said: string) => said.replaceAll(/[^ab]/g, "")
        assert.strictEqual(letters(spoken(...pieces)), letters(spoken(text)))
        assert.isFalse(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/.test(spoken(...pieces)))
      }),
      { numRuns: 2_000 }
    )
    const words = FastCheck.array(FastCheck.stringMatching(/^[a-z]{1,8}[,.]?$/), { maxLength: 30 })
    FastCheck.assert(
      FastCheck.property(words, (given) => assert.strictEqual(spoken(given.join(" ")), given.join(" ")))
    )
  })
})
