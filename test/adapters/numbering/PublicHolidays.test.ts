import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { layer } from "../../../adapters/numbering/PublicHolidays.ts"
import { PublicHolidays } from "../../../core/ports/PublicHolidays.ts"
import { holidayHead, writtenHolidays } from "./Holidays.ts"

describe("the public holidays of countries", () => {
  // The table as a whole takes seconds to write; the version tells when it is old.
  it("are those that the package has in its version, to the letter", () => {
    const text = readFileSync(new URL("../../../adapters/numbering/HolidayTable.ts", import.meta.url), "utf8")
    const hint = "write them anew: npx tsx test/adapters/numbering/write.ts"
    assert.isTrue(text.startsWith(holidayHead), hint)
    for (const country of ["FR", "GB", "IN", "TR", "US"]) {
      assert.isTrue(text.includes(`\n${writtenHolidays([country])}\n`), `${hint}: ${country}`)
    }
  })

  it.effect("are local dates, all days of long ones, and of an unknown country none", () =>
    Effect.gen(function* () {
      const holidaysOf = yield* PublicHolidays
      assert.includeMembers([...holidaysOf("FR")], ["2026-12-25", "2027-07-14", "2031-12-25"])
      assert.notInclude(holidaysOf("FR"), "2026-12-26")
      assert.include(holidaysOf("GB"), "2026-12-28")
      assert.includeMembers([...holidaysOf("RO")], ["2027-01-01", "2027-01-02"])
      // Half a day.
      assert.notInclude(holidaysOf("IS"), "2026-12-24")
      assert.deepStrictEqual(holidaysOf("XX"), [])
    }).pipe(Effect.provide(layer))
  )
})
