import { Option, Schema } from "effect"
import { decodeJson, nullish } from "../shared/Json.ts"

/** The parts of Meta's answers that are read. Source: Graph API reference, WhatsApp Business Platform. */

export const Failure = Schema.Struct({
  code: Schema.Int,
  error_subcode: nullish(Schema.Int),
  message: nullish(Schema.String),
  error_user_title: nullish(Schema.String),
  error_user_msg: nullish(Schema.String),
  error_data: nullish(Schema.Struct({ details: nullish(Schema.String) }))
})
export type Failure = typeof Failure.Type

const decodeFailed = decodeJson(Schema.Struct({ error: Failure }))

/** What an answer that is not 2xx says; null when it says nothing that can be read. */
export const failureOf = (text: string): Failure | null =>
  Option.getOrNull(Option.map(decodeFailed(text), ({ error }) => error))

const Sent = Schema.Struct({
  messages: Schema.NonEmptyArray(Schema.Struct({ id: Schema.NonEmptyString }))
})
export const decodeSent = decodeJson(Sent)

const Paging = Schema.Struct({
  next: nullish(Schema.String),
  cursors: nullish(Schema.Struct({ after: nullish(Schema.String) }))
})

/** Where the next page begins; null after the last. */
export const nextOf = ({ paging }: { readonly paging: typeof Paging.Type | null }): string | null =>
  paging === null || paging.next === null ? null : (paging.cursors?.after ?? null)

const PhoneNumber = Schema.Struct({
  id: Schema.NonEmptyString,
  display_phone_number: Schema.String
})
const PhoneNumbers = Schema.Struct({ data: Schema.Array(PhoneNumber), paging: nullish(Paging) })
export const decodePhoneNumbers = decodeJson(PhoneNumbers)

const Created = Schema.Struct({ id: Schema.NonEmptyString, status: nullish(Schema.String) })
export const decodeCreated = decodeJson(Created)

/** A template as it is registered; its components as they come. */
const Registered = Schema.Struct({
  id: Schema.NonEmptyString,
  name: Schema.String,
  language: nullish(Schema.String),
  status: nullish(Schema.String),
  rejected_reason: nullish(Schema.String),
  components: nullish(Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown })))
})
export type Registered = typeof Registered.Type
const RegisteredPage = Schema.Struct({ data: Schema.Array(Registered), paging: nullish(Paging) })
export const decodeRegisteredPage = decodeJson(RegisteredPage)

export const decodeNamed = decodeJson(Schema.Struct({ name: Schema.NonEmptyString }))
