/** A message that a customer has sent to a number of a workspace. */
export interface Reply {
  readonly from_number: string
  readonly to_number: string
  /** Epoch milliseconds. */
  readonly at: number
}
