import { Schema } from "effect"
import { zoneExists } from "./CallingWindow.ts"

const between = (field: string, min: number, max: number) =>
  Schema.Int.pipe(
    Schema.between(min, max, { message: () => `${field} must be an integer from ${min} to ${max}` })
  ).annotations({ message: () => `${field} must be an integer from ${min} to ${max}` })

/** Minutes to wait before a retry: at most 30 days. */
const delay = (field: string) => between(field, 0, 43_200)

export const RetryConfig = Schema.Struct({
  retry_count: Schema.optional(between("retry_count", 0, 9)),
  retry_busy: Schema.optional(delay("retry_busy")),
  retry_not_picked: Schema.optional(delay("retry_not_picked")),
  retry_failed: Schema.optional(delay("retry_failed"))
})
export type RetryConfig = typeof RetryConfig.Type

const WallTime = (field: string) =>
  Schema.String.annotations({ message: () => `${field} must be a 24-hour HH:MM time` }).pipe(
    Schema.pattern(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, {
      message: () => `${field} must be a 24-hour HH:MM time`
    })
  )

/** The permitted calling window: local wall-clock times, start inclusive, end exclusive. */
export const CallTime = Schema.Struct({
  call_start_time: WallTime("call_start_time"),
  call_end_time: WallTime("call_end_time"),
  timezone: Schema.String.annotations({ message: () => "timezone must be a time-zone name" }).pipe(
    Schema.filter(
      (name) => zoneExists(name) || "timezone must be a region-style time-zone name such as Europe/Paris"
    )
  )
}).pipe(
  Schema.filter((time) =>
    time.call_start_time === time.call_end_time ? "call_start_time and call_end_time must differ" : undefined
  )
)
export type CallTime = typeof CallTime.Type

/** Source: contract, `call_config`. Properties that it does not name are kept and echoed, never applied. */
export const CallConfig = Schema.Struct({
  idle_timeout_warning: Schema.optional(between("idle_timeout_warning", 1, 3600)).annotations({
    description:
      "Seconds of silence before the agent nudges; less than `idle_timeout_end`. Given alone, the agent's " +
      "`idle_timeout_end` holds if it is later, else the nudge is followed by the agent's distance between the two"
  }),
  idle_timeout_end: Schema.optional(between("idle_timeout_end", 1, 3600)).annotations({
    description:
      "Seconds of silence before the call is hung up; the nudge restarts them. Given alone, the agent's " +
      "`idle_timeout_warning` holds if it is earlier, else it is earlier by the agent's distance between the two"
  }),
  max_call_length: Schema.optional(between("max_call_length", 1, 3600)),
  call_retry_config: Schema.optional(RetryConfig),
  call_time: Schema.optional(CallTime)
}).pipe(
  Schema.filter(({ idle_timeout_end, idle_timeout_warning }) =>
    idle_timeout_warning !== undefined &&
    idle_timeout_end !== undefined &&
    idle_timeout_warning >= idle_timeout_end
      ? "idle_timeout_warning must be less than idle_timeout_end"
      : undefined
  )
)
export type CallConfig = typeof CallConfig.Type

/** Seconds. */
export interface IdleTimeouts {
  readonly idle_timeout_warning: number
  readonly idle_timeout_end: number
}

/**
 * The idle timeouts of a call. When it gives one of the two, the other is the agent's as far as it fits; else the
 * agent's distance between the two is kept, so that the nudge can play. Source: contract, `call_config`.
 */
export const idleTimeouts = (config: CallConfig, agent: IdleTimeouts): IdleTimeouts => {
  const { idle_timeout_end: end, idle_timeout_warning: warning } = config
  const distance = agent.idle_timeout_end - agent.idle_timeout_warning
  return {
    idle_timeout_warning:
      warning ??
      (end === undefined || agent.idle_timeout_warning < end
        ? agent.idle_timeout_warning
        : Math.max(1, end - distance)),
    idle_timeout_end:
      end ??
      (warning === undefined || agent.idle_timeout_end > warning
        ? agent.idle_timeout_end
        : warning + distance)
  }
}

/** Seconds; source: contract, `max_call_length`. */
export const maxCallLength = (config: CallConfig): number => config.max_call_length ?? 3600
