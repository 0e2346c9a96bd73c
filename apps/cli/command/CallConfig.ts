import type { Command } from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import * as Flags from "./Flags.ts"

/** `09:00-17:30` */
const windowOf = (text: string) => {
  const [, start, end] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? []
  return start === undefined || end === undefined
    ? Effect.fail(Flags.invalid("--window must be two times of 24 hours such as 09:00-17:30"))
    : Effect.succeed({ call_start_time: start, call_end_time: end })
}

/** When calls may be made, and how often they are tried again. */
export const options = {
  window: Flags.text("window", "HOURS", "When it may call, such as 09:00-17:30; needs --timezone.").pipe(
    Options.mapEffect(windowOf),
    Options.optional
  ),
  timezone: Options.optional(
    Flags.text("timezone", "ZONE", "The time zone of the window, such as Europe/Paris.")
  ),
  retries: Options.optional(Flags.whole("retries", "Further attempts, 0 to 9; 0 when not given."))
}

/** The `call_config` of a request; undefined where nothing of it was given. */
export const configOf = ({ retries, timezone, window }: Command.ParseConfig<typeof options>) => {
  if (Option.isSome(window) !== Option.isSome(timezone))
    return Effect.fail(Flags.invalid("--window and --timezone go together"))
  const config = {
    ...(Option.isSome(retries) && { call_retry_config: { retry_count: retries.value } }),
    ...(Option.isSome(window) &&
      Option.isSome(timezone) && { call_time: { ...window.value, timezone: timezone.value } })
  }
  return Effect.succeed(Object.keys(config).length === 0 ? undefined : config)
}
