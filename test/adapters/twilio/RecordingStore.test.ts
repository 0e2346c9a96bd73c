import { Cause, Context, type Duration, Effect, Exit, Layer, Option, Redacted } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { assertNone } from "@effect/vitest/utils"
import * as Recordings from "../../../adapters/twilio/RecordingStore.ts"
import { deleted } from "../../../core/model/recordings/Recording.ts"
import { RecordingStore } from "../../../core/ports/RecordingStore.ts"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import { read } from "../../contracts/RecordingStore.ts"
import { makeRecording, ws } from "../../contracts/repository/Fixtures.ts"
import { accountSid, type Asked, authToken, credentials, failure, serve } from "./TwilioServer.ts"

const sid = `RE${"0f".repeat(16)}`
const recording = makeRecording(1, { carrier_recording_id: sid, url: null })

/** A store at a stand-in for Twilio that answers each request so. */
const rig = Effect.fnUntraced(function* (
  answer: (asked: Asked) => void,
  timeout: Duration.DurationInput = "10 seconds"
) {
  const { asked, others, url } = yield* serve()
  others.push((each) => {
    answer(each)
    return true
  })
  const context = yield* Layer.build(Recordings.layer({ ...credentials, url, timeout }))
  return { asked, store: Context.get(context, RecordingStore) }
})

const removed = ({ response }: Asked) => response.writeHead(204).end()

describe("recordings at Twilio", () => {
  const audio = Buffer.from(Uint8Array.from({ length: 200_000 }, (_, i) => (i * i) % 251))

  /** Gives the audio out, with ranges or without. */
  const giving =
    (knowsRanges: boolean) =>
    ({ headers, response }: Asked) => {
      const [, from, until] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? []
      if (!knowsRanges || from === undefined) {
        return response.writeHead(200, { "content-length": audio.length }).end(audio)
      }
      const part = audio.subarray(Number(from), Number(until) + 1)
      const range = `bytes ${from}-${until}/${audio.length}`
      return response.writeHead(206, { "content-range": range, "content-length": part.length }).end(part)
    }

  for (const knowsRanges of [true, false]) {
    it.scopedLive(
      `are passed on from there, by parts, ${knowsRanges ? "which" : "although none"} it sends`,
      () =>
        Effect.gen(function* () {
          const { asked, store } = yield* rig(giving(knowsRanges))
          assertNone(yield* store.find(ws, recording.id))
          const brought = Option.getOrThrow(yield* store.bring(recording))
          assert.strictEqual(brought.size_bytes, audio.length)
          for (const [from, until] of [
            [0, 200_000],
            [0, 1],
            [0, 0],
            [43, 70_001],
            [199_999, 200_000]
          ] as const) {
            assert.isTrue((yield* read(brought, from, until)).equals(audio.subarray(from, until)))
          }
          for (const { headers, path } of asked) {
            assert.strictEqual(path, `/2010-04-01/Accounts/${accountSid}/Recordings/${sid}.wav`)
            assert.match(headers.authorization!, /^Basic /)
          }
        })
    )
  }

  it.scopedLive("that are gone, or are none of Twilio's, are none", () =>
    Effect.gen(function* () {
      const { asked, store } = yield* rig((each) => failure(each, 404, 20_404))
      assertNone(yield* store.bring(recording))
      assertNone(yield* store.bring(makeRecording(2, { url: null })))
      assert.lengthOf(asked, 1)
    })
  )

  it.scopedLive("break off with an error when Twilio breaks off, or pauses for too long", () =>
    Effect.gen(function* () {
      for (const stop of [({ response }: Asked) => response.destroy(), () => {}]) {
        const half = (each: Asked) => {
          if (each.headers.range === "bytes=0-0") return giving(true)(each)
          each.response.writeHead(206, { "content-length": audio.length })
          return each.response.write(audio.subarray(0, 100_000), () => stop(each))
        }
        const { store } = yield* rig(half, "300 millis")
        const brought = Option.getOrThrow(yield* store.bring(recording))
        const exit = yield* Effect.exit(read(brought))
        assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StoreUnavailable)
      }
    })
  )

  it.scopedLive("are removed there, with the account's credentials", () =>
    Effect.gen(function* () {
      const { asked, store } = yield* rig(removed)
      yield* store.remove(recording)
      assert.lengthOf(asked, 1)
      const [{ headers, method, path }] = asked as [Asked]
      assert.strictEqual(method, "DELETE")
      assert.strictEqual(path, `/2010-04-01/Accounts/${accountSid}/Recordings/${sid}.json`)
      const sent = Buffer.from(headers.authorization!.replace("Basic ", ""), "base64").toString()
      assert.strictEqual(sent, `${accountSid}:${authToken}`)
    })
  )

  it.scopedLive("that are removed already, or are none of Twilio's, are no error", () =>
    Effect.gen(function* () {
      const { asked, store } = yield* rig((each) => failure(each, 404, 20_404))
      yield* store.remove(recording)
      assert.lengthOf(asked, 1)
      yield* store.remove(deleted(recording))
      yield* store.remove(makeRecording(2, { url: null }))
      assert.lengthOf(asked, 1)
    })
  )

  for (const [what, answer] of [
    ["refuses the credentials", (each: Asked) => failure(each, 401, 20_003)],
    ["asks to slow down", (each: Asked) => failure(each, 429, 20_429)],
    ["fails", (each: Asked) => failure(each, 500, 20_500)],
    [
      "redirects elsewhere",
      ({ response }: Asked) => response.writeHead(307, { location: "http://127.0.0.1:9/" }).end()
    ],
    ["breaks the connection off", ({ response }: Asked) => response.destroy()],
    ["does not answer", () => {}]
  ] as const) {
    it.scopedLive(`are not removed while Twilio ${what}; nothing of the request is told`, () =>
      Effect.gen(function* () {
        const { store } = yield* rig((each) => void answer(each), "200 millis")
        const exit = yield* Effect.exit(store.remove(recording))
        assert.isTrue(Exit.isFailure(exit))
        if (Exit.isSuccess(exit)) return
        const error = Cause.squash(exit.cause)
        assert.instanceOf(error, StoreUnavailable)
        const text = Cause.pretty(exit.cause, { renderErrorCause: true })
        assert.notInclude(text, accountSid)
        assert.notInclude(text, Redacted.value(credentials.password))
      })
    )
  }
})
