import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, type Scope } from "effect"
import type { LineCommand, LineEvent } from "../../core/model/conversations/Speech.ts"
import type { SpeechLine } from "../../core/ports/SpeechLine.ts"

/** A line, and what is at its other end. */
export interface Ends {
  readonly line: SpeechLine
  /** The other end does what has the line tell these, in this order. */
  readonly tell: (events: ReadonlyArray<LineEvent>) => Effect.Effect<void>
  /** The next utterance that has reached the other end as a whole. */
  readonly heard: Effect.Effect<string>
  readonly leave: (how: Leaving) => Effect.Effect<void>
}

/** The callee hangs up, or the connection breaks. */
export type Leaving = "hangup" | "dropped"

/** A line whose other end is given commands, and not what is heard of them alone. */
export interface CarryingEnds extends Ends {
  /** The next command that has reached the other end. */
  readonly told: Effect.Effect<LineCommand>
}

export interface Options {
  /** What the other end can bring the line to tell. */
  readonly tells: ReadonlyArray<LineEvent>
  /** How the other end can leave; both ways when not given. */
  readonly leaves?: ReadonlyArray<Leaving>
}

const say = (text: string, last = false): LineCommand => ({
  _tag: "Say",
  text,
  last,
  interruptible: true,
  preemptible: false
})

const utterance = [say("Hello, "), say("Ada. \u{1f600}"), say("", true)]
const end: LineCommand = { _tag: "End", token: '{"transfer":"+14155550100"}' }

/** Every event until the line ends, gathered from here on. */
export const ending = (line: SpeechLine) =>
  Effect.map(Deferred.make<ReadonlyArray<LineEvent>>(), (closed) => {
    const all: Array<LineEvent> = []
    line.listen((event) => {
      all.push(event)
      if (event._tag === "Closed") Deferred.unsafeDone(closed, Effect.succeed(all))
    })
    return Deferred.await(closed)
  })

/** What every line holds. `open` makes one whose other end has connected. Real time. */
export const suite = (
  name: string,
  open: Effect.Effect<Ends, never, Scope.Scope>,
  { leaves = ["hangup", "dropped"], tells }: Options
): void => {
  describe(`${name}, as a line`, () => {
    it.scopedLive(
      "tells that it is connected, then what happens, in order, and at last that it is closed",
      () =>
        Effect.gen(function* () {
          const { leave, line, tell } = yield* open
          const all = yield* ending(line)
          yield* tell(tells)
          yield* leave("hangup")
          assert.deepStrictEqual(yield* all, [
            { _tag: "Connected" },
            ...tells,
            { _tag: "Closed", reason: "hangup" }
          ])
        })
    )

    it.scopedLive("has said what it was given, piece by piece, as one utterance", () =>
      Effect.gen(function* () {
        const { heard, line } = yield* open
        utterance.forEach(line.send)
        assert.strictEqual(yield* heard, "Hello, Ada. \u{1f600}")
      })
    )

    it.scopedLive("ends when it is told to, and says that this was why", () =>
      Effect.gen(function* () {
        const { line } = yield* open
        const all = yield* ending(line)
        line.send(say("Bye."))
        line.send(end)
        assert.deepStrictEqual((yield* all).at(-1), { _tag: "Closed", reason: "ended" })
      })
    )

    for (const how of leaves) {
      it.scopedLive(`tells once, and last, that it is closed: ${how}`, () =>
        Effect.gen(function* () {
          const { leave, line, tell } = yield* open
          const all = yield* ending(line)
          yield* tell(tells)
          yield* leave(how)
          const told = yield* all
          assert.deepStrictEqual(
            told.filter(({ _tag }) => _tag === "Closed"),
            [{ _tag: "Closed", reason: how }]
          )
          assert.strictEqual(told.at(-1)?._tag, "Closed")
        })
      )
    }

    it.scopedLive("drops commands once it is closed", () =>
      Effect.gen(function* () {
        const { leave, line } = yield* open
        const all = yield* ending(line)
        yield* leave("hangup")
        yield* all
        line.send(say("Is anyone there?", true))
        line.send({ _tag: "End", token: "over" })
      })
    )
  })
}

/** What every line holds besides whose other end is given commands. */
export const carryingSuite = (name: string, open: Effect.Effect<CarryingEnds, never, Scope.Scope>): void => {
  it.scopedLive(`${name}, as a line, hands commands over as they are, in order`, () =>
    Effect.gen(function* () {
      const { line, told } = yield* open
      const commands = [...utterance, end]
      commands.forEach(line.send)
      for (const command of commands) assert.deepStrictEqual(yield* told, command)
    })
  )
}
