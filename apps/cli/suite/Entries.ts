import { Schema } from "effect"

/** An object's names and values as pairs, in their order: a name may be `__proto__`. */
export const Entries = <A, I>(value: Schema.Schema<A, I>) =>
  Schema.transform(Schema.Object, Schema.Array(Schema.Tuple(Schema.String, value)), {
    strict: false,
    decode: (record) => Object.entries(record),
    encode: (entries) => Object.fromEntries(entries)
  })
