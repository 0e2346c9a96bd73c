import { Clock, Duration, Effect } from "effect"
import { Sleepers } from "./Sleepers.ts"

const perMillisecond = 1_000_000n

/** A clock whose time passes only when its subclass moves it on, and wakes what slept until then. */
export abstract class ManualClock implements Clock.Clock {
  readonly [Clock.ClockTypeId]: Clock.ClockTypeId = Clock.ClockTypeId
  protected readonly sleepers = new Sleepers()
  protected now: number

  /** `start` is in epoch milliseconds. */
  constructor(start: number) {
    this.now = start
  }

  readonly currentTimeMillis: Effect.Effect<number> = Effect.sync(() => this.now)
  readonly currentTimeNanos: Effect.Effect<bigint> = Effect.sync(() => this.unsafeCurrentTimeNanos())

  unsafeCurrentTimeMillis(): number {
    return this.now
  }

  unsafeCurrentTimeNanos(): bigint {
    return BigInt(this.now) * perMillisecond
  }

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return Effect.async<void>((resume) => {
      const millis = Duration.toMillis(duration)
      if (millis === Infinity) return
      return Effect.sync(this.schedule(this.now + millis, () => resume(Effect.void)))
    })
  }

  /** Has something happen at a time, to the next whole millisecond; what is answered calls it off. */
  schedule(at: number, run: () => void): () => void {
    return this.sleepers.add(Math.ceil(Math.max(at, this.now)), run)
  }
}
