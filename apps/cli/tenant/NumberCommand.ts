import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { PhoneNumber } from "../../../core/model/numbers/PhoneNumber.ts"
import { command, group } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { all } from "../command/Pages.ts"
import * as Connection from "../rest/Connection.ts"
import * as Listing from "../rest/Listing.ts"
import { Rest } from "../rest/Rest.ts"
import { result, verbatim } from "../terminal/Output.ts"
import { type Column, moment, pairs } from "../terminal/Table.ts"

const path = "/phone-numbers"
const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`

const columns: ReadonlyArray<Column<PhoneNumber>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "NUMBER", value: ({ number }) => number },
  { title: "LABEL", value: ({ label }) => label ?? "" },
  { title: "ADDED", value: ({ created_at }) => moment(created_at) }
]

const described = (number: PhoneNumber) =>
  pairs(columns.map(({ title, value }) => [title, value(number)] as const))

const id = Flags.argument("NUMBER_ID", "The phone number's id, as `number list` shows it.")
const label = Flags.text("label", "TEXT", "A note for people, at most 200 characters.")

const list = command(
  "list",
  { about: "Lists the workspace's phone numbers, newest first.", examples: ["outdial number list"] },
  { url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ json }) {
    const numbers = yield* all(Listing.pages(PhoneNumber, path))
    yield* Listing.show(json, numbers, columns, "The workspace has no phone number yet.")
  }, Connection.provide)
)

const add = command(
  "add",
  {
    about: "Adds a number that the workspace may dial from.",
    examples: ['outdial number add +14155550100 --label "Front desk"']
  },
  {
    number: Flags.argument("NUMBER", "The number in E.164 form, such as +14155550100."),
    label: Options.optional(label),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ json, label, number }) {
    const body = { number, label: Option.getOrNull(label) }
    const made = yield* (yield* Rest).ask(PhoneNumber, "POST", path, body)
    yield* verbatim(json, made.text, () => described(made.value))
  }, Connection.provide)
)

const relabel = command(
  "label",
  { about: "Changes a number's label.", examples: ['outdial number label pn_01 --label "Front desk"'] },
  { id, label, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ id, json, label }) {
    const changed = yield* (yield* Rest).ask(PhoneNumber, "PATCH", pathOf(id), { label })
    yield* verbatim(json, changed.text, () => described(changed.value))
  }, Connection.provide)
)

const Removed = Schema.Struct({ id: Schema.String })

const remove = command(
  "remove",
  {
    about: "Removes a number. A number that a running campaign dials from stays.",
    examples: ["outdial number remove pn_01"]
  },
  { id, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ id, json }) {
    yield* (yield* Rest).ask(Removed, "DELETE", pathOf(id))
    yield* result(json, { id, deleted: true }, () => `Phone number ${id} is removed.`)
  }, Connection.provide)
)

/** The numbers that a workspace dials from, by the REST interface. */
export const number = group(
  "number",
  { about: "Adds, lists, labels and removes the numbers to dial from." },
  [list, add, relabel, remove]
)
