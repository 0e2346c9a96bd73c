import { Schema } from "effect"
import { Characters, Timestamp } from "../Codecs.ts"

/** Strict E.164. Source: ITU-T E.164, at most fifteen digits, the first of them not zero. */
export const E164 = Schema.String.pipe(Schema.pattern(/^\+[1-9][0-9]{1,14}$/)).annotations({
  message: () => "must be an E.164 number: a leading +, the country code and the number, digits only",
  identifier: "E164",
  description: "A phone number in E.164 form",
  examples: ["+14155550123"]
})

/** A number of the workspace's own, to dial from. */
export const PhoneNumber = Schema.Struct({
  id: Schema.String,
  customer_id: Schema.String,
  number: E164,
  label: Schema.NullOr(Characters(0, 200)),
  created_at: Timestamp
}).annotations({ identifier: "PhoneNumber" })
export type PhoneNumber = typeof PhoneNumber.Type
