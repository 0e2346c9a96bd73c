import { type Context, Effect } from "effect"
import { type CallDialer, CarrierUnreachable } from "../../core/ports/CallDialer.ts"
import type { OpenSockets } from "../shared/OpenSockets.ts"

type Dialer = Context.Tag.Service<CallDialer>

/**
 * A dialer of calls whose conversations are held here: it is not available while all sockets are taken, and keeps a
 * place for each call that it dials.
 */
export const within = (dialer: Dialer, sockets: Context.Tag.Service<OpenSockets>): Dialer => {
  const available = Effect.zipWith(
    dialer.available,
    sockets.available,
    (answers, isFree) => answers && isFree
  )
  return {
    ...dialer,
    available,
    awaitAvailable: Effect.zipRight(dialer.awaitAvailable, sockets.awaitAvailable).pipe(
      Effect.repeat({ until: () => available }),
      Effect.asVoid
    ),
    dial: (request) =>
      Effect.suspend(() => {
        const { session_id } = request
        if (!sockets.keep(session_id)) {
          return new CarrierUnreachable({ message: "all sockets of conversations are taken" })
        }
        return Effect.tapError(dialer.dial(request), ({ _tag }) =>
          _tag === "DialInDoubt" ? Effect.void : Effect.sync(() => sockets.letGo(session_id))
        )
      })
  }
}
