import { Data, Effect, Either, Schema } from "effect"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { describe, fieldOf, type Issue, issuesOf } from "../../../core/model/Issues.ts"
import { notJson, notUtf8 } from "./Errors.ts"

const Detail = Schema.Struct({
  loc: Schema.Array(Schema.String).annotations({
    description: "Where it is: `body`, `path` or `query`, then the properties"
  }),
  msg: Schema.String.annotations({ description: "Says which field and rule, in words" }),
  type: Schema.Literal("json_invalid", "missing", "extra_forbidden", "value_error"),
  input: Schema.Unknown.annotations({
    description: "What was sent, if it is short, no object or list, and cannot be personal; else null"
  }),
  ctx: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})
type Detail = typeof Detail.Type

/** A request that the operation answers with 422: everything that is wrong with it. */
export class ValidationFailed extends Data.TaggedError("ValidationFailed")<{
  readonly detail: ReadonlyArray<Detail>
}> {}

const Body = Schema.Struct({ detail: Schema.Array(Detail) }).annotations({
  identifier: "ValidationError",
  description: "The request breaks rules: each with the field that does",
  examples: [
    {
      detail: [
        {
          loc: ["body", "max_concurrency"],
          msg: "max_concurrency must be an integer from 1 to 100000, or null",
          type: "value_error",
          input: 0,
          ctx: {}
        }
      ]
    }
  ]
})

/** Source: contract, "Validation error body". */
export const ValidationError = Schema.transform(
  Body,
  Schema.declare((error: unknown): error is ValidationFailed => error instanceof ValidationFailed),
  { strict: true, decode: (body) => new ValidationFailed(body), encode: ({ detail }) => ({ detail }) }
).annotations({
  ...HttpApiSchema.annotations({ status: 422 }),
  description: "The request breaks rules: each with the field that does"
})

const types: Readonly<Record<string, Detail["type"]>> = {
  [notJson.message]: "json_invalid",
  [notUtf8.message]: "json_invalid",
  "is required": "missing",
  "is not permitted": "extra_forbidden"
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === "object" && value !== null

const valueAt = (body: unknown, path: Issue["path"]): unknown =>
  path.reduce((value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : null), body)

const date = /^\d{4}-\d\d-\d\d(?:[T ][\d:.Z+-]*)?$/
const phoneOrMail = /\d(?:[\s().-]*\d){6}|@/

/** A scalar that is short and holds neither a phone number nor an address; else null. */
const shown = (value: unknown): unknown => {
  if (typeof value === "boolean") return value
  if (typeof value !== "string" && typeof value !== "number") return null
  const text = String(value)
  return text.length <= 100 && (date.test(text) || !phoneOrMail.test(text)) ? value : null
}

const detailed = (place: "body" | "path" | "query", sent: unknown, issues: ReadonlyArray<Issue>) =>
  new ValidationFailed({
    detail: issues.map((issue) => {
      const field = fieldOf(issue)
      return {
        loc: [place, ...(field === "" ? [] : field.split("."))],
        msg: describe(issue),
        type: types[issue.message] ?? "value_error",
        input: shown(valueAt(sent, issue.path)),
        ctx: {}
      }
    })
  })

/** What is wrong with the text of a body. */
export const failed = (text: string, issues: ReadonlyArray<Issue>): ValidationFailed =>
  detailed("body", parsed(text), issues)

/** Parameters as they were sent, or everything that is wrong with them. */
export const parameters = <A, I>(place: "path" | "query", schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(schema, { errors: "all" })
  return (sent: unknown): Either.Either<A, ValidationFailed> =>
    Either.mapLeft(decode(sent), (error) => detailed(place, sent, issuesOf(error)))
}

/** The text of a body, of which invalid UTF-8 is told as invalid JSON is. */
export const text = (request: HttpServerRequest.HttpServerRequest) =>
  request.text.pipe(
    Effect.catchIf(
      ({ cause }) => cause === notUtf8,
      () => Effect.fail(failed("", [{ path: [], message: notUtf8.message }]))
    ),
    Effect.catchTag("RequestError", Effect.die)
  )
