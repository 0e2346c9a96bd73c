import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { onFreshFile } from "./TemporaryFile.ts"
import { recipientTotalsAreExact, totalsAreExact } from "./TotalsSuite.ts"

describe("totals that are kept", () => {
  it.effect("are those that counting tells, while calls are placed, change, end and are erased", () =>
    Effect.provide(totalsAreExact, onFreshFile)
  )

  it.effect("are those of recipients too, while they are reviewed, changed and removed", () =>
    Effect.provide(recipientTotalsAreExact, onFreshFile)
  )
})
