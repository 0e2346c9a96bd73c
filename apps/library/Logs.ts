import { Cause, HashMap, Layer, Logger, LogLevel } from "effect"

/** A line of the log. It holds ids, never numbers, keys or bodies. */
export interface LogLine {
  readonly level: "debug" | "info" | "warning" | "error" | "fatal"
  readonly message: string
  /** Ids, and what else goes with the message. */
  readonly annotations: Readonly<Record<string, unknown>>
  /** What was thrown, with where it came from. */
  readonly cause: string | null
  readonly at: Date
}

export type Log = (line: LogLine) => void

const levelOf = ({ ordinal }: LogLevel.LogLevel): LogLine["level"] => {
  if (ordinal >= LogLevel.Fatal.ordinal) return "fatal"
  if (ordinal >= LogLevel.Error.ordinal) return "error"
  if (ordinal >= LogLevel.Warning.ordinal) return "warning"
  return ordinal >= LogLevel.Info.ordinal ? "info" : "debug"
}

const told = (log: Log) =>
  Logger.make<unknown, void>(({ annotations, cause, date, logLevel, message }) =>
    log({
      level: levelOf(logLevel),
      message: (Array.isArray(message) ? message : [message]).map(String).join(" "),
      annotations: Object.fromEntries(HashMap.toEntries(annotations)),
      cause: Cause.isEmpty(cause) ? null : Cause.pretty(cause),
      at: date
    })
  )

/** Where lines go: to `log`, or, warnings and errors alone, to stderr. No spans are made. */
export const quiet = (log: Log | undefined): Layer.Layer<never> =>
  Layer.mergeAll(
    Layer.setTracerEnabled(false),
    log === undefined
      ? Layer.merge(
          Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger)),
          Logger.minimumLogLevel(LogLevel.Warning)
        )
      : Logger.replace(Logger.defaultLogger, told(log))
  )
