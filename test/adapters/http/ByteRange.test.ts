import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { parse } from "../../../adapters/http/server/ByteRange.ts"

describe("a Range header", () => {
  it.each([
    ["bytes=0-499", { from: 0, until: 500 }],
    ["bytes=500-999", { from: 500, until: 1_000 }],
    ["bytes=-500", { from: 500, until: 1_000 }],
    ["bytes=-2000", { from: 0, until: 1_000 }],
    ["bytes=950-", { from: 950, until: 1_000 }],
    ["bytes=0-0", { from: 0, until: 1 }],
    ["bytes=999-5000", { from: 999, until: 1_000 }],
    ["Bytes=0-", { from: 0, until: 1_000 }]
  ] as const)("%s asks for a part", (header, slice) => {
    assert.deepStrictEqual(parse(header, 1_000), slice)
  })

  it.each(["bytes=1000-", "bytes=1000-1001", "bytes=-0", "bytes=99999-"])(
    "%s asks for what is not there",
    (header) => {
      assert.strictEqual(parse(header, 1_000), "beyond")
    }
  )

  it.each([
    undefined,
    "",
    "bytes=",
    "bytes=-",
    "bytes=5-4",
    "bytes=0-1,5-6",
    "bytes=a-b",
    "bytes=1.5-2",
    "items=0-1",
    "bytes 0-1",
    `bytes=${"9".repeat(16)}-`
  ])("%s is left aside", (header) => {
    assert.strictEqual(parse(header, 1_000), "all")
  })

  it("never asks for more than there is", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.stringMatching(/^bytes=\d{0,5}-\d{0,5}$/),
        FastCheck.nat(2_000),
        (header, size) => {
          const range = parse(header, size)
          if (typeof range === "string") return
          assert.isTrue(0 <= range.from && range.from < range.until && range.until <= size)
        }
      )
    )
  })
})
