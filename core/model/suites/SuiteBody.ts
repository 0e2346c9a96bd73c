import { Schema } from "effect"
import { Characters, Identifier } from "../Codecs.ts"
import { defaultJudges, SuiteConfig, SuiteRecord } from "./Suite.ts"

const closed = { parseOptions: { onExcessProperty: "error", errors: "all" } } as const

/** Any integer, however large: one that JSON can write and a number cannot hold is clamped like all others. */
const Count = Schema.Number.pipe(
  Schema.filter((count) => Number.isInteger(count) || !Number.isFinite(count) || "count must be an integer")
).annotations({
  description: "How many scenarios: 1 to 100, and clamped to that",
  message: () => ({ message: "count must be an integer", override: true }),
  jsonSchema: { type: "integer", default: 5 }
})

/** The body that asks for a suite. Source: contract, "POST /agent-test-suites/generate". */
export const GenerateSuiteBody = Schema.Struct({
  agent_id: Identifier("agent_id"),
  count: Schema.optionalWith(Count, { default: () => 5 }),
  judges: Schema.optionalWith(
    SuiteConfig.fields.judges.pipe(
      Schema.minItems(1, { message: () => "judges must name at least one judge" })
    ),
    { default: () => defaultJudges }
  ).annotations({ description: "Whose criteria are put to the test; by default the five known ones" }),
  hint: Schema.optionalWith(Schema.NullOr(Characters(0, 2_000)), {
    default: () => null
  }).annotations({
    description: "A free-text steer for the generator"
  }),
  name: Schema.optionalWith(Schema.NullOr(Characters(1, 200)), {
    default: () => null
  }).annotations({ description: "Suffixed when the workspace has a suite of this name already" })
}).annotations({ identifier: "GenerateSuite", ...closed })
export type GenerateSuite = typeof GenerateSuiteBody.Type

/** The body that makes a suite by hand. */
export const CreateSuiteBody = Schema.Struct({
  agent_id: Identifier("agent_id"),
  name: SuiteRecord.fields.name,
  scenarios: SuiteRecord.fields.scenarios,
  config: Schema.optionalWith(SuiteConfig, { exact: true }).annotations({
    description:
      "By default the five known judges, and each placeholder of the agent's prompt with an empty string"
  })
}).annotations({ identifier: "CreateSuite", ...closed })
export type CreateSuite = typeof CreateSuiteBody.Type

/** The body that changes a suite. */
export const UpdateSuiteBody = Schema.Struct({
  name: Schema.optionalWith(SuiteRecord.fields.name, { exact: true }),
  scenarios: Schema.optionalWith(SuiteRecord.fields.scenarios, { exact: true }),
  config: Schema.optionalWith(SuiteConfig, { exact: true })
}).annotations({ identifier: "UpdateSuite", ...closed })
export type UpdateSuite = typeof UpdateSuiteBody.Type

export const countOf = (count: number): number => Math.min(100, Math.max(1, count))
