import type { OutdialClient, Pagination, RequestOptions } from "outdial/client"
import { place } from "../router/Location.ts"
import { type Resource, useResource } from "./Resource.ts"

/** How many records a page of a list shows. */
export const pageLength = 50

/** The parameters of the address that say which page of a list is shown. */
export const paging = { after: null, before: null, page: null }

export interface Slice<A> {
  readonly data: ReadonlyArray<A>
  readonly total: number
  /** The number of this page, for people; records that were added since may have moved it. */
  readonly page: number
  readonly hasNewer: boolean
  readonly hasOlder: boolean
}

interface Cursor {
  readonly limit: number
  readonly after: string | undefined
  readonly before: string | undefined
}

interface Answer<A> {
  readonly data: ReadonlyArray<A>
  readonly pagination: Pagination
}

/** One record more than is shown tells whether there is another page. */
const sliceOf = <A>({ data, pagination }: Answer<A>, { after, before }: Cursor, page: number): Slice<A> => {
  const hasMore = data.length > pageLength
  const shown = !hasMore ? data : before === undefined ? data.slice(0, pageLength) : data.slice(1)
  return {
    data: shown,
    total: pagination.total,
    page,
    hasNewer: before === undefined ? after !== undefined : hasMore,
    hasOlder: before === undefined ? hasMore : true
  }
}

/** The page of a list that the address names, by the record that it begins or ends at; read again when that changes. */
export const useList = <A>(
  read: (client: OutdialClient, cursor: Cursor, options: RequestOptions) => Promise<Answer<A>>,
  key: ReadonlyArray<unknown> = []
): Resource<Slice<A>> => {
  const { query } = place.value
  const cursor = {
    limit: pageLength + 1,
    after: query.get("after") ?? undefined,
    before: query.get("before") ?? undefined
  }
  const number = Number(query.get("page") ?? 1)
  const page = Number.isInteger(number) && number > 0 ? number : 1
  return useResource(
    async (api, options) => sliceOf(await read(api, cursor, options), cursor, page),
    [...key, query.toString()]
  )
}
