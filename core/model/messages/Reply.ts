/** A message that a customer has sent to a number of a workspace. */
export interface Reply {
  readonly from_number: string
  readonly to_number: string
  /** Epoch milliseconds. */
  readonly at: number
  /** What was written; absent where it was no text. */
  readonly text?: string
}
