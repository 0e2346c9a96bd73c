import { Effect } from "effect"
import type { Page, PageRequest } from "../../../core/model/Page.ts"

const pageSize = 100

/** Every page of a list, as one. */
export const all = Effect.fnUntraced(function* <A, E, R>(
  list: (page: PageRequest) => Effect.Effect<Page<A>, E, R>
) {
  const items: Array<A> = []
  for (;;) {
    const { data, total } = yield* list({ limit: pageSize, offset: items.length })
    items.push(...data)
    if (data.length < pageSize || items.length >= total) return items
  }
})
