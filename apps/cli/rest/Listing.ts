import { Effect, Schema } from "effect"
import { elements, topLevel } from "../../../core/model/json/RawJson.ts"
import type { PageRequest } from "../../../core/model/Page.ts"
import { Output } from "../terminal/Output.ts"
import { type Column, table } from "../terminal/Table.ts"
import { type Answer, Rest } from "./Rest.ts"

/**
 * Reads a page of the list at a path, each record with the text that it came in.
 *
 * @param filter query parameters; those that are undefined are left out
 */
export const pages = <A, I>(
  record: Schema.Schema<A, I>,
  path: string,
  filter: Readonly<Record<string, string | undefined>> = {}
) => {
  const Page = Schema.Struct({
    data: Schema.Array(record),
    pagination: Schema.Struct({ total: Schema.Int })
  })
  return Effect.fnUntraced(function* ({ limit, offset }: PageRequest) {
    const query = new URLSearchParams({ limit: String(limit), offset: String(offset) })
    for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.append(name, value)
    const { text, value } = yield* (yield* Rest).ask(Page, "GET", `${path}?${query}`)
    const texts = elements(topLevel(text).get("data") ?? "[]")
    const data = value.data.map((item, i): Answer<A> => ({ value: item, text: texts[i]! }))
    return { data, total: value.pagination.total }
  })
}

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
