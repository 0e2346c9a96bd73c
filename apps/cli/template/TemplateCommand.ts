import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { Template, TemplateStatus } from "../../../core/model/templates/Template.ts"
import { command, group } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { all } from "../command/Pages.ts"
import * as Connection from "../rest/Connection.ts"
import * as Listing from "../rest/Listing.ts"
import { Rest } from "../rest/Rest.ts"
import { inDoubt } from "../rest/RestErrors.ts"
import * as Files from "../terminal/Files.ts"
import { verbatim } from "../terminal/Output.ts"
import { type Column, moment, pairs } from "../terminal/Table.ts"

type Record = typeof Template.Type

const path = "/msg/templates"
const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`

const id = Flags.argument("TEMPLATE_ID", "The template's id, as `template list` shows it.")

const columns: ReadonlyArray<Column<Record>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "NAME", value: ({ name }) => name },
  { title: "LANGUAGE", value: ({ language }) => language },
  { title: "CATEGORY", value: ({ category }) => category },
  { title: "STATUS", value: ({ status }) => status },
  { title: "CREATED", value: ({ created_at }) => moment(created_at) }
]

const described = (template: Record): string => {
  const lines: ReadonlyArray<readonly [string, string | number]> = [
    ...columns.map(({ title, value }) => [title, value(template)] as const),
    ["REFUSED FOR", template.rejection_reason ?? ""],
    ...template.components.map(
      (component) =>
        [component.type.toUpperCase(), "text" in component ? (component.text ?? "") : ""] as const
    )
  ]
  return pairs(lines.filter(([, value]) => value !== ""))
}

const list = command(
  "list",
  {
    about: "Lists the workspace's message templates, newest first.",
    examples: ["outdial template list", "outdial template list --status approved"]
  },
  {
    status: Flags.text(
      "status",
      "STATUS",
      `Only templates of this status: ${TemplateStatus.literals.join(", ")}.`
    ).pipe(Options.mapEffect(Flags.oneOf("--status", TemplateStatus.literals)), Options.optional),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ json, status }) {
    const filter = { status: Option.getOrUndefined(status) }
    const found = yield* all(Listing.pages(Template, path, filter))
    yield* Listing.show(json, found, columns, "There is no such template.")
  }, Connection.provide)
)

const show = command(
  "show",
  {
    about: "Shows a template; --json shows all of its components.",
    examples: ["outdial template show tmpl_01"]
  },
  { id, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ id, json }) {
    const found = yield* (yield* Rest).ask(Template, "GET", pathOf(id))
    yield* verbatim(json, found.text, () => described(found.value))
  }, Connection.provide)
)

const create = command(
  "create",
  {
    about: "Makes a template of a file, and submits it to the provider of messages for its approval.",
    examples: ["outdial template create template.json"]
  },
  {
    file: Flags.argument(
      "FILE",
      "A JSON file with name, language, category and components, as in the REST interface."
    ),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ file, json }) {
    const body = yield* Files.textOf(file)
    const made = yield* (yield* Rest)
      .ask(Template, "POST", path, body)
      .pipe(
        Effect.mapError(
          inDoubt("the template may have been made all the same: `outdial template list` shows it")
        )
      )
    yield* verbatim(json, made.text, () => described(made.value))
  }, Connection.provide)
)

const Deleted = Schema.Struct({ id: Schema.String })

const remove = command(
  "delete",
  {
    about: "Deletes a template, here and at the provider of messages.",
    examples: ["outdial template delete tmpl_01"]
  },
  { id, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ id, json }) {
    const gone = yield* (yield* Rest).ask(Deleted, "DELETE", pathOf(id))
    yield* verbatim(json, gone.text, () => `Template ${id} is deleted.`)
  }, Connection.provide)
)

export const template = group("template", { about: "Lists, shows, makes and deletes message templates." }, [
  list,
  show,
  create,
  remove
])
