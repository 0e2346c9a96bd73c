import * as Args from "@effect/cli/Args"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import { Duration, Effect, Schema } from "effect"
import { millisOf } from "../../../core/model/Codecs.ts"
import { issuesOf } from "../../../core/model/Issues.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"

export const invalid = (message: string) => ValidationError.invalidValue(HelpDoc.p(message))

/** Checks a value by a schema, and names the option or argument when the value does not fit. */
export const checked =
  <A, I>(name: string, schema: Schema.Schema<A, I>) =>
  (value: NoInfer<I>): Effect.Effect<A, ValidationError.ValidationError> =>
    Effect.mapError(Schema.decode(schema)(value), (error) =>
      invalid(`${name} ${issuesOf(error)[0]?.message ?? "is not valid"}`)
    )

/** An argument: a word of its own. */
export const argument = (name: string, about: string) => Args.text({ name }).pipe(Args.withDescription(about))

/** `--name VALUE`. `value` is the word that stands for it in help. */
export const text = (name: string, value: string, about: string) =>
  Options.text(name).pipe(Options.withPseudoName(value), Options.withDescription(about))

/** `--name N`, a whole number that a schema takes. */
export const whole = (name: string, about: string, schema: Schema.Schema<number> = Schema.Int) =>
  Options.integer(name).pipe(
    Options.withPseudoName("N"),
    Options.withDescription(about),
    Options.mapEffect(checked(`--${name}`, schema))
  )

/** `--name N`, any number that a schema takes. */
export const number = (name: string, value: string, about: string, schema: Schema.Schema<number>) =>
  Options.float(name).pipe(
    Options.withPseudoName(value),
    Options.withDescription(about),
    Options.mapEffect(checked(`--${name}`, schema))
  )

/** `--name`, given or not. */
export const flag = (name: string, about: string) =>
  Options.boolean(name).pipe(Options.withDescription(about))

/** Reads one of several words; the error names all of them. */
export const oneOf =
  <A extends string>(name: string, words: ReadonlyArray<A>) =>
  (word: string): Effect.Effect<A, ValidationError.ValidationError> => {
    const found = words.find((each) => each === word)
    return found === undefined
      ? Effect.fail(
          invalid(`${name} must be ${words.length === 2 ? words.join(" or ") : `one of ${words.join(", ")}`}`)
        )
      : Effect.succeed(found)
  }

export const workspace = text("workspace", "ID", "The workspace's id, as `workspace list` shows it.")

export const json = flag("json", "Answers one JSON document on stdout, nothing else.")

export const scopes = text(
  "scope",
  "SCOPE",
  `What it may do: ${allScopes.join(", ")}. All, when none is given.`
).pipe(
  Options.repeated,
  Options.mapEffect(Effect.forEach(oneOf("--scope", allScopes))),
  Options.map((chosen) => (chosen.length === 0 ? allScopes : [...new Set(chosen)]))
)

const units = { s: "seconds", m: "minutes", h: "hours", d: "days" } as const

/** Reads `90s`, `30m`, `1h` or `7d`; the error names the option. */
export const durationOf = (name: string) => (text: string) => {
  const [, count, unit] = /^([1-9]\d{0,8})([smhd])$/.exec(text) ?? []
  return count === undefined
    ? Effect.fail(invalid(`${name} must be a number of s, m, h or d, such as 30m`))
    : Effect.succeed(Duration.decode(`${Number(count)} ${units[unit as keyof typeof units]}`))
}

/** `--name TIME`, as epoch milliseconds. */
export const time = (name: string, about: string) =>
  text(name, "TIME", about).pipe(
    Options.mapEffect((text) => {
      const millis = millisOf(text)
      return Number.isNaN(millis)
        ? Effect.fail(
            invalid(
              `--${name} must be a time such as 2027-02-03T09:00:00Z, with its offset, from 2000 to 2100`
            )
          )
        : Effect.succeed(millis)
    })
  )
