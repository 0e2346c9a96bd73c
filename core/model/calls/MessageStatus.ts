import { Schema } from "effect"
import { type Attempt, AttemptRecord, toRecord } from "./Attempt.ts"
import { Outcome } from "./Call.ts"
import type { State } from "./CallStep.ts"

/** What `message_status` brings: the attempt, and how far the message has got. */
export const MessageStatus = Schema.Struct({
  ...AttemptRecord.fields,
  message_status: Outcome
}).annotations({ identifier: "MessageStatus" })
export type MessageStatus = typeof MessageStatus.Type

const encode = Schema.encodeSync(MessageStatus)

/** `sent` while the outcome is open: the provider has passed the message on. */
export const statusJson = (attempt: Attempt): string =>
  JSON.stringify(encode({ ...toRecord(attempt), message_status: attempt.outcome ?? "sent" }))

/** The attempt at a message of which there is something to tell: it has been passed on, or has come to its end. */
export const toldOf = (before: State | null, { attempt, call }: State): Attempt | null => {
  if (attempt === null) return null
  const passedOn = call.status === "in_progress" && before?.call.status !== "in_progress"
  const ended = attempt.completed_at !== null && before?.attempt?.completed_at !== attempt.completed_at
  return passedOn || ended ? attempt : null
}
