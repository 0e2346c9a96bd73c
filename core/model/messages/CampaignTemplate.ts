import { Schema } from "effect"
import { Identifier, Text } from "../Codecs.ts"
import type { RawJson } from "../json/RawJson.ts"

const Variable = Text.pipe(
  Schema.filter((name) => name.length >= 1 || "must name a variable", { jsonSchema: { minLength: 1 } })
)
const Slots = Schema.optional(Schema.Record({ key: Schema.String, value: Variable }))

/** What a messaging campaign sends: a template, and which variable of a recipient fills which part of it. */
export const CampaignTemplate = Schema.Struct({
  id: Identifier("template.id").annotations({ description: "A message template of the workspace" }),
  variables: Schema.optional(
    Schema.Struct({ header: Slots, body: Slots, buttons: Slots }).annotations({
      parseOptions: { onExcessProperty: "error", errors: "all" }
    })
  ).annotations({
    description:
      "For each placeholder of `header` and `body` (its number or name) the variable of the recipient that fills " +
      "it; `buttons` by their position from 0. A header with a file takes `link`, one with a place `latitude`, " +
      "`longitude`, `name` and `address`."
  })
}).annotations({ identifier: "CampaignTemplate", parseOptions: { onExcessProperty: "error", errors: "all" } })
export type CampaignTemplate = typeof CampaignTemplate.Type

/** The parsed form of a campaign's `template`, which was checked when it was stored. */
export const parse = (template: RawJson): CampaignTemplate => JSON.parse(template) as CampaignTemplate
