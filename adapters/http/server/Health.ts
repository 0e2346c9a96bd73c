import { Clock, Effect, Layer } from "effect"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { CallDialer } from "../../../core/ports/CallDialer.ts"
import { platformWide, Repository } from "../../../core/ports/Repository.ts"

const live = HttpLayerRouter.add("GET", "/health/live", HttpServerResponse.unsafeJson({ status: "live" }))

/** On the list of no workspace: what `ready` writes. */
const probe = "+0"

/**
 * `GET /health/ready`: 200 while the store can be written, else 503. A carrier that is away is told, but takes no server
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
    const store = repository.transaction(platformWide, written).pipe(
      Effect.timeout("2 seconds"),
      Effect.as(true),
      Effect.catchAllCause(() => Effect.succeed(false))
    )

    const check = Effect.gen(function* () {
      const checks = { store: yield* store, carrier: yield* dialer.available }
      return HttpServerResponse.unsafeJson(
        {
          status: checks.store ? "ready" : "unavailable",
          checks: {
            store: checks.store ? "up" : "down",
            carrier: checks.carrier ? "up" : "down"
          }
        },
        { status: checks.store ? 200 : 503 }
      )
    })
    yield* router.add("GET", "/health/ready", check)
  })
)

export const layer = Layer.merge(live, ready)
