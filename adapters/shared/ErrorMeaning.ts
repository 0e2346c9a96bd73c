import type { Outcome, SubStatus } from "../../core/model/calls/Call.ts"

/** What a provider's error code means. The words never repeat what was sent. */
export type ErrorMeaning =
  /** The call or message cannot be made, or came to this end. */
  | {
      readonly _tag: "Refused"
      readonly outcome: Outcome
      readonly sub_status: SubStatus | null
      readonly message: string
    }
  /** The account or the settings are at fault: every other call would fail alike, and this one is not at fault. */
  | { readonly _tag: "Account"; readonly message: string }
  /** Too many requests at one time. */
  | { readonly _tag: "Later" }

export type Refused = Extract<ErrorMeaning, { readonly _tag: "Refused" }>

export const refused = (outcome: Outcome, sub_status: SubStatus | null, message: string): Refused => ({
  _tag: "Refused",
  outcome,
  sub_status,
  message
})
export const account = (message: string): ErrorMeaning => ({ _tag: "Account", message })
export const later: ErrorMeaning = { _tag: "Later" }
