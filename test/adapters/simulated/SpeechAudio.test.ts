import { Chunk, Effect, FastCheck, Stream } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { source } from "../../../adapters/simulated/SpeechAudio.ts"
import { sizeOf } from "../../../adapters/simulated/Wav.ts"
import type { Recording } from "../../../core/model/recordings/Recording.ts"
import { makeRecording } from "../../contracts/repository/Fixtures.ts"
import { decode, power } from "./WavFile.ts"

const simulated = (over: Partial<Recording> = {}) =>
  makeRecording(1, { carrier_recording_id: "simrec_att_1", channels: 1, duration_seconds: 20, ...over })

const bytesOf = (recording: Recording) =>
  Effect.map(Stream.runCollect(source(recording)!), (pieces) => Buffer.concat(Chunk.toReadonlyArray(pieces)))

const loudest = (samples: Float64Array) => samples.reduce((most, each) => Math.max(most, Math.abs(each)), 0)

describe("the audio of a simulated call", () => {
  it.effect("is a WAV file of 8 kHz that a decoder reads, as long as the call and as large as is said", () =>
    Effect.gen(function* () {
      const bytes = yield* bytesOf(simulated())
      const wav = decode(bytes)
      assert.deepInclude(wav, { channels: 1, sampleRate: 8_000, bits: 16, seconds: 20 })
      assert.strictEqual(bytes.length, sizeOf(1, 20))
      assert.strictEqual(bytes.length, 320_044)
    })
  )

  it.effect("sounds: two voices that take turns and pause, neither clipped nor silent", () =>
    Effect.gen(function* () {
      const { samples, sampleRate } = decode(yield* bytesOf(simulated()))
      const [sound] = samples
      const peak = loudest(sound!)
      assert.isTrue(peak > 0.2 && peak < 0.9, String(peak))
      assert.isBelow(Math.abs(sound!.reduce((sum, each) => sum + each, 0)) / sound!.length, 0.001)
      const tenths = Array.from({ length: 200 }, (_, i) => sound!.subarray(800 * i, 800 * (i + 1)))
      const silent = tenths.filter((each) => loudest(each) === 0)
      assert.isTrue(silent.length > 10 && silent.length < 80, `${silent.length} tenths of 20 s are silent`)
      const pitch = (each: Float64Array) => {
        const hertz = Array.from({ length: 60 }, (_, i) => 120 + 2 * i + i)
        return hertz.reduce((best, one) =>
          power(each, one, sampleRate) > power(each, best, sampleRate) ? one : best
        )
      }
      const spoken = tenths.filter((each) => loudest(each) > 0.1).map(pitch)
      assert.isTrue(spoken.some((hertz) => hertz < 165))
      assert.isTrue(spoken.some((hertz) => hertz > 195))
    })
  )

  it.effect("of two channels has the caller on the left, the agent on the right, one at a time", () =>
    Effect.gen(function* () {
      const { channels, samples, seconds } = decode(yield* bytesOf(simulated({ channels: 2 })))
      assert.strictEqual(channels, 2)
      assert.strictEqual(seconds, 20)
      const [left, right] = samples
      assert.isAbove(loudest(left!), 0.2)
      assert.isAbove(loudest(right!), 0.2)
      assert.isTrue(left!.every((sample, i) => sample === 0 || right![i] === 0))
      const [mixed] = decode(yield* bytesOf(simulated())).samples
      assert.deepStrictEqual(
        left!.map((sample, i) => sample + right![i]!),
        mixed
      )
      const agent = decode(yield* bytesOf(simulated({ track: "agent" }))).samples[0]
      assert.deepStrictEqual(agent, right)
    })
  )

  it.effect("is the same for the same recording always, and another's is another", () =>
    Effect.gen(function* () {
      const once = source(simulated())!
      const [one, two] = yield* Effect.all([Stream.runCollect(once), Stream.runCollect(once)], {
        concurrency: 2
      })
      assert.deepStrictEqual(one, two)
      assert.isTrue((yield* bytesOf(simulated())).equals(Buffer.concat(Chunk.toReadonlyArray(one))))
      const others = simulated({ carrier_recording_id: "simrec_att_2" })
      assert.isFalse((yield* bytesOf(others)).equals(Buffer.concat(Chunk.toReadonlyArray(one))))
    })
  )

  it.effect.prop(
    "has the length that the record says, down to nothing",
    {
      duration_seconds: FastCheck.oneof(
        FastCheck.integer({ min: 0, max: 30 }),
        FastCheck.double({ min: 0, max: 3, noNaN: true })
      ),
      channels: FastCheck.constantFrom(1, 2)
    },
    ({ channels, duration_seconds }) =>
      Effect.gen(function* () {
        const bytes = yield* bytesOf(simulated({ channels, duration_seconds }))
        assert.strictEqual(bytes.length, sizeOf(channels, duration_seconds))
        const wav = decode(bytes)
        assert.isAtMost(Math.abs(wav.seconds - duration_seconds), 1 / 8_000)
      }),
    { fastCheck: { numRuns: 20 } }
  )

  it("is none of other carriers' recordings", () => {
    assert.isNull(source(makeRecording(1)))
  })
})
