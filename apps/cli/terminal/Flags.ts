import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import { Duration, Effect, Schema } from "effect"
import { issuesOf } from "../../../core/model/Issues.ts"
import { allScopes, Scope } from "../../../core/model/workspaces/Principal.ts"

export const invalid = (message: string) => ValidationError.invalidValue(HelpDoc.p(message))

/** Checks a value by a schema, naming where it came from when it does not fit. */
export const checked =
  <A, I>(name: string, schema: Schema.Schema<A, I>) =>
  (value: NoInfer<I>): Effect.Effect<A, ValidationError.ValidationError> =>
    Effect.mapError(Schema.decode(schema)(value), (error) =>
      invalid(`${name} ${issuesOf(error)[0]?.message ?? "is not valid"}`)
    )

/** What a command does, and how it is called: `help` shows both. */
export const describe = (text: string, ...examples: ReadonlyArray<string>): HelpDoc.HelpDoc =>
  HelpDoc.blocks([
    ...text.split("\n").map((line) => HelpDoc.p(line)),
    ...examples.map((example) => HelpDoc.enumeration([HelpDoc.p(example)]))
  ])

export const workspace = Options.text("workspace").pipe(
  Options.withPseudoName("ID"),
  Options.withDescription("The workspace's id, as `workspace list` shows it.")
)

export const json = Options.boolean("json").pipe(
  Options.withDescription("Answers one JSON document on stdout, nothing else.")
)

const scopeOf = (scope: string) =>
  Schema.is(Scope)(scope)
    ? Effect.succeed(scope)
    : Effect.fail(invalid(`--scope must be one of ${allScopes.join(", ")}`))

export const scopes = Options.text("scope").pipe(
  Options.withPseudoName("SCOPE"),
  Options.withDescription(`What it may do: ${allScopes.join(", ")}. All, when none is given.`),
  Options.repeated,
  Options.mapEffect(Effect.forEach(scopeOf)),
  Options.map((chosen) => (chosen.length === 0 ? allScopes : [...new Set(chosen)]))
)

const units = { s: "seconds", m: "minutes", h: "hours", d: "days" } as const

/** `90s`, `30m`, `1h`, `7d` */
export const parseDuration = (text: string): Duration.Duration | undefined => {
  const [, count, unit] = /^([1-9]\d{0,8})([smhd])$/.exec(text) ?? []
  return count === undefined
    ? undefined
    : Duration.decode(`${Number(count)} ${units[unit as keyof typeof units]}`)
}

/** Reads a duration, naming where it came from when it is none. */
export const durationOf = (name: string) => (text: string) => {
  const duration = parseDuration(text)
  return duration === undefined
    ? Effect.fail(invalid(`${name} must be a number of s, m, h or d, such as 30m`))
    : Effect.succeed(duration)
}

export const ttl = Options.text("ttl").pipe(
  Options.withPseudoName("DURATION"),
  Options.withDescription("How long it is valid: 90s, 30m, 7d; 1h when not given."),
  Options.withDefault("1h"),
  Options.mapEffect(durationOf("--ttl"))
)
