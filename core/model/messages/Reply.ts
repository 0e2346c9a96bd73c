/** A message that a customer has sent to a number of a workspace. */
export interface Reply {
  readonly from_number: string
  readonly to_number: string
  /** Epoch milliseconds. */
  readonly at: number
  /** What was written; absent where it was no text. */
  readonly text?: string
}

/** Characters of a message that are kept: as many as a message of WhatsApp has. */
const most = 4_096

/** The text of a message as every store can hold it. */
export const keptOf = (text: string): string => text.replaceAll("\u0000", "").slice(0, most).toWellFormed()
