import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { blocked } from "../../../../core/model/numbers/DestinationPolicy.ts"

const strict = { allowed_countries: [], allow_costly_destinations: false }
const open = { allowed_countries: [], allow_costly_destinations: true }

const ordinary = {
  US: "+14155550123",
  CA: "+14165550123",
  JM: "+18765550123",
  GB: "+447946012345",
  IT: "+390612345678",
  IN: "+919812345678",
  DE: "+4915112345678",
  KZ: "+77012345678"
}
const premium = ["+19002345678", "+449012345678", "+448712345678", "+33899123456", "+39892123"]
const sharedCost = ["+491805123456", "+33810123456", "+80812345678"]
const worldwide = [
  "+870773123456",
  "+878101234567890",
  "+881612345678",
  "+8821612345678",
  "+883510012345678",
  "+8881234567890",
  "+979123456789"
]
const unparsable = ["+99912345678", "+12", "+210123456"]

const number = FastCheck.oneof(
  FastCheck.constantFrom(...Object.values(ordinary), ...premium, ...sharedCost, ...worldwide, ...unparsable),
  FastCheck.bigInt({ min: 10n, max: 10n ** 15n - 1n }).map((digits) => `+${digits}`)
)

const country = FastCheck.stringOf(FastCheck.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"), {
  minLength: 2,
  maxLength: 2
})
const countries = FastCheck.array(
  FastCheck.oneof(FastCheck.constantFrom(...Object.keys(ordinary)), country),
  {
    minLength: 1,
    maxLength: 4
  }
)

describe("DestinationPolicy", () => {
  it("lets ordinary numbers of any country be called", () => {
    for (const each of [...Object.values(ordinary), "+80012345678"])
      assert.isNull(blocked(each, strict), each)
  })

  it("refuses premium-rate numbers unless costly destinations are allowed", () => {
    for (const each of premium) {
      assert.strictEqual(blocked(each, strict), "calls to premium-rate numbers are not allowed", each)
      assert.isNull(blocked(each, open), each)
    }
  })

  it("refuses satellites and global networks unless costly destinations are allowed", () => {
    for (const each of worldwide) {
      assert.strictEqual(
        blocked(each, strict),
        "calls to satellite and global-network numbers are not allowed",
        each
      )
      assert.isNull(blocked(each, open), each)
    }
  })

  it("does not count shared-cost numbers as costly", () => {
    for (const each of sharedCost) assert.isNull(blocked(each, strict), each)
  })

  it("lets numbers that cannot be parsed be called, unless the countries are limited", () => {
    for (const each of unparsable) {
      assert.isNull(blocked(each, strict), each)
      assert.isNotNull(blocked(each, { ...open, allowed_countries: ["US", "GR"] }), each)
    }
  })

  it("tells the countries of one calling code apart", () => {
    for (const [code, each] of Object.entries(ordinary)) {
      for (const allowed of Object.keys(ordinary)) {
        const reason = blocked(each, { ...strict, allowed_countries: [allowed] })
        assert.strictEqual(reason === null, code === allowed, `${code} where ${allowed} is allowed`)
      }
    }
  })

  it("refuses premium-rate numbers of an allowed country too", () => {
    assert.isNotNull(blocked("+19002345678", { ...strict, allowed_countries: ["US"] }))
    assert.isNull(blocked("+19002345678", { ...open, allowed_countries: ["US"] }))
  })

  it("refuses a number of no country wherever the countries are limited", () => {
    for (const each of [...worldwide, "+80012345678"]) {
      assert.isNotNull(blocked(each, { ...open, allowed_countries: Object.keys(ordinary) }), each)
    }
  })

  it.prop("refuses nothing when nothing is limited", [number], ([each]) => {
    assert.isNull(blocked(each, open))
  })

  it.prop(
    "refuses with limits whatever it refuses without",
    [number, countries],
    ([each, allowed_countries]) => {
      if (blocked(each, strict) !== null) assert.isNotNull(blocked(each, { ...strict, allowed_countries }))
      if (blocked(each, { ...open, allowed_countries }) !== null) {
        assert.isNotNull(blocked(each, { ...strict, allowed_countries }))
      }
    }
  )

  it.prop("never says the number, nor a part of it", [number, countries], ([each, allowed_countries]) => {
    for (const policy of [strict, { ...strict, allowed_countries }, { ...open, allowed_countries }]) {
      assert.notMatch(blocked(each, policy) ?? "", /[0-9]/)
    }
  })
})
