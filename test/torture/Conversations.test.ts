import { assert, describe, it } from "@effect/vitest"
import { isReplayed, keepsItsRules, property, waitsNoLonger } from "../core/model/conversations/AnyTalk.ts"

describe("a hundred thousand conversations", () => {
  it(
    "keep their rules, come to their end, and are replayed from their journals",
    { timeout: 600_000 },
    async () => {
      for (let played = 0; played < 100_000; played += 2_000) {
        const held = property(2_000, (rules, seen) => {
          keepsItsRules(rules, seen)
          waitsNoLonger(rules, seen)
          isReplayed(rules, seen)
        })
        assert.isTrue(held)
        // The runner takes a process for dead that does not answer it for a minute.
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
  )
})
