import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Schema } from "effect"
import { Recording, toJson } from "../../../../core/model/recordings/Recording.ts"
import { makeRecording, start } from "../../../contracts/repository/Fixtures.ts"

const time = FastCheck.integer({ min: start, max: start + 100_000_000_000 })

const record = FastCheck.record({
  status: FastCheck.constantFrom("processing", "completed", "failed", "deleted"),
  track: FastCheck.constantFrom("mixed", "caller", "agent"),
  channels: FastCheck.integer({ min: 1, max: 2 }),
  format: FastCheck.string(),
  duration_seconds: FastCheck.double({ min: 0, max: 10_000, noNaN: true }),
  size_bytes: FastCheck.option(FastCheck.nat()),
  url: FastCheck.option(FastCheck.webUrl()),
  url_expires_at: FastCheck.option(time),
  started_at: time,
  completed_at: FastCheck.option(time),
  created_at: time
})

describe("the JSON of a recording", () => {
  it("is what its schema encodes", () => {
    const encode = Schema.encodeSync(Recording)
    FastCheck.assert(
      FastCheck.property(record, (varied) => {
        const recording = { ...makeRecording(1), ...varied } as Recording
        assert.strictEqual(toJson(recording), JSON.stringify(encode(recording)))
      })
    )
  })
})
