import { Data, Effect } from "effect"

/** A provider does not let us into the account of the settings. The message names the setting and holds no secret. */
export class AccountRefused extends Data.TaggedError("AccountRefused")<{ readonly message: string }> {}

const patience = "20 seconds"

/** Bounds all requests of a look at an account together. */
export const inTime =
  (host: string) =>
  <A, R>(check: Effect.Effect<A, AccountRefused, R>): Effect.Effect<A, AccountRefused, R> =>
    Effect.timeoutFail(check, {
      duration: patience,
      onTimeout: () => new AccountRefused({ message: `${host} does not answer in time` })
    })
