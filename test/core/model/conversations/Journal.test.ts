import { assert, describe, it } from "@effect/vitest"
import {
  entriesOf,
  type Entry,
  partialAfter,
  readOn,
  sliceOf,
  unread
} from "../../../../core/model/conversations/Journal.ts"
import { settings } from "./Talk.ts"

const said = (at: number, text: string, final = false): Entry => ({
  at,
  event: { _tag: "CalleeSaid", text, final, language: final ? null : "en" }
})

/** As one process writes them: each slice goes on from the last partial before it. */
const written = (slices: ReadonlyArray<ReadonlyArray<Entry>>): ReadonlyArray<string> => {
  let last = ""
  return slices.map((entries) => {
    const slice = sliceOf(entries, last)
    last = partialAfter(entries, last)
    return slice
  })
}

const read = (slices: ReadonlyArray<string>): ReadonlyArray<Entry> => {
  let reading = unread(settings, 0)
  return slices.flatMap((slice) => {
    const entries = entriesOf(slice, reading.said)
    reading = readOn(reading, slice)
    return entries
  })
}

describe("a conversation's journal", () => {
  it("gives back what was written, however the callee's sentences change and are cut into slices", () => {
    const slices = [
      [
        said(1, "I would"),
        said(2, "I would like"),
        said(3, "I wood like it"),
        said(4, "I would like it.", true)
      ],
      [{ at: 5, event: { _tag: "Delta", generation: 1, text: "Of course." } } as const],
      [said(6, "I would like two \u{1F600}"), said(7, "I would like two \u{1F601} more")],
      [said(8, ""), said(9, "\u{1F601}"), { at: 10, event: { _tag: "TimerFired" } } as const]
    ]
    assert.deepStrictEqual(read(written(slices)), slices.flat())
  })

  it("is read on by a process that does not know how the one before it ended", () => {
    const before = [said(1, "And then"), said(2, "And then she")]
    const after = [said(3, "And then she said"), said(4, "And then she said no")]
    assert.deepStrictEqual(read([sliceOf(before), sliceOf(after)]), [...before, ...after])
  })

  it("is read as earlier versions have written it", () => {
    const whole = [said(1, "And then"), said(2, "And then she")]
    const slice = JSON.stringify([...whole.map(({ at, event }) => [at, event]), [3, 1, "Yes?"]])
    const then = [said(4, "And then she said")]
    assert.deepStrictEqual(read([slice, sliceOf(then, "And then she")]), [
      ...whole,
      { at: 3, event: { _tag: "Delta", generation: 1, text: "Yes?" } },
      ...then
    ])
  })

  it("grows with the length of a sentence that never ends, not with its square", () => {
    const words = Array.from({ length: 2_000 }, (_, i) => `word${i}`)
    const partials = words.map((_, i) => said(i * 250, words.slice(0, i + 1).join(" ")))
    const slices = Array.from({ length: 500 }, (_, i) => partials.slice(4 * i, 4 * i + 4))
    const bytes = written(slices).join("").length
    assert.isBelow(bytes, 5 * words.join(" ").length)
  })
})
