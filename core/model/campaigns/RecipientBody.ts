import { Either, Schema } from "effect"
import { zoneExists } from "../calls/CallingWindow.ts"
import { firstOf, InvalidInput } from "../InvalidInput.ts"
import type { Issue } from "../Issues.ts"
import { type Body, reader } from "../json/Body.ts"
import { byteLength, elements, hasNulOrLoneSurrogate, RawJson, topLevel } from "../json/RawJson.ts"
import { E164 } from "../numbers/PhoneNumber.ts"
import { possible } from "../numbers/PossibleNumber.ts"

const Scalar = Schema.Union(Schema.String, Schema.Number, Schema.Boolean, Schema.Null).annotations({
  message: () => ({ message: "must be a string, a number, a boolean or null", override: true })
})

const details = {
  variables: Schema.optional(Schema.Record({ key: Schema.String, value: Scalar })).annotations({
    description: "Values for the prompt's placeholders; at most 64 keys and 30,000 bytes of JSON"
  }),
  timezone: Schema.optional(
    Schema.NullOr(
      Schema.String.pipe(
        Schema.filter(
          (name) => zoneExists(name) || "must be a region-style time-zone name such as Europe/Paris"
        )
      )
    )
  ).annotations({ description: "Moves the calling window to this zone" })
}

const NewRecipient = Schema.Struct({
  phone_number: E164.pipe(
    Schema.filter((number) => possible(number) || "has a length that no number of its country has")
  ),
  ...details
}).annotations({ identifier: "NewRecipient", parseOptions: { onExcessProperty: "error" } })

const many = "recipients must hold 1 to 1,000 recipients"

/** The body of the strict creation of recipients. Source: contract, "POST recipients/import", last item. */
export const AddRecipientsBody = Schema.Struct({
  recipients: Schema.Array(NewRecipient).pipe(
    Schema.minItems(1, { message: () => many }),
    Schema.maxItems(1_000, { message: () => many })
  )
}).annotations({ identifier: "AddRecipients", parseOptions: { onExcessProperty: "error", errors: "first" } })

export interface RecipientDraft {
  readonly phone_number: string
  readonly timezone: string | null
  readonly variables: RawJson
}

const read = reader(AddRecipientsBody, {})

const whatIsWrong = (variables: RawJson): string | null => {
  if (byteLength(variables) > 30_000) return "must be at most 30000 bytes of JSON"
  if (topLevel(variables).size > 64) return "must have at most 64 keys"
  return hasNulOrLoneSurrogate(JSON.parse(variables))
    ? "must not contain NUL characters or lone surrogates"
    : null
}

const draftsOf = (
  body: Either.Either<Body<typeof AddRecipientsBody.Type>, ReadonlyArray<Issue>>
): Either.Either<ReadonlyArray<RecipientDraft>, InvalidInput> => {
  if (Either.isLeft(body)) return Either.left(firstOf(body.left))
  const raw = elements(body.right.raw("recipients")!)
  const seen = new Map<string, number>()
  const drafts: Array<RecipientDraft> = []
  for (const [index, fields] of body.right.fields.recipients.entries()) {
    const invalid = (field: string, rule: string) =>
      Either.left(new InvalidInput({ reason: `recipients.${index}.${field} ${rule}`, field: "recipients" }))
    const first = seen.get(fields.phone_number)
    if (first !== undefined) return invalid("phone_number", `repeats that of recipients.${first}`)
    seen.set(fields.phone_number, index)
    const variables = topLevel(raw[index]!).get("variables") ?? RawJson("{}")
    const wrong = whatIsWrong(variables)
    if (wrong !== null) return invalid("variables", wrong)
    drafts.push({ phone_number: fields.phone_number, timezone: fields.timezone ?? null, variables })
  }
  return Either.right(drafts)
}

/** Reads the text of a body that adds recipients: all of them, or the first thing that is wrong. */
export const recipientsFromJson = (text: string) => draftsOf(read.text(text))

/** The same of a body that is a value. */
export const recipientsFromValue = (body: unknown) => draftsOf(read.value(body))

/** The body of a change: what it leaves out stays. Variables are replaced as a whole. */
export const RecipientChangeBody = Schema.Struct(details).annotations({
  identifier: "RecipientChange",
  parseOptions: { onExcessProperty: "error", errors: "first" }
})

export interface RecipientChange {
  readonly timezone?: string | null
  readonly variables?: RawJson
}

const readChange = reader(RecipientChangeBody, {})

const changeOf = (
  body: Either.Either<Body<typeof RecipientChangeBody.Type>, ReadonlyArray<Issue>>
): Either.Either<RecipientChange, InvalidInput> => {
  if (Either.isLeft(body)) return Either.left(firstOf(body.left))
  const { fields, raw } = body.right
  const variables = raw("variables")
  const wrong = variables === null ? null : whatIsWrong(variables)
  if (wrong !== null) {
    return Either.left(new InvalidInput({ reason: `variables ${wrong}`, field: "variables" }))
  }
  return Either.right({
    ...(fields.timezone !== undefined && { timezone: fields.timezone }),
    ...(variables !== null && { variables })
  })
}

export const recipientChangeFromJson = (text: string) => changeOf(readChange.text(text))
export const recipientChangeFromValue = (body: unknown) => changeOf(readChange.value(body))
