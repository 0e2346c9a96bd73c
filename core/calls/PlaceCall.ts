import { Either, ParseResult, Schema } from "effect"
import { Text } from "../Codecs.ts"
import { describe, issuesOf } from "../Issues.ts"
import { depth, hasNulOrLoneSurrogate, type RawJson, topLevel } from "../json/RawJson.ts"
import { E164 } from "../numbers/PhoneNumber.ts"
import { CallConfig } from "./CallConfig.ts"
import { InvalidInput } from "./CallErrors.ts"

const text = (field: string, max: number) =>
  Text.pipe(
    Schema.filter((value) => value.length <= max || `${field} must have at most ${max} characters`, {
      jsonSchema: { maxLength: max }
    })
  )

const Identifier = (field: string) =>
  Text.pipe(
    Schema.filter((value) => (value.length > 0 && value.length <= 200) || `${field} is not an id`, {
      jsonSchema: { minLength: 1, maxLength: 200 }
    })
  )

const Variable = Schema.Union(Schema.String, Schema.Number, Schema.Boolean, Schema.Null).annotations({
  message: () => ({ message: "must be a string, a number, a boolean or null", override: true })
})

const byteLength = (value: string): number => {
  let bytes = 0
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code <= 0xdfff ? 2 : 3
  }
  return bytes
}

/** The body of `POST /calls`. Source: contract, "POST /calls". */
export const PlaceCallBody = Schema.Struct({
  agent_id: Identifier("agent_id").annotations({ description: "A published voice-channel agent" }),
  to_number: E164,
  callee_name: Schema.optional(text("callee_name", 128)).annotations({
    description: "At most 128 characters"
  }),
  from_phone_number_id: Schema.optional(Identifier("from_phone_number_id")).annotations({
    description: "The caller ID to dial from; by default the workspace's first phone number"
  }),
  custom_variables: Schema.optional(Schema.Record({ key: Schema.String, value: Variable })).annotations({
    description: "Substituted into the agent's prompt; at most 64 keys and 30,000 bytes of JSON"
  }),
  metadata: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })).annotations({
    description: "Opaque JSON, at most 16,384 bytes and 64 levels deep; echoed byte for byte"
  }),
  idempotency_key: Schema.optional(
    Schema.String.pipe(
      Schema.pattern(/^[A-Za-z0-9_.:-]{1,128}$/, {
        message: () => "idempotency_key must match ^[A-Za-z0-9_.:-]{1,128}$"
      })
    )
  ).annotations({ description: "A repeat of the same key answers 409 and does not dial again" }),
  call_config: Schema.optional(CallConfig.annotations({ parseOptions: { onExcessProperty: "ignore" } })),
  smart_formatter: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })).annotations({
    description: "Accepted and echoed; not applied to the call"
  })
}).annotations({ identifier: "PlaceCall", parseOptions: { onExcessProperty: "error", errors: "all" } })

/** A request to place a call, checked; what was supplied as JSON is kept as supplied. */
export interface PlaceCall {
  readonly agent_id: string
  readonly to_number: string
  readonly callee_name: string | null
  readonly from_phone_number_id: string | null
  readonly custom_variables: RawJson | null
  readonly metadata: RawJson | null
  readonly call_config: RawJson | null
  readonly smart_formatter: RawJson | null
  readonly idempotency_key: string | null
}

const invalid = (reason: string, field: string | null = null) =>
  Either.left(new InvalidInput({ reason, field }))

const nested = ["custom_variables", "metadata", "call_config", "smart_formatter"] as const
const maxBytes: Partial<Record<(typeof nested)[number], number>> = {
  custom_variables: 30_000,
  metadata: 16_384
}
const maxDepth = 64

const decode = ParseResult.decodeUnknownEither(PlaceCallBody)

/**
 * Reads the text of a `POST /calls` body. The error names the first field that breaks a rule and the rule,
 * and repeats nothing that was sent.
 */
export const fromJson = (body: string): Either.Either<PlaceCall, InvalidInput> => {
  const parsed = Either.try(() => JSON.parse(body) as unknown)
  if (Either.isLeft(parsed)) return invalid("the body is not valid JSON")
  const value = parsed.right
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return invalid("the body must be a JSON object")
  }
  const raw = topLevel(body)
  for (const field of nested) {
    const slice = raw.get(field)
    if (slice === undefined) continue
    if (depth(slice) > maxDepth) return invalid(`${field} must be at most ${maxDepth} levels deep`, field)
    const limit = maxBytes[field]
    if (limit !== undefined && byteLength(slice) > limit) {
      return invalid(`${field} must be at most ${limit} bytes of JSON`, field)
    }
  }
  const decoded = decode(value)
  if (Either.isLeft(decoded)) {
    const issue = issuesOf(new ParseResult.ParseError({ issue: decoded.left }))[0]!
    const field = issue.path.length === 0 ? null : String(issue.path[0])
    return invalid(describe(issue), field)
  }
  const fields = decoded.right
  if (fields.custom_variables !== undefined) {
    /** As parsed: what the schema made of them lacks `__proto__`. */
    const { custom_variables } = value as { readonly custom_variables: object }
    const names = Object.keys(custom_variables)
    if (names.length > 64) return invalid("custom_variables must have at most 64 keys", "custom_variables")
    if (names.includes("__proto__")) {
      return invalid("custom_variables must not have a key named __proto__", "custom_variables")
    }
    if (hasNulOrLoneSurrogate(custom_variables)) {
      return invalid(
        "custom_variables must not contain NUL characters or lone surrogates",
        "custom_variables"
      )
    }
  }
  const slice = (field: (typeof nested)[number]) => raw.get(field) ?? null
  return Either.right({
    agent_id: fields.agent_id,
    to_number: fields.to_number,
    callee_name: fields.callee_name ?? null,
    from_phone_number_id: fields.from_phone_number_id ?? null,
    idempotency_key: fields.idempotency_key ?? null,
    custom_variables: slice("custom_variables"),
    metadata: slice("metadata"),
    call_config: slice("call_config"),
    smart_formatter: slice("smart_formatter")
  })
}
