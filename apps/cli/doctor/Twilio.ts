import { Effect } from "effect"
import { type CallerNumber, checkOwned } from "./CallerNumbers.ts"
import { broken, type Finding, ok, warning } from "./Finding.ts"

/** Whether Twilio takes the credentials, and has the numbers. Its settings are right. */
export const twilio = Effect.fnUntraced(function* (check: string, numbers: ReadonlyArray<CallerNumber>) {
  const [AccountCheck, settings] = yield* Effect.promise(() =>
    Promise.all([
      import("../../../adapters/twilio/AccountCheck.ts"),
      import("../../../adapters/twilio/Config.ts")
    ])
  )
  const account = yield* settings.account
  const { host } = new URL(account.url)
  const state = yield* AccountCheck.check({
    ...account,
    authToken: yield* settings.authToken,
    timeout: yield* settings.timeout
  })
  const standing: Finding =
    state.status !== "active"
      ? broken(check, `${host} takes the credentials, but the account is ${state.status}`)
      : state.isTrial
        ? warning(
            check,
            `${host} takes the credentials; the account is on trial and calls verified numbers only`
          )
        : ok(check, `${host} takes the credentials, and the account is active`)
  return [
    standing,
    ...checkOwned(check, `the account at ${host}`, numbers, (number) => state.numbers.has(number))
  ]
})
