/** A slice of a list, newest first. `total` counts every item that the filter lets through. */
export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly total: number
}

/**
 * Which slice of a list. An item that is added while a list is walked through by `after`, or by `before`, moves none of
 * the others. At most one of the two is given; `offset` counts from there.
 */
export interface PageRequest {
  /** 1 to 100 */
  readonly limit: number
  readonly offset: number
  /** The id of an item: the slice begins behind it, with what is older. */
  readonly after?: string | undefined
  /** The id of an item: the slice ends before it, with what is newer. */
  readonly before?: string | undefined
}

/** What a list is asked for, as its slice and its filter. */
export const sliced = <Query extends PageRequest>({ after, before, limit, offset, ...filter }: Query) => ({
  page: { limit, offset, after, before } satisfies PageRequest,
  filter
})
