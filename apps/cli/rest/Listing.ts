import * as Options from "@effect/cli/Options"
import { Effect, Schema } from "effect"
import { elements, topLevel } from "../../../core/model/json/RawJson.ts"
import type { PageRequest } from "../../../core/model/Page.ts"
import * as Flags from "../command/Flags.ts"
import { note, Output } from "../terminal/Output.ts"
import { type Column, table } from "../terminal/Table.ts"
import { type Answer, Rest } from "./Rest.ts"

/** Query parameters; those that are undefined are left out, and one with several values is given several times. */
export type Filter = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

const queryOf = (filter: Filter): URLSearchParams =>
  new URLSearchParams(
    Object.entries(filter).flatMap(([name, value = []]) =>
      (typeof value === "string" ? [value] : value).map((each): [string, string] => [name, each])
    )
  )

const page = <A, I>(record: Schema.Schema<A, I>, path: string) => {
  const Page = Schema.Struct({
    data: Schema.Array(record),
    pagination: Schema.Struct({ total: Schema.Int })
  })
  return Effect.fnUntraced(function* (filter: Filter) {
    const { text, value } = yield* (yield* Rest).ask(Page, "GET", `${path}?${queryOf(filter)}`)
    const texts = elements(topLevel(text).get("data") ?? "[]")
    const data = value.data.map((item, i): Answer<A> => ({ value: item, text: texts[i]! }))
    return { data, total: value.pagination.total }
  })
}

/** Reads a page of the list at a path, each record with the text that it came in. */
export const pages = <A, I>(record: Schema.Schema<A, I>, path: string, filter: Filter = {}) => {
  const read = page(record, path)
  return ({ limit, offset }: PageRequest) => read({ limit: String(limit), offset: String(offset), ...filter })
}

const largestPage = 100
const Most = Schema.Int.pipe(Schema.between(1, 100_000))

/** `--limit N`, of a list that may be long. */
export const limit = Flags.whole("limit", "How many are shown, the newest; 50 when not given.", Most).pipe(
  Options.withDefault(50)
)

/** The newest records of a list that may be long and may grow meanwhile. Says how many it leaves out. */
export const newest = Effect.fnUntraced(function* <A, I>(
  record: Schema.Schema<A, I>,
  path: string,
  idOf: (value: A) => string,
  most: number,
  filter: Filter = {}
) {
  const read = page(record, path)
  const found: Array<Answer<A>> = []
  let after: string | undefined
  for (;;) {
    const limit = Math.min(largestPage, most - found.length)
    const { data, total } = yield* read({ ...filter, limit: String(limit), after })
    found.push(...data)
    if (data.length < limit) return found
    if (found.length === most) {
      if (total > most) yield* note(`${total - most} more are not shown: see --limit.`)
      return found
    }
    after = idOf(data.at(-1)!.value)
  }
})

/** Writes records as one JSON document, each as the server sent it, or as a table for people. */
export const show = Effect.fnUntraced(function* <A>(
  json: boolean,
  records: ReadonlyArray<Answer<A>>,
  columns: ReadonlyArray<Column<A>>,
  none: string
) {
  const { columns: width, out } = yield* Output
  if (json) return yield* out(`{"data":[${records.map(({ text }) => text).join(",\n")}]}`)
  const values = records.map(({ value }) => value)
  yield* out(values.length === 0 ? none : table(columns, values, width))
})
