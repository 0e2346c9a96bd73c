import { Clock, Effect, Schedule } from "effect"
import { Output, type Screen } from "../Output.ts"
import { type Bar, render } from "./Bar.ts"

/** Back to the beginning of the line, and everything behind it gone. */
const cleared = "\r\u001b[K"

/** Every time a line is drawn anew while work goes on. */
const redraw = Schedule.spaced("100 millis")

/** Draws a bar over what stands on the screen's last line. Its last cell stays free, so that nothing wraps. */
export const draw = Effect.fnUntraced(function* (screen: Screen, bar: Bar) {
  const now = yield* Clock.currentTimeMillis
  yield* screen.write(cleared + render(bar, screen.columns() - 1, now))
})

/** Takes away what was drawn. */
export const clear = (screen: Screen): Effect.Effect<void> => screen.write(cleared)

/** Draws how far some work is, ten times a second, where there is a screen; the line is gone when it ends. */
export const during = <A, E, R>(
  bar: () => Bar,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | Output> =>
  Effect.flatMap(Output, ({ screen }) =>
    screen === undefined
      ? work
      : Effect.scoped(
          Effect.gen(function* () {
            yield* Effect.addFinalizer(() => clear(screen))
            yield* Effect.forkScoped(
              Effect.repeat(
                Effect.suspend(() => draw(screen, bar())),
                redraw
              )
            )
            return yield* work
          })
        )
  )
