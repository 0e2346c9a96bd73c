import { Schema } from "effect"

/** A property that providers leave out or set to null; null in both cases. */
export const nullish = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema), { default: () => null })

/** Reads JSON text; nothing when it is not of the schema's form. */
export const decodeJson = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.decodeUnknownOption(Schema.parseJson(schema))
