/** A slice of a list, newest first. `total` counts every item that the filter lets through. */
export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly total: number
}

export interface PageRequest {
  /** 1 to 100 */
  readonly limit: number
  readonly offset: number
}
