import { Effect, Layer } from "effect"
import { administration } from "../../platform/Administration.ts"
import * as Store from "../../platform/Store.ts"
import { CommandFailed } from "../terminal/Failure.ts"

const store = Layer.unwrapEffect(
  Effect.flatMap(Store.location, (place) =>
    place._tag === "Memory"
      ? new CommandFailed({
          message: "OUTDIAL_DATABASE_URL is memory:, a store that no other process can reach"
        })
      : Effect.succeed(Store.of(place))
  )
)

/** What an administrator does on the server's own store. */
export const layer = administration(store)
