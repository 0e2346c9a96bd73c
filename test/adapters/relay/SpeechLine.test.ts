import { assert, describe, it } from "@effect/vitest"
import { Effect, Metric, Option } from "effect"
import { mostBytes } from "../../../adapters/relay/Frames.ts"
import type { LineEvent } from "../../../core/model/conversations/Speech.ts"
import * as SpeechLine from "../../contracts/SpeechLine.ts"
import { open, setup, tells } from "./RelayPeer.ts"

const relay = Effect.map(open([JSON.stringify(setup)]), Option.getOrThrow)

SpeechLine.suite("a relay over a WebSocket", relay, { tells })
SpeechLine.carryingSuite("a relay over a WebSocket", relay)

const malformed = [
  "",
  "nonsense",
  "[]",
  "{}",
  '{"type":"prompt"}',
  '{"type":"dtmf","digit":null}',
  '{"type":"info","name":"agentSpeaking","value":true}',
  '{"type":"unheard_of"}',
  '{"type":"info","name":"unheard_of","value":"on"}',
  JSON.stringify({ type: "dtmf", digit: "x".repeat(mostBytes - 100) }).slice(0, -1)
]

const ignored = Effect.map(Metric.snapshot, (pairs) => {
  const pair = pairs.find(({ metricKey }) => metricKey.name === "outdial_relay_frames_ignored_total")
  return (pair?.metricState as { readonly count?: number } | undefined)?.count ?? 0
})

describe("a relay's socket", () => {
  it.scopedLive("that does not say whom it speaks for is no line", () =>
    Effect.gen(function* () {
      const early = JSON.stringify({ type: "dtmf", digit: "1" })
      assert.isTrue(Option.isNone(yield* open([early], { setupWithin: "100 millis" })))
    })
  )

  it.scopedLive("has frames ignored that are malformed, out of order or twice, and counted", () =>
    Effect.gen(function* () {
      const before = yield* ignored
      const early = JSON.stringify({ type: "dtmf", digit: "1" })
      const peer = Option.getOrThrow(yield* open([early, JSON.stringify(setup), JSON.stringify(setup)]))
      for (const frame of malformed) peer.socket.socket.send(frame)
      yield* peer.tell([{ _tag: "Digit", digit: "2" }])
      yield* peer.leave("hangup")
      const told: ReadonlyArray<LineEvent> = yield* Effect.flatten(SpeechLine.ending(peer.line))
      assert.deepStrictEqual(told, [
        { _tag: "Connected" },
        { _tag: "Digit", digit: "2" },
        { _tag: "Closed", reason: "hangup" }
      ])
      assert.strictEqual((yield* ignored) - before, malformed.length + 2)
    })
  )

  it.scopedLive("that is closed since our frames were bad tells so before that", () =>
    Effect.gen(function* () {
      const peer = yield* relay
      peer.socket.socket.close(1_007)
      const [, error, closed] = yield* Effect.flatten(SpeechLine.ending(peer.line))
      assert.deepInclude(error, { _tag: "LineError", code: "64107", fatal: true })
      assert.deepStrictEqual(closed, { _tag: "Closed", reason: "dropped" })
    })
  )

  it.scopedLive("is closed from here when the relay does not carry our end out", () =>
    Effect.gen(function* () {
      const peer = Option.getOrThrow(yield* open([JSON.stringify(setup)], { ends: false }))
      peer.line.send({ _tag: "End", token: "over" })
      assert.strictEqual(yield* peer.socket.closed, 1_000)
      const told = yield* Effect.flatten(SpeechLine.ending(peer.line))
      assert.deepStrictEqual(told.at(-1), { _tag: "Closed", reason: "ended" })
    })
  )

  it.scopedLive("has the capabilities of Twilio's, or those that it claims itself", () =>
    Effect.gen(function* () {
      const { line } = yield* relay
      assert.deepInclude(line.capabilities, { reportsPlayout: true, reportsPartials: true })
      const typed = Option.getOrThrow(yield* open(['{"type":"setup","capabilities":{}}']))
      assert.deepStrictEqual(typed.line.capabilities, {
        reportsPlayout: false,
        reportsPartials: false,
        endDropsSpeech: true,
        reportsMessageEnd: false
      })
    })
  )
})
