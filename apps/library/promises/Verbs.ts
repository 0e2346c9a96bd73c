import { Effect, Schema } from "effect"
import { firstOf, type InvalidInput } from "../../../core/model/InvalidInput.ts"
import { issuesOf } from "../../../core/model/Issues.ts"
import { type Page, type PageRequest, sliced } from "../../../core/model/Page.ts"

/** A slice of a list, newest first. */
export interface Listed<A> {
  readonly data: ReadonlyArray<A>
  readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number }
}

/**
 * Which slice: `limit` records at most (1 to 100, default 50), after `offset` of them, from behind the record whose id
 * is `after` on, or before that of `before`. A walk by `after` meets each record once, whatever is added meanwhile.
 */
export interface Paging {
  readonly limit?: number
  readonly offset?: number
  readonly after?: string
  readonly before?: string
}

/** A filter as it is written outside, where a moment is a Date or an ISO 8601 text. */
export type FilterOf<Filter> = {
  readonly [Key in keyof Filter]?: Exclude<Filter[Key], undefined> extends number
    ? Date | string
    : Exclude<Filter[Key], undefined>
}

/** A verb whose answer is shown as a record. */
export const shown =
  <Args extends ReadonlyArray<unknown>, A, E, B>(
    use: (...args: Args) => Effect.Effect<A, E>,
    record: (answer: A) => B
  ) =>
  (...args: Args): Effect.Effect<B, E> =>
    Effect.map(use(...args), record)

/** What a verb makes of its input, shown as a record. */
export const made = <Draft, E0, A, E, B>(
  draft: Effect.Effect<Draft, E0>,
  use: (draft: Draft) => Effect.Effect<A, E>,
  record: (answer: A) => B
): Effect.Effect<B, E0 | E> => Effect.map(Effect.flatMap(draft, use), record)

/** The schema's own reading of what is sent over REST; the error names the field and the rule. */
export const reading =
  <A, I>(schema: Schema.Schema<A, I>) =>
  (input: unknown): Effect.Effect<A, InvalidInput> =>
    Effect.mapError(Schema.decodeUnknown(schema, { onExcessProperty: "error" })(input), (error) =>
      firstOf(issuesOf(error))
    )

const asText = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString()
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? JSON.stringify(value)
    : String(value)
}

/** Reads a query by the schema that the REST interface has for it. */
export const querying = <Query, I>(schema: Schema.Schema<Query, I>) => {
  const read = reading(schema)
  return (query: object = {}) =>
    read(
      Object.fromEntries(
        Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, asText(value)]]))
      )
    )
}

type Filter<Query> = Omit<Query, keyof PageRequest>

/** A list: what is asked for is a filter and a slice, and may be left out. */
export const listing = <Query extends PageRequest, I, A, B>(
  schema: Schema.Schema<Query, I>,
  record: (each: A) => B
) => {
  const read = querying(schema)
  return <E>(
    asked: (FilterOf<Filter<Query>> & Paging) | undefined,
    use: (filter: Filter<Query>, page: PageRequest) => Effect.Effect<Page<A>, E>
  ): Effect.Effect<Listed<B>, E | InvalidInput> =>
    Effect.flatMap(read(asked), (query) => {
      const { filter, page } = sliced(query)
      return Effect.map(use(filter, page), ({ data, total }) => ({
        data: data.map(record),
        pagination: { limit: page.limit, offset: page.offset, total }
      }))
    })
}

/** What a list may be asked for. */
export type Asked<Query extends Schema.Schema.Any> = FilterOf<Filter<Query["Type"]>> & Paging
