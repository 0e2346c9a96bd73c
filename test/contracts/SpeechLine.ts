import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, type Scope, Stream } from "effect"
import type { LineCommand, LineEvent } from "../../core/model/conversations/Speech.ts"
import type { SpeechLine } from "../../core/ports/SpeechLine.ts"

/** A line, and what is at its other end. */
export interface Ends {
  readonly line: SpeechLine
  /** The other end does what has the line tell this. */
  readonly tell: (event: LineEvent) => Effect.Effect<void>
  /** The next command that has reached the other end. */
  readonly told: Effect.Effect<LineCommand>
  /** The callee hangs up, or the connection breaks. */
  readonly leave: (how: "hangup" | "dropped") => Effect.Effect<void>
}

export interface Options {
  /** What the other end can bring the line to tell. */
  readonly tells: ReadonlyArray<LineEvent>
}

const say = (text: string, last = false): LineCommand => ({
  _tag: "Say",
  text,
  last,
  interruptible: true,
  preemptible: false
})

const collect = (line: SpeechLine) => Effect.map(Stream.runCollect(line.events), (all) => [...all])

/** Every event until the line ends, gathered beside. */
const ending = (line: SpeechLine) => Effect.map(Effect.forkScoped(collect(line)), Fiber.join)

/** What every line holds. `open` makes one whose other end has connected. Real time. */
export const suite = (
  name: string,
  open: Effect.Effect<Ends, never, Scope.Scope>,
  { tells }: Options
): void => {
  describe(`${name}, as a line`, () => {
    it.scopedLive(
      "tells that it is connected, then what happens, in order, and at last that it is closed",
      () =>
        Effect.gen(function* () {
          const { leave, line, tell } = yield* open
          const all = yield* ending(line)
          yield* Effect.forEach(tells, tell)
          yield* leave("hangup")
          assert.deepStrictEqual(yield* all, [
            { _tag: "Connected" },
            ...tells,
            { _tag: "Closed", reason: "hangup" }
          ])
        })
    )

    it.scopedLive("hands commands over as they are, in order", () =>
      Effect.gen(function* () {
        const { line, told } = yield* open
        const commands = [say("Hello, "), say("Ada. \u{1f600}"), say("", true)]
        yield* Effect.forEach(commands, line.send)
        for (const command of commands) assert.deepStrictEqual(yield* told, command)
      })
    )

    it.scopedLive("ends when it is told to, and says that this was why", () =>
      Effect.gen(function* () {
        const { line, told } = yield* open
        const all = yield* ending(line)
        const end: LineCommand = { _tag: "End", token: '{"transfer":"+14155550100"}' }
        yield* line.send(say("Bye."))
        yield* line.send(end)
        assert.deepInclude(yield* told, { _tag: "Say", text: "Bye." })
        assert.deepStrictEqual(yield* told, end)
        assert.deepStrictEqual((yield* all).at(-1), { _tag: "Closed", reason: "ended" })
      })
    )

    for (const how of ["hangup", "dropped"] as const) {
      it.scopedLive(`tells once, and last, that it is closed: ${how}`, () =>
        Effect.gen(function* () {
          const { leave, line, tell } = yield* open
          const all = yield* ending(line)
          yield* tell(tells[0]!)
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
        yield* line.send(say("Is anyone there?", true))
        yield* line.send({ _tag: "End", token: "over" })
      })
    )
  })
}
