import { assert, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Playout from "../../../../core/model/conversations/Playout.ts"

/** Everything that a line tells while a text is played to its end, and when it told it. */
const played = (text: string, start: number) => {
  let playout = Playout.say(Playout.silent, text, true, start)
  const told: Array<{ readonly at: number; readonly text: string }> = []
  for (let at = Playout.next(playout); at !== null; at = Playout.next(playout)) {
    const { events, playout: after } = Playout.advance(playout, at)
    assert.isAbove(events.length, 0)
    for (const event of events) if (event._tag === "Played") told.push({ at, text: event.text })
    playout = after
  }
  return told
}

const clause = FastCheck.string({ minLength: 1, maxLength: 20 })
const texts = FastCheck.array(clause, { minLength: 1, maxLength: 8 }).map((clauses) => clauses.join(", "))

it("a text is heard whole, clause by clause, each at a whole millisecond", () => {
  FastCheck.assert(
    FastCheck.property(texts, FastCheck.double({ min: 0, max: 1_000, noNaN: true }), (text, start) => {
      const told = played(text, start)
      assert.strictEqual(told.map(({ text }) => text).join(""), text)
      for (const { at } of told) assert.isTrue(Number.isInteger(at), String(at))
    })
  )
})
