import type { Pagination } from "./contract/Shared.ts"

export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly pagination: Pagination
}

/** What tells one record of a list from another. */
const keyOf = (record: unknown): unknown => {
  const { call_id, id, phone_number } = record as Readonly<Record<string, unknown>>
  return id ?? call_id ?? phone_number
}

/**
 * Every record of a list, newest first, asked for page by page as they are taken. Records that are added meanwhile
 * push known ones to the next page: each is given once. When some go, it reads again from where the rest has moved.
 */
export async function* pages<A>(
  pageAt: (offset: number) => Promise<Page<A>>
): AsyncGenerator<A, void, undefined> {
  const given = new Set<unknown>()
  let offset = 0
  let known = 0
  while (true) {
    const { data, pagination } = await pageAt(offset)
    const gone = known - pagination.total
    known = pagination.total
    if (gone > 0 && offset > 0) {
      offset = Math.max(0, offset - gone)
      continue
    }
    for (const record of data) {
      const key = keyOf(record)
      if (given.has(key)) continue
      given.add(key)
      yield record
    }
    offset += data.length
    if (offset >= pagination.total || data.length === 0) return
  }
}
