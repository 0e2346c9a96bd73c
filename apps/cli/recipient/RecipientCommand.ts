import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { RecipientRecord, RecipientStatus } from "../../../core/model/campaigns/Recipient.ts"
import { Qualification, Sentiment } from "../../../core/model/conversations/Review.ts"
import { topLevel } from "../../../core/model/json/RawJson.ts"
import { command, group } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { pairs as pairsOf, variables } from "../command/Variables.ts"
import * as Connection from "../rest/Connection.ts"
import * as Listing from "../rest/Listing.ts"
import { Rest } from "../rest/Rest.ts"
import { verbatim } from "../terminal/Output.ts"
import { type Column, moment, pairs } from "../terminal/Table.ts"

const campaign = Flags.argument("CAMPAIGN_ID", "The campaign's id, as `campaign list` shows it.")
const id = Flags.argument("RECIPIENT_ID", "The recipient's id, as `recipient list` shows it.")

const path = (campaignId: string) => `/campaigns/${encodeURIComponent(campaignId)}/recipients`
const pathOf = (campaignId: string, recipientId: string) =>
  `${path(campaignId)}/${encodeURIComponent(recipientId)}`

const at = (millis: number | null): string => (millis === null ? "" : moment(millis))
const object = (value: object): string => (Object.keys(value).length === 0 ? "" : JSON.stringify(value))

const columns: ReadonlyArray<Column<RecipientRecord>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "NUMBER", value: ({ phone_number_masked }) => phone_number_masked },
  { title: "STATUS", value: ({ status }) => status },
  { title: "QUALIFIED", value: ({ qualification_status }) => qualification_status ?? "" },
  { title: "NEXT", value: ({ next_action_at }) => at(next_action_at) },
  { title: "VARIABLES", value: ({ variables }) => object(variables) }
]

const described = (recipient: RecipientRecord): string => {
  const lines: ReadonlyArray<readonly [string, string]> = [
    ["ID", recipient.id],
    ["CAMPAIGN", recipient.campaign_id],
    ["NUMBER", recipient.phone_number_masked],
    ["STATUS", recipient.status],
    ["TIMEZONE", recipient.timezone ?? ""],
    ["VARIABLES", object(recipient.variables)],
    ["OUTCOME", object(recipient.outcome)],
    ["ANSWERS", object(recipient.answers)],
    ["QUALIFIED", recipient.qualification_status ?? ""],
    ["SENTIMENT", recipient.sentiment ?? ""],
    ["MESSAGE", object(recipient.msg_context)],
    ["NEXT", at(recipient.next_action_at)],
    ["CREATED", at(recipient.created_at)],
    ["CHANGED", at(recipient.updated_at)]
  ]
  return pairs(lines.filter(([, value]) => value !== ""))
}

const list = command(
  "list",
  {
    about: "Lists a campaign's recipients, newest first, with masked numbers.",
    examples: [
      "outdial recipient list camp_01",
      "outdial recipient list camp_01 --status failed --limit 1000",
      "outdial recipient list camp_01 --number +14155550123",
      "outdial recipient list camp_01 --qualification qualified --answer budget=high"
    ]
  },
  {
    campaign,
    status: Flags.text(
      "status",
      "STATUS",
      `Only recipients of this status: ${RecipientStatus.literals.join(", ")}.`
    ).pipe(Options.mapEffect(Flags.oneOf("--status", RecipientStatus.literals)), Options.optional),
    number: Options.optional(
      Flags.text(
        "number",
        "NUMBER",
        "Only the recipient of this number, or recipients whose numbers end in these digits (4 or more)."
      )
    ),
    qualification: Flags.text(
      "qualification",
      "STATUS",
      `Only recipients of whom a conversation has shown this: ${Qualification.literals.join(", ")}.`
    ).pipe(Options.mapEffect(Flags.oneOf("--qualification", Qualification.literals)), Options.optional),
    sentiment: Flags.text(
      "sentiment",
      "TONE",
      `Only recipients whose last conversation was of this tone: ${Sentiment.literals.join(", ")}.`
    ).pipe(Options.mapEffect(Flags.oneOf("--sentiment", Sentiment.literals)), Options.optional),
    answers: pairsOf(
      "answer",
      "Only recipients who gave this answer in a conversation, such as budget=high."
    ),
    variables: pairsOf(
      "variable",
      "Only recipients with this value of a variable, such as city=Paris; `workspace update --metadata-key` names the variables."
    ),
    limit: Listing.limit,
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* (given) {
    const { campaign, json, limit } = given
    const found = yield* Listing.newest(RecipientRecord, path(campaign), ({ id }) => id, limit, {
      status: Option.getOrUndefined(given.status),
      phone_number: Option.getOrUndefined(given.number),
      qualification_status: Option.getOrUndefined(given.qualification),
      sentiment: Option.getOrUndefined(given.sentiment),
      ...Object.fromEntries(given.answers.map(([name, value]) => [`answers.${name}`, value])),
      ...Object.fromEntries(given.variables.map(([name, value]) => [`variables.${name}`, value]))
    })
    yield* Listing.show(json, found, columns, "There is no such recipient.")
  }, Connection.provide)
)

const show = command(
  "show",
  {
    about: "Shows a recipient, and what came of it.",
    examples: ["outdial recipient show camp_01 rcpt_01"]
  },
  { campaign, id, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ campaign, id, json }) {
    const found = yield* (yield* Rest).ask(RecipientRecord, "GET", pathOf(campaign, id))
    yield* verbatim(json, found.text, () => described(found.value))
  }, Connection.provide)
)

const zone = Options.optional(
  Flags.text("timezone", "ZONE", "Its own time zone, such as Europe/Paris; `none` takes it away.")
)
const zoneOf = (timezone: Option.Option<string>) =>
  Option.getOrUndefined(Option.map(timezone, (name) => (name === "none" ? null : name)))

const Added = Schema.Struct({ recipients: Schema.NonEmptyArray(RecipientRecord) })

const add = command(
  "add",
  {
    about: "Adds one recipient to a campaign; `campaign import` adds those of a file.",
    examples: ["outdial recipient add camp_01 +14155550123 --variable name=Ada"]
  },
  {
    campaign,
    number: Flags.argument("NUMBER", "The number to call, in E.164 form, such as +14155550123."),
    variables,
    timezone: zone,
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ campaign, json, number, timezone, variables }) {
    const recipient = {
      phone_number: number,
      variables: Object.fromEntries(variables),
      timezone: zoneOf(timezone)
    }
    const body = { recipients: [recipient] }
    const made = yield* (yield* Rest).ask(Added, "POST", path(campaign), body)
    yield* verbatim(json, made.text, () => described(made.value.recipients[0]))
  }, Connection.provide)
)

/** The record's own variables with some set anew, as JSON text: a number keeps its digits. */
const merged = (record: string, changed: ReadonlyArray<readonly [string, string]>): string => {
  const all = new Map<string, string>(topLevel(topLevel(record).get("variables") ?? "{}"))
  for (const [name, value] of changed) all.set(name, JSON.stringify(value))
  return `{${[...all].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`
}

const change = command(
  "change",
  {
    about: "Sets variables of a recipient, or its time zone. Not while its call is under way.",
    examples: [
      "outdial recipient change camp_01 rcpt_01 --variable name=Ada",
      "outdial recipient change camp_01 rcpt_01 --timezone Europe/Paris"
    ]
  },
  { campaign, id, variables, timezone: zone, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ campaign, id, json, timezone, variables }) {
    const { ask } = yield* Rest
    if (variables.length === 0 && Option.isNone(timezone))
      return yield* Effect.fail(Flags.invalid("nothing is to be changed: give --variable or --timezone"))
    const at = pathOf(campaign, id)
    const parts = [
      ...(variables.length === 0
        ? []
        : [`"variables":${merged((yield* ask(RecipientRecord, "GET", at)).text, variables)}`]),
      ...(Option.isNone(timezone) ? [] : [`"timezone":${JSON.stringify(zoneOf(timezone))}`])
    ]
    const changed = yield* ask(RecipientRecord, "PATCH", at, `{${parts.join(",")}}`)
    yield* verbatim(json, changed.text, () => described(changed.value))
  }, Connection.provide)
)

const Removed = Schema.Struct({ id: Schema.String })

const remove = command(
  "remove",
  {
    about: "Removes a recipient; its calls stay. Not while its call is under way.",
    examples: ["outdial recipient remove camp_01 rcpt_01"]
  },
  { campaign, id, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ campaign, id, json }) {
    const gone = yield* (yield* Rest).ask(Removed, "DELETE", pathOf(campaign, id))
    yield* verbatim(json, gone.text, () => `Recipient ${id} is removed.`)
  }, Connection.provide)
)

const retry = command(
  "retry",
  {
    about: "Has a recipient that is done called once more, as if it was new.",
    examples: ["outdial recipient retry camp_01 rcpt_01"]
  },
  { campaign, id, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ campaign, id, json }) {
    const again = yield* (yield* Rest).ask(RecipientRecord, "POST", `${pathOf(campaign, id)}/retry`)
    yield* verbatim(json, again.text, () => `Recipient ${id} is ${again.value.status}.`)
  }, Connection.provide)
)

export const recipient = group(
  "recipient",
  { about: "Lists, adds, changes, removes and retries the recipients of a campaign." },
  [list, show, add, change, remove, retry]
)
