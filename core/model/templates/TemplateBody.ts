import { Either, Schema } from "effect"
import { Text } from "../Codecs.ts"
import { type Issue, issuesOf } from "../Issues.ts"
import { type Body, reader } from "../json/Body.ts"
import * as Components from "./Component.ts"
import { Category, ParameterFormat, type TemplateDraft } from "./Template.ts"
import { componentIssues, countIssues } from "./TemplateRules.ts"

const closed = { parseOptions: { onExcessProperty: "error", errors: "all" } } as const

const matching = (pattern: RegExp, message: string) =>
  Text.pipe(
    Schema.filter((text) => pattern.test(text) || message, { jsonSchema: { pattern: pattern.source } })
  )

const Name = matching(
  /^[a-z0-9_]{1,512}$/,
  "name must be 1 to 512 lower-case letters, digits and underscores"
)

/** Source: Meta's language codes: a language, and where it matters its script and country. */
const Language = matching(
  /^[a-z]{2,3}(?:_[A-Z][a-z]{3})?(?:_(?:[A-Z]{2}|[0-9]{3}))?$/,
  "language must be a code such as en, en_US or pt_BR"
)

/** The body that creates a template, as it is documented. */
export const NewTemplate = Schema.Struct({
  name: Name.annotations({ description: "1 to 512 lower-case letters, digits and underscores" }),
  language: Language.annotations({ description: "A language code such as en, en_US or pt_BR" }),
  category: Category,
  parameter_format: Schema.optional(ParameterFormat).annotations({
    description: "How placeholders are written: positional, `{{1}}`, the default; or named, `{{first_name}}`"
  }),
  components: Schema.Array(Components.Component).annotations({
    description: "Exactly one body; at most one header, one footer and one set of buttons"
  })
}).annotations({ identifier: "NewTemplate", ...closed })

/** In whatever case. */
const oneOf = <const Values extends ReadonlyArray<string>>(field: string, values: Values) => {
  const message = `${field} must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}`
  return Schema.Lowercase.pipe(Schema.compose(Schema.Literal(...values), { strict: false })).annotations({
    message: () => ({ message, override: true })
  })
}

/** The same body, its components still to be read one by one. */
const Outline = Schema.Struct({
  name: Name,
  language: Language,
  category: oneOf("category", Category.literals),
  parameter_format: Schema.optional(oneOf("parameter_format", ParameterFormat.literals)),
  components: Schema.Array(Schema.Unknown)
}).annotations(closed)

const readOutline = reader(Outline, { components: null })

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const lowered = (value: unknown): unknown => (typeof value === "string" ? value.toLowerCase() : value)

/** An object whose keywords are in lower case; anything else as it is. */
const normalised =
  (keywords: ReadonlyArray<string>) =>
  (value: unknown): unknown =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([key, item]) => [key, keywords.includes(key) ? lowered(item) : item])
        )
      : value

const normalisedButton = normalised(["type"])
const normalisedPart = normalised(["type", "format"])

const normalisedComponent = (value: unknown): unknown => {
  const part = normalisedPart(value)
  return isObject(part) && Array.isArray(part["buttons"])
    ? { ...part, buttons: part["buttons"].map(normalisedButton) }
    : part
}

type Read<A> = Either.Either<A, ReadonlyArray<Issue>>
type Shapes<A> = Readonly<Record<string, (value: unknown) => Read<A>>>

const issue = (path: Issue["path"], message: string): Either.Either<never, ReadonlyArray<Issue>> =>
  Either.left([{ path, message }])

const within = (path: Issue["path"]) => (issues: ReadonlyArray<Issue>) =>
  issues.map((each) => ({ ...each, path: [...path, ...each.path] }))

/** Reads an object by the shape that one of its properties names. */
const tagged =
  <A>(key: string, shapes: Shapes<A>) =>
  (value: unknown): Read<A> => {
    if (!isObject(value)) return issue([], "must be an object")
    const tag = value[key]
    if (typeof tag !== "string" || !Object.hasOwn(shapes, tag)) {
      return issue([key], `must be one of ${Object.keys(shapes).join(", ")}`)
    }
    return shapes[tag]!(value)
  }

const shape = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(schema, { errors: "all", onExcessProperty: "error" })
  return (value: unknown): Read<A> => Either.mapLeft(decode(value), issuesOf)
}

const readHeader = tagged<Components.Component>("format", {
  text: shape(Components.TextHeader),
  image: shape(Components.MediaHeader),
  video: shape(Components.MediaHeader),
  document: shape(Components.MediaHeader),
  location: shape(Components.LocationHeader)
})

const readButton = tagged<Components.Button>("type", {
  quick_reply: shape(Components.QuickReply),
  url: shape(Components.UrlButton),
  phone_number: shape(Components.PhoneButton)
})

const readOther = tagged<Components.Component>("type", {
  header: shape(Components.LocationHeader),
  body: shape(Components.Body),
  footer: shape(Components.Footer),
  buttons: shape(Components.Buttons)
})

/** A component, with its buttons read one by one first: each is told by its own type. */
const readComponent = (value: unknown): Read<Components.Component> => {
  if (!isObject(value)) return issue([], "must be an object")
  if (value["type"] === "header") return readHeader(value)
  const { buttons } = value
  if (value["type"] === "buttons" && Array.isArray(buttons)) {
    const issues = buttons.flatMap((button, i) =>
      Either.match(readButton(button), { onLeft: within(["buttons", i]), onRight: () => [] })
    )
    if (issues.length > 0) return Either.left(issues)
  }
  return readOther(value)
}

const draftOf = (outline: Read<Body<typeof Outline.Type>>): Read<TemplateDraft> =>
  Either.flatMap(outline, ({ fields }) => {
    const parameter_format = fields.parameter_format ?? "positional"
    const sent = fields.components.map(normalisedComponent)
    const read = sent.map(readComponent)
    const components = read.flatMap((each) => (Either.isRight(each) ? [each.right] : []))
    const issues = [
      ...countIssues(sent.map((each) => (isObject(each) ? each["type"] : undefined))),
      ...read.flatMap((each, i) =>
        Either.isLeft(each)
          ? within(["components", i])(each.left)
          : componentIssues(each.right, ["components", i], parameter_format)
      )
    ]
    const { category, language, name } = fields
    return issues.length > 0
      ? Either.left(issues)
      : Either.right({ name, language, category, parameter_format, components })
  })

/** Reads the text of a body that creates a template; the issues are those of all its fields. */
export const templateFromJson = (text: string) => draftOf(readOutline.text(text))

/** The same of a body that is a value. */
export const templateFromValue = (body: unknown) => draftOf(readOutline.value(body))
