import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import { Effect, Option, Schema } from "effect"
import { firstOf, type InvalidInput } from "../../../core/model/InvalidInput.ts"
import { issuesOf } from "../../../core/model/Issues.ts"
import type { Page, PageRequest } from "../../../core/model/Page.ts"

/** A slice of a list, newest first. */
export interface Listed<A> {
  readonly data: ReadonlyArray<A>
  readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number }
}

/** Which slice: `limit` records at most (1 to 100, default 50), after `offset` of them. */
export interface Paging {
  readonly limit?: number
  readonly offset?: number
}

/** A filter as it is written outside, where a moment is a Date or an ISO 8601 text. */
export type FilterOf<Filter> = {
  readonly [Key in keyof Filter]?: Exclude<Filter[Key], undefined> extends number
    ? Date | string
    : Exclude<Filter[Key], undefined>
}

type Use<Args extends ReadonlyArray<unknown>, A, E> = (...args: Args) => Effect.Effect<A, E>

/** A verb whose last argument is read from what is written outside. */
export const drafted =
  <Input, Draft, E0>(read: (input: Input) => Effect.Effect<Draft, E0>) =>
  <Head extends ReadonlyArray<unknown>, A, E>(
    use: Use<[...Head, Draft], A, E>
  ): Use<[...Head, draft: Input], A, E | E0> =>
  (...args) =>
    Effect.flatMap(read(args.at(-1) as Input), (draft) =>
      use(...(args.slice(0, -1) as ReadonlyArray<unknown> as Head), draft)
    )

/** A verb whose answer is shown as a record. */
export const shown =
  <A, B>(record: (answer: A) => B) =>
  <Args extends ReadonlyArray<unknown>, E>(use: Use<Args, A, E>): Use<Args, B, E> =>
  (...args) =>
    Effect.map(use(...args), record)

/** The schema's own reading of what is sent over REST; the error names the field and the rule. */
export const reading =
  <A, I>(schema: Schema.Schema<A, I>) =>
  (input: unknown): Effect.Effect<A, InvalidInput> =>
    Effect.mapError(Schema.decodeUnknown(schema, { onExcessProperty: "error" })(input), (error) =>
      firstOf(issuesOf(error))
    )

type Endpoints = { readonly endpoints: Readonly<Record<string, unknown>> }
interface Endpoint {
  readonly urlParamsSchema: Option.Option<Schema.Schema.AnyNoContext>
  readonly payloadSchema: Option.Option<Schema.Schema.AnyNoContext>
}

const endpointOf = (group: HttpApiGroup.HttpApiGroup.Any, name: string): Endpoint =>
  (group as unknown as Endpoints).endpoints[name] as Endpoint

/** Reads what an operation of the REST interface has for a body, with that operation's schema. */
export const bodyOf = <Draft>(group: HttpApiGroup.HttpApiGroup.Any, name: string) =>
  reading<Draft, unknown>(
    Option.getOrThrow(endpointOf(group, name).payloadSchema) as Schema.Schema<Draft, unknown>
  )

const asText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))

/** Reads the query of an operation of the REST interface, with that operation's schema. */
export const queryOf = <Query>(group: HttpApiGroup.HttpApiGroup.Any, name: string) => {
  const read = reading<Query, unknown>(
    Option.getOrThrow(endpointOf(group, name).urlParamsSchema) as Schema.Schema<Query, unknown>
  )
  return (input: object = {}) =>
    read(
      Object.fromEntries(
        Object.entries(input).flatMap(([key, value]) => (value === undefined ? [] : [[key, asText(value)]]))
      )
    )
}

const listed =
  <A, B>(record: (each: A) => B, { limit, offset }: PageRequest) =>
  ({ data, total }: Page<A>): Listed<B> => ({
    data: data.map(record),
    pagination: { limit, offset, total }
  })

/** A list: its last argument, behind `head` others, says which slice, and may be left out. */
export const paged = <A, B>(
  group: HttpApiGroup.HttpApiGroup.Any,
  name: string,
  head: number,
  record: (each: A) => B
) => {
  const read = queryOf<PageRequest>(group, name)
  return <Head extends ReadonlyArray<unknown>, E>(use: Use<[...Head, PageRequest], Page<A>, E>) =>
    (...args: [...Head, page?: Paging]): Effect.Effect<Listed<B>, E | InvalidInput> =>
      Effect.flatMap(read(args[head] as Paging | undefined), (page) =>
        Effect.map(use(...(args.slice(0, head) as unknown as Head), page), listed(record, page))
      )
}

/** A list with a filter: its last argument, behind `head` others, has both, and may be left out. */
export const filtered = <A, B>(
  group: HttpApiGroup.HttpApiGroup.Any,
  name: string,
  head: number,
  record: (each: A) => B
) => {
  const read = queryOf<PageRequest & object>(group, name)
  return <Head extends ReadonlyArray<unknown>, Filter, E>(
    use: Use<[...Head, Filter, PageRequest], Page<A>, E>
  ) =>
    (...args: [...Head, query?: FilterOf<Filter> & Paging]): Effect.Effect<Listed<B>, E | InvalidInput> =>
      Effect.flatMap(read(args[head] as object | undefined), ({ limit, offset, ...filter }) =>
        Effect.map(
          use(...(args.slice(0, head) as unknown as Head), filter as Filter, { limit, offset }),
          listed(record, { limit, offset })
        )
      )
}
