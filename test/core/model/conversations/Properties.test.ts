import { assert, describe, it } from "@effect/vitest"
import { isReplayed, keepsItsRules, property, waitsNoLonger } from "./AnyTalk.ts"

/** `test/torture/Conversations.test.ts` has more. */
const runs = 2_000

describe("any conversation, whatever happens in whatever order", () => {
  it("keeps its rules", () => assert.isTrue(property(runs, keepsItsRules)))

  it("never waits in silence for longer than its timeouts allow", () =>
    assert.isTrue(property(runs, waitsNoLonger)))

  it("gives the same transcript again from its journal", () => assert.isTrue(property(runs, isReplayed)))
})
