import { OutdialError } from "./OutdialError.ts"
import type { Pagination } from "./contract/Shared.ts"

export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly pagination: Pagination
}

/** What tells one record of a list from another, and begins a page behind it. */
const keyOf = (record: unknown): string => {
  const { call_id, id, phone_number, version } = record as Readonly<Record<string, unknown>>
  return String(id ?? call_id ?? phone_number ?? version)
}

const isGone = (error: unknown): boolean =>
  error instanceof OutdialError &&
  (error.details as { readonly field?: unknown } | undefined)?.field === "after"

/**
 * Every record of a list, newest first, asked for page by page as they are taken. Records that are added meanwhile are
 * newer than the place that it has reached. Where the record at that place is gone, the one before it is the place.
 */
export async function* pages<A>(
  pageAfter: (id: string | undefined) => Promise<Page<A>>
): AsyncGenerator<A, void, undefined> {
  const given = new Set<string>()
  const places: Array<string> = []
  while (true) {
    const page = await pageAfter(places.at(-1)).catch((error: unknown) => {
      if (places.pop() === undefined || !isGone(error)) throw error
    })
    if (page === undefined) continue
    for (const record of page.data) {
      const key = keyOf(record)
      places.push(key)
      if (given.has(key)) continue
      given.add(key)
      yield record
    }
    if (page.data.length < page.pagination.limit) return
  }
}
