import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import { isoTimestamp, millisOf, Timestamp } from "../../../core/model/Codecs.ts"

const decode = Schema.decodeUnknownEither(Timestamp)

describe("a timestamp", () => {
  it.prop(
    "is written as the calendar has it, whatever was written before",
    [FastCheck.array(FastCheck.date({ noInvalidDate: true }), { minLength: 1 })],
    ([dates]) => {
      for (const date of dates) assert.strictEqual(isoTimestamp(date.getTime()), date.toISOString())
    }
  )

  it("is read with its offset", () => {
    for (const [text, utc] of [
      ["2027-01-01T09:00:00Z", "2027-01-01T09:00:00.000Z"],
      ["2027-01-01T09:00:00+02:00", "2027-01-01T07:00:00.000Z"],
      ["2027-01-01t09:00:00.25z", "2027-01-01T09:00:00.250Z"],
      ["2027-01-01T09:00:00.123456789-05:30", "2027-01-01T14:30:00.123Z"],
      ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"],
      ["2000-01-01T00:00:00Z", "2000-01-01T00:00:00.000Z"],
      ["2100-12-31T23:59:59.999Z", "2100-12-31T23:59:59.999Z"]
    ] as const) {
      assert.deepStrictEqual(decode(text), Either.right(Date.parse(utc)), text)
    }
  })

  it("is refused without an offset, off the calendar and outside of 2000 to 2100", () => {
    for (const text of [
      "2027-01-01T09:00:00",
      "2027-01-01",
      "2027-01-01 09:00:00Z",
      "2027-01-01T09:00Z",
      "0",
      "1790000000000",
      "soon",
      "",
      "2027-02-30T00:00:00Z",
      "2027-02-29T00:00:00Z",
      "2027-13-01T00:00:00Z",
      "2027-00-01T00:00:00Z",
      "2027-01-00T00:00:00Z",
      "2027-01-01T24:00:00Z",
      "2027-01-01T09:60:00Z",
      "2027-01-01T09:00:60Z",
      "2027-01-01T09:00:00+24:00",
      "2027-01-01T09:00:00+0200",
      "1999-12-31T23:59:59Z",
      "2101-01-01T00:00:00Z",
      "+275760-09-13T00:00:00Z",
      " 2027-01-01T09:00:00Z"
    ]) {
      assert.isTrue(Either.isLeft(decode(text)), text)
      assert.isTrue(Number.isNaN(millisOf(text)), text)
    }
  })

  it.prop(
    "is read as it was written",
    [FastCheck.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2101, 0) - 1 })],
    ([millis]) => assert.strictEqual(millisOf(isoTimestamp(millis)), millis)
  )
})
