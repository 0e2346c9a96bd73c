import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { idleTimeouts } from "../../../../core/model/calls/CallConfig.ts"

const agent = { idle_timeout_warning: 10, idle_timeout_end: 30 }

describe("the idle timeouts of a call", () => {
  it.each([
    [{}, 10, 30],
    [{ idle_timeout_warning: 5, idle_timeout_end: 6 }, 5, 6],
    [{ idle_timeout_warning: 29 }, 29, 30],
    [{ idle_timeout_warning: 30 }, 30, 50],
    [{ idle_timeout_warning: 40 }, 40, 60],
    [{ idle_timeout_warning: 3_600 }, 3_600, 3_620],
    [{ idle_timeout_end: 11 }, 10, 11],
    [{ idle_timeout_end: 100 }, 10, 100]
  ] as const)("%o are the agent's where they fit, else at the agent's distance", (config, warning, end) => {
    assert.deepStrictEqual(idleTimeouts(config, agent), {
      idle_timeout_warning: warning,
      idle_timeout_end: end
    })
  })

  it("keep the agent's distance before an end that comes before the agent's nudge", () => {
    const late = { idle_timeout_warning: 50, idle_timeout_end: 55 }
    assert.deepStrictEqual(idleTimeouts({ idle_timeout_end: 20 }, late), {
      idle_timeout_warning: 15,
      idle_timeout_end: 20
    })
    assert.strictEqual(idleTimeouts({ idle_timeout_end: 3 }, late).idle_timeout_warning, 1)
  })

  it("let the nudge play, whichever one of the two a call gives", () => {
    const seconds = FastCheck.integer({ min: 2, max: 3_600 })
    const agents = FastCheck.tuple(seconds, seconds).filter(([warning, end]) => warning < end)
    FastCheck.assert(
      FastCheck.property(agents, seconds, FastCheck.boolean(), ([warning, end], given, alone) => {
        const agent = { idle_timeout_warning: warning, idle_timeout_end: end }
        const config = alone ? { idle_timeout_warning: given } : { idle_timeout_end: given }
        const { idle_timeout_end, idle_timeout_warning } = idleTimeouts(config, agent)
        assert.isBelow(idle_timeout_warning, idle_timeout_end)
      })
    )
  })
})
