import { Either, Schema } from "effect"
import { Characters, Identifier } from "../Codecs.ts"
import { firstOf, InvalidInput } from "../InvalidInput.ts"
import type { Issue } from "../Issues.ts"
import { type Body, reader } from "../json/Body.ts"
import { hasNulOrLoneSurrogate, type RawJson } from "../json/RawJson.ts"
import { E164 } from "../numbers/PhoneNumber.ts"
import { CallConfig } from "./CallConfig.ts"

const Variable = Schema.Union(Schema.String, Schema.Number, Schema.Boolean, Schema.Null).annotations({
  message: () => ({ message: "must be a string, a number, a boolean or null", override: true })
})

/** The body of `POST /calls`. Source: contract, "POST /calls". */
export const PlaceCallBody = Schema.Struct({
  agent_id: Identifier("agent_id").annotations({ description: "A published voice-channel agent" }),
  to_number: E164,
  callee_name: Schema.optional(Characters(0, 128)).annotations({
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

/** A request by this process, with null for what it does not give. */
export const make = (given: Pick<PlaceCall, "agent_id" | "to_number"> & Partial<PlaceCall>): PlaceCall => ({
  callee_name: null,
  from_phone_number_id: null,
  custom_variables: null,
  metadata: null,
  call_config: null,
  smart_formatter: null,
  idempotency_key: null,
  ...given
})

const invalid = (reason: string, field: string | null = null) =>
  Either.left(new InvalidInput({ reason, field }))

const read = reader(PlaceCallBody, {
  custom_variables: 30_000,
  metadata: 16_384,
  call_config: null,
  smart_formatter: null
})

const checked = (
  decoded: Either.Either<Body<typeof PlaceCallBody.Type>, ReadonlyArray<Issue>>
): Either.Either<PlaceCall, InvalidInput> => {
  if (Either.isLeft(decoded)) return Either.left(firstOf(decoded.left))
  const { fields, parsed, raw } = decoded.right
  if (fields.custom_variables !== undefined) {
    /** As parsed: the schema's own object lacks `__proto__`, which is a key as any other. */
    const { custom_variables } = parsed as { readonly custom_variables: object }
    if (Object.keys(custom_variables).length > 64) {
      return invalid("custom_variables must have at most 64 keys", "custom_variables")
    }
    if (hasNulOrLoneSurrogate(custom_variables)) {
      return invalid(
        "custom_variables must not contain NUL characters or lone surrogates",
        "custom_variables"
      )
    }
  }
  return Either.right({
    agent_id: fields.agent_id,
    to_number: fields.to_number,
    callee_name: fields.callee_name ?? null,
    from_phone_number_id: fields.from_phone_number_id ?? null,
    idempotency_key: fields.idempotency_key ?? null,
    custom_variables: raw("custom_variables"),
    metadata: raw("metadata"),
    call_config: raw("call_config"),
    smart_formatter: raw("smart_formatter")
  })
}

/**
 * Reads the text of a `POST /calls` body. The error names the first field that breaks a rule and the rule,
 * and repeats nothing that was sent.
 */
export const fromJson = (body: string): Either.Either<PlaceCall, InvalidInput> => checked(read.text(body))

/** The same of a body that is a value. */
export const fromValue = (body: unknown): Either.Either<PlaceCall, InvalidInput> => checked(read.value(body))
