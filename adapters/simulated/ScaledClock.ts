import { Clock, Duration, Effect } from "effect"

const perMillisecond = 1_000_000n

/** A clock that begins now, and runs `speed` times as fast as the fiber's own. */
export const make = (speed: number): Effect.Effect<Clock.Clock> =>
  Effect.map(Effect.clock, (own): Clock.Clock => {
    const start = own.unsafeCurrentTimeMillis()
    const millis = () => Math.round(start + (own.unsafeCurrentTimeMillis() - start) * speed)
    const nanos = () => BigInt(millis()) * perMillisecond
    return {
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      unsafeCurrentTimeMillis: millis,
      unsafeCurrentTimeNanos: nanos,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanos: Effect.sync(nanos),
      sleep: (duration) => own.sleep(Duration.millis(Duration.toMillis(duration) / speed))
    }
  })
