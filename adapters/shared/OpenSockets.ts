import { Config, Context, Effect, Layer, Schedule } from "effect"
import { second } from "../../core/model/Codecs.ts"

/** How long a place is kept for a call that is being dialled: ringing, and the time to connect. */
const keptFor = 90 * second

export const standardLimit = 1_000

const make = (limit: number) =>
  Effect.map(Effect.clock, (clock) => {
    let open = 0
    /** When each place that is kept is free again, the first of them first. */
    const kept = new Map<string, number>()

    const isFull = () => {
      const now = clock.unsafeCurrentTimeMillis()
      for (const [name, until] of kept) {
        if (until > now) break
        kept.delete(name)
      }
      return open + kept.size >= limit
    }

    const available = Effect.sync(() => !isFull())

    return OpenSockets.of({
      keep: (name) => {
        if (isFull()) return false
        kept.delete(name)
        kept.set(name, clock.unsafeCurrentTimeMillis() + keptFor)
        return true
      },
      letGo: (name) => void kept.delete(name),
      open: (name) => {
        if (!kept.delete(name) && isFull()) return false
        open += 1
        return true
      },
      closed: () => {
        open -= 1
      },
      available,
      awaitAvailable: Effect.asVoid(
        Effect.repeat(available, { until: (isFree) => isFree, schedule: Schedule.spaced("1 second") })
      )
    })
  })

/**
 * How many WebSockets this process may have open at one time. A call that will need one has its place kept before it is
 * dialled: a callee is not called only to hear that there is no room.
 */
export class OpenSockets extends Context.Tag("outdial/OpenSockets")<
  OpenSockets,
  {
    /** Keeps a place for the socket of a call that is being dialled. False when there is none. */
    readonly keep: (name: string) => boolean
    /** The call will not need its place. */
    readonly letGo: (name: string) => void
    /** Takes the place that is kept under a name, or a free one. False when there is none. */
    readonly open: (name: string) => boolean
    readonly closed: () => void
    readonly available: Effect.Effect<boolean>
    /** Completes when there is a free place, at once if there is one. */
    readonly awaitAvailable: Effect.Effect<void>
  }
>() {
  static readonly layer = (limit: number) => Layer.effect(this, make(limit))

  static readonly settings = Config.integer("OUTDIAL_SOCKETS").pipe(
    Config.validate({ message: "must be at least 1", validation: (sockets) => sockets >= 1 }),
    Config.withDefault(standardLimit)
  )

  /** `OUTDIAL_SOCKETS`: 1,000 unless it is set. */
  static readonly layerConfig = Layer.effect(this, Effect.flatMap(this.settings, make))
}
