import { Clock, Effect, Schedule, Scope } from "effect"
import { Output, type Screen } from "../terminal/Output.ts"
import { type Bar, render } from "./Bar.ts"

/** Goes to the beginning of the line and clears it. */
const cleared = "\r\u001b[K"

/** Every time a line is drawn anew while work goes on. */
const redraw = Schedule.spaced("100 millis")

const drawAt = (screen: Screen, bar: Bar, now: number) =>
  screen.write(cleared + render(bar, screen.columns() - 1, now))

/** Draws a bar over the screen's last line. The last cell stays free, so that the line does not wrap. */
export const draw = Effect.fnUntraced(function* (screen: Screen, bar: Bar) {
  yield* drawAt(screen, bar, yield* Clock.currentTimeMillis)
})

/** Clears the line. */
export const clear = (screen: Screen): Effect.Effect<void> => screen.write(cleared)

/**
 * Draws how far some work is, ten times a second, where there is a screen, until the scope ends; the line is gone
 * then. Answers a way to say something meanwhile, on a line of its own.
 *
 * @param bar takes the moment, epoch milliseconds
 */
export const drawing = Effect.fnUntraced(function* (bar: (now: number) => Bar) {
  const { err, screen } = yield* Output
  if (screen === undefined) return err
  const turns = yield* Effect.makeSemaphore(1)
  const draws = Effect.flatMap(Clock.currentTimeMillis, (now) => drawAt(screen, bar(now), now))
  yield* Effect.addFinalizer(() => clear(screen))
  yield* Effect.forkScoped(Effect.repeat(turns.withPermits(1)(draws), redraw))
  return (text: string) => turns.withPermits(1)(Effect.zipRight(clear(screen), err(text)))
})

/** Draws how far some work is while it goes on. */
export const during = <A, E, R>(bar: (now: number) => Bar, work: Effect.Effect<A, E, R>) =>
  Effect.scopedWith((scope) => Effect.zipRight(Effect.provideService(drawing(bar), Scope.Scope, scope), work))
