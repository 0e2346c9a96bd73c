import { account, type ErrorMeaning, later, refused } from "../shared/ErrorMeaning.ts"
import type { Failure } from "./Wire.ts"

export type MessageErrorMeaning =
  | ErrorMeaning
  /** The number that it is sent from is not there, or not ours, any more. */
  | { readonly _tag: "Number" }
  /** Too many messages from one number to another; all others may go. */
  | { readonly _tag: "PairLater"; readonly message: string }

const number: MessageErrorMeaning = { _tag: "Number" }
const pairLater: MessageErrorMeaning = {
  _tag: "PairLater",
  message: "too many messages to this number in a short time"
}

const failed = (message: string) => refused("failed", "carrier_error", message)
const invalid = (message: string) => refused("failed", "invalid_number", message)
const blocked = (message: string) => refused("failed", "destination_blocked", message)
const template = (message: string) => refused("failed", "template_not_approved", message)

const other = failed("the provider could not send the message")

/** Source: Meta, "Cloud API error codes", and "Graph API: handle errors". */
const byCode: ReadonlyMap<number, MessageErrorMeaning> = new Map<number, MessageErrorMeaning>([
  [0, account("the token is not accepted")],
  [2, later],
  [3, account("the token lacks a permission")],
  [4, later],
  [10, account("the token lacks a permission")],
  [17, later],
  [32, later],
  [33, number],
  [100, failed("the provider does not take a parameter of the message")],
  [102, account("the token is not accepted")],
  [190, account("the token is not accepted")],
  [368, account("the account is blocked for a violation of policies")],
  [613, later],
  [80_007, later],
  [80_008, later],
  [130_429, later],
  [130_472, blocked("the provider keeps the number from messages of this kind, for an experiment")],
  [130_497, blocked("the account may not send messages to this country")],
  [131_005, account("access is denied")],
  [131_008, failed("a parameter of the message is missing")],
  [131_009, failed("a parameter of the message is not valid")],
  [131_021, invalid("the message would go to its own sender")],
  [131_026, invalid("the number has no account on the channel that takes the message")],
  [131_030, blocked("the number is not among those that a test number may write to")],
  [131_031, account("the account is locked")],
  [131_037, account("the display name of the number is not approved")],
  [131_042, account("the account cannot pay")],
  [131_045, account("the number is not registered")],
  [131_047, failed("the customer has not written within the last 24 hours")],
  [131_048, later],
  [131_049, failed("the provider chose not to deliver the message, to spare the person")],
  [131_050, refused("rejected", "do_not_call", "the person wants no messages of this kind")],
  [131_051, failed("messages of this kind are not supported")],
  [131_052, failed("the file of the message could not be fetched")],
  [131_053, failed("the file of the message could not be taken")],
  [131_056, pairLater],
  [131_057, account("the account is in maintenance")],
  [132_000, failed("the parameters do not fit the message template")],
  [132_001, template("the provider has no approved message template of this name and language")],
  [132_005, failed("the message is too long with its parameters filled in")],
  [132_007, template("the message template violates a policy")],
  [132_012, failed("the parameters do not fit the message template")],
  [132_015, template("the message template is paused")],
  [132_016, template("the message template is disabled")],
  [133_010, account("the number is not registered")]
])

/** Source: Meta, "Graph API: handle errors": a node that is not there, or that the token may not see. */
const noSuchNode = 33

export const isNoSuchNode = (failure: Failure | null) =>
  failure?.code === 100 && failure.error_subcode === noSuchNode

/** What a code means by itself: of a message that failed after it had been taken. */
export const ofCode = (code: number | null): MessageErrorMeaning => {
  if (code === null) return other
  if (code >= 200 && code <= 299) return account("the token lacks a permission")
  return byCode.get(code) ?? other
}

/** Whether a code says for certain what became of a request. Source: Meta, "Cloud API error codes": go by the code. */
export const isKnown = (failure: Failure | null): boolean => ofCode(failure?.code ?? null) !== other

/** What a refusal means by its code, or, when it has none that is known, by its status. */
export const ofRefusal = (status: number, failure: Failure | null): MessageErrorMeaning => {
  if (isNoSuchNode(failure)) return number
  const meaning = ofCode(failure?.code ?? null)
  if (meaning !== other) return meaning
  if (status === 429) return later
  if (status === 401 || status === 403) return account("the token is not accepted")
  if (status === 404) return number
  return other
}
