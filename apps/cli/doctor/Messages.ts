import { Config, Effect } from "effect"
import * as NodeServer from "../../../adapters/http/server/NodeServer.ts"
import { messagesName } from "../../platform/Providers.ts"
import { type CallerNumber, checkOwned } from "./CallerNumbers.ts"
import { ok, warning } from "./Finding.ts"
import { inPart } from "./Settings.ts"

/** Meta's webhooks may have so many bytes. Source: Meta, "Webhooks: payload size". */
const largestWebhook = 3 * 1024 * 1024

const meta = Effect.fnUntraced(function* (numbers: ReadonlyArray<CallerNumber>) {
  const [AccountCheck, settings] = yield* Effect.promise(() =>
    Promise.all([
      import("../../../adapters/meta/AccountCheck.ts"),
      import("../../../adapters/meta/Config.ts")
    ])
  )
  const { maxBodyBytes } = yield* NodeServer.settings
  const options = yield* Config.all({ options: settings.options, secrets: settings.secrets })
  const { host } = new URL(options.options.url)
  const owned = yield* AccountCheck.check({ ...options.options, ...options.secrets })
  return [
    ok("messages", `${host} takes the token and the app's secret`),
    ...checkOwned("messages", `the account at ${host}`, numbers, (number) => owned.has(number.slice(1))),
    ...(maxBodyBytes < largestWebhook
      ? [
          warning(
            "messages",
            `Meta's webhooks may be larger than OUTDIAL_MAX_BODY_BYTES: set it to ${largestWebhook}`
          )
        ]
      : [])
  ]
})

/** Whether the provider of messages that `OUTDIAL_MESSAGES` names can be used. */
export const messages = (numbers: ReadonlyArray<CallerNumber>) =>
  inPart(
    "messages",
    Effect.flatMap(messagesName, (name) =>
      name === "meta"
        ? meta(numbers)
        : Effect.succeed([ok("messages", "messages are simulated in the server's own process: none is sent")])
    )
  )
