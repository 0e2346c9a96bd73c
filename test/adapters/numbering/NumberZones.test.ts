import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { layer } from "../../../adapters/numbering/NumberZones.ts"
import { zoneExists } from "../../../core/model/calls/CallingWindow.ts"
import { NumberZones } from "../../../core/ports/NumberZones.ts"
import { moduleOf, written } from "./Written.ts"

describe("the zones of phone numbers", () => {
  it("are those that the package has, to the letter", () => {
    const text = readFileSync(new URL("../../../adapters/numbering/ZoneTable.ts", import.meta.url), "utf8")
    assert.isTrue(text === moduleOf(written()), "write them anew: npx tsx test/adapters/numbering/write.ts")
  })

  it.effect("are those of the area code, or else of the country, and of an unknown number none", () =>
    Effect.gen(function* () {
      const zonesOf = yield* (yield* NumberZones).table
      assert.deepStrictEqual(zonesOf("+12125550123"), ["America/New_York"])
      assert.deepStrictEqual(zonesOf("+14155550123"), ["America/Los_Angeles"])
      assert.deepStrictEqual(zonesOf("+33140000000"), ["Europe/Paris"])
      assert.deepStrictEqual(zonesOf("+61291234567"), ["Australia/Sydney"])
      assert.includeMembers([...zonesOf("+18005550123")], ["America/New_York", "Pacific/Honolulu"])
      assert.deepStrictEqual(zonesOf("+9990000000"), [])
      for (const zone of zonesOf("+18005550123")) assert.isTrue(zoneExists(zone), zone)
    }).pipe(Effect.provide(layer))
  )
})
