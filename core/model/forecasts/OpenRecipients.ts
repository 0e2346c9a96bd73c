/** Recipients who wait for a call, counted. */
export interface WaitingRecipients {
  /** Their own; null: none. */
  readonly timezone: string | null
  /** How often they were called. */
  readonly attempts: number
  /** When they may be called again, in epoch milliseconds, within a minute; null: as soon as there is a line. */
  readonly due_at: number | null
  readonly count: number
}

/** A call to a recipient that is under way. */
export interface OpenCall {
  readonly timezone: string | null
  /** How often the recipient was called, with this call. */
  readonly attempts: number
  readonly started_at: number
  readonly answered_at: number | null
}

/** The recipients of a campaign who are not done. */
export interface OpenRecipients {
  readonly waiting: ReadonlyArray<WaitingRecipients>
  readonly calls: ReadonlyArray<OpenCall>
}
