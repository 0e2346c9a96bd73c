import { Clock, Effect, Layer, Schedule } from "effect"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { CallDialer } from "../../../core/ports/CallDialer.ts"
import { platformWide, Repository } from "../../../core/ports/Repository.ts"

const live = HttpLayerRouter.add("GET", "/health/live", HttpServerResponse.unsafeJson({ status: "live" }))

/** On the list of no workspace: what `ready` writes. */
const probe = "+0"

/**
 * `GET /health/ready`: 200 while the store can be written, else 503. Of a store that a later version has changed so that
 * this one may not use it, it says `too_new`. A carrier that is away is told, but takes no server
 * out of service: all of them would go, and with them the callbacks by which the carrier tells of calls under way.
 */
const ready = HttpLayerRouter.use(
  Effect.fnUntraced(function* (router) {
    const repository = yield* Repository
    const dialer = yield* CallDialer

    /** Stores a number and removes it again: a store that can be read alone, as on a full disk, is not usable. */
    const written = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.zipRight(
        repository.doNotCall.add(platformWide, [probe], now),
        repository.doNotCall.remove(platformWide, probe)
      )
    )
    let told = false
    const outdated = Effect.tap(repository.outdated ?? Effect.succeed(false), (is) => {
      if (!is || told) return Effect.void
      told = true
      return Effect.logError(
        "The store is too new for this process: a later version has changed it. Stop this process"
      )
    })
    if (repository.outdated !== null) {
      // Whether a probe asks or not.
      yield* Effect.catchAllCause(outdated, () => Effect.void).pipe(
        Effect.repeat(Schedule.spaced("30 seconds")),
        Effect.forkScoped
      )
    }

    const store = outdated.pipe(
      Effect.flatMap((is) =>
        is
          ? Effect.succeed("too_new" as const)
          : Effect.as(repository.transaction(platformWide, written), "up" as const)
      ),
      Effect.timeout("2 seconds"),
      Effect.catchAllCause(() => Effect.succeed("down" as const))
    )

    const check = Effect.gen(function* () {
      const checks = { store: yield* store, carrier: yield* dialer.available }
      return HttpServerResponse.unsafeJson(
        {
          status: checks.store === "up" ? "ready" : "unavailable",
          checks: { ...checks, carrier: checks.carrier ? "up" : "down" }
        },
        { status: checks.store === "up" ? 200 : 503 }
      )
    })
    yield* router.add("GET", "/health/ready", check)
  })
)

export const layer = Layer.merge(live, ready)
