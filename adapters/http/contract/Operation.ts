import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { type Context, Schema } from "effect"
import { isStorable } from "../../../core/model/Codecs.ts"
import type { Scope } from "../../../core/model/workspaces/Principal.ts"
import { type Failures, failuresOf } from "./ErrorExamples.ts"

export interface Operation {
  readonly summary: string
  readonly description: string
  readonly scope: Scope
  /** Only an API key is accepted, no bearer token. */
  readonly apiKeyOnly?: boolean
  /** Beyond the service's published contract. Default true. */
  readonly addition?: boolean
  /** An example of the request body. */
  readonly request?: unknown
  /** An example of the response body. */
  readonly response: unknown
  /** When each status is answered, where there is more to say than for all operations. */
  readonly errors?: Readonly<Record<number, string>>
  /** An error of each status, where the one that all operations show is not one of this operation. */
  readonly failures?: Failures
}

type Spec = Record<string, any> // oxlint-disable-line typescript/no-explicit-any

const withExample = (content: Spec | undefined, example: unknown) => {
  for (const media of Object.values(content ?? {}) as Array<Spec>) media["example"] = example
}

/** What OpenAPI says of an operation: its id, words, scope, credentials and examples. */
export const operation = (id: string, options: Operation): Context.Context<never> =>
  OpenApi.annotations({
    identifier: id,
    summary: options.summary,
    description: [
      options.description,
      `Needs the scope \`${options.scope}\`${options.apiKeyOnly === true ? ", from an API key" : ""}.`,
      ...(options.addition === false ? [] : ["An addition to the published interface."])
    ].join("\n\n"),
    transform: (op: Spec) => {
      op["security"] = options.apiKeyOnly === true ? [{ apiKey: [] }] : [{ apiKey: [] }, { bearer: [] }]
      op["x-required-scope"] = options.scope
      op["x-addition"] = options.addition !== false
      withExample(op["requestBody"]?.content, options.request)
      withExample(op["responses"][200]?.content, options.response)
      const failures = failuresOf(options.scope, op["parameters"] ?? [], options.failures)
      for (const [status, failure] of Object.entries(failures)) {
        withExample(op["responses"][status]?.content, failure)
      }
      for (const [status, condition] of Object.entries(options.errors ?? {})) {
        op["responses"][status].description = condition
      }
      return op
    }
  })

/** An id in a path or a query, of any form that a store can hold. */
export const Id = (description: string) =>
  Schema.String.annotations({ description }).pipe(
    Schema.filter((id) => isStorable(id) || "must not contain NUL characters or lone surrogates")
  )

/** A request body: properties that it does not name are refused. */
export const body = <Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields) =>
  Schema.Struct(fields).annotations({
    identifier,
    parseOptions: { onExcessProperty: "error", errors: "all" }
  })

/** The answer to a deletion. */
export const Deleted = Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotations({
  identifier: "Deleted"
})

/** A form with one file. */
export const Form = HttpApiSchema.Multipart(
  Schema.Struct({
    file: Schema.String.annotations({
      jsonSchema: {
        type: "string",
        format: "binary",
        description: "The file, at most 5 MB; its type is told by its content"
      }
    })
  }).annotations({ identifier: "FileForm" })
)

export const EventStream = HttpApiSchema.Text({ contentType: "text/event-stream" }).annotations({
  description: "Server-sent events in UTF-8"
})
