import * as Options from "@effect/cli/Options"
import { Effect, Option, Stream } from "effect"
import * as Flags from "../command/Flags.ts"
import type { Answer } from "../rest/Rest.ts"
import { Unhealthy } from "../terminal/Failure.ts"
import * as Files from "../terminal/Files.ts"
import { Output } from "../terminal/Output.ts"
import { junit } from "./JUnit.ts"
import { report, type Transcripts } from "./Report.ts"
import { hasPassed, type Run } from "./Run.ts"

/** Where a run's result is written. */
export interface Telling {
  readonly json: boolean
  /** Where the JUnit XML goes; `-` is stdout. */
  readonly junit: Option.Option<string>
}

const stdout = "-"

export const options = {
  junit: Options.optional(
    Flags.text("junit", "FILE", "Where the results are written as JUnit XML, for CI; - is stdout.")
  ),
  json: Flags.flag(
    "json",
    "Answers the run with all its results as one JSON document on stdout, nothing else."
  )
}

/** Makes sure, before the first request, that JSON and JUnit do not share stdout. */
export const check = ({ json, junit }: Telling) =>
  json && Option.contains(junit, stdout)
    ? Effect.fail(
        Flags.invalid("--json and --junit - both write to stdout: choose one, or give --junit a file")
      )
    : Effect.void

/** Makes sure, before a run costs credits, that its results can be written. */
export const prepare = ({ junit }: Telling) =>
  Option.isSome(junit) && junit.value !== stdout ? Files.prepare(junit.value) : Effect.void

/** Writes the result of a run, and ends with 1 unless every play passed. */
export const tell = Effect.fnUntraced(function* (
  suiteName: string,
  { text, value }: Answer<Run>,
  { json, junit: place }: Telling,
  transcripts: Transcripts = "ends"
) {
  const { columns, err, out } = yield* Output
  const toStdout = Option.contains(place, stdout)
  yield* json ? out(text) : (toStdout ? err : out)(report(suiteName, value, columns, transcripts))
  if (Option.isSome(place)) {
    const xml = junit(suiteName, value)
    yield* toStdout
      ? out(xml.trimEnd())
      : Files.write(place.value, Stream.make(new TextEncoder().encode(xml)))
  }
  if (!hasPassed(value)) return yield* new Unhealthy()
})
