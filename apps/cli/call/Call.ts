import type { CallAttemptRecord } from "../../../core/model/calls/Attempt.ts"
import type { CallRecord } from "../../../core/model/calls/Call.ts"
import { topLevel } from "../../../core/model/json/RawJson.ts"
import * as Flags from "../command/Flags.ts"
import type { Answer } from "../rest/Rest.ts"
import { type Column, moment, pairs, table } from "../terminal/Table.ts"

export const id = Flags.argument("CALL_ID", "The call's id, as `call place` and `call list` show it.")

export const path = "/calls"
export const pathOf = (callId: string): string => `${path}/${encodeURIComponent(callId)}`

export const hasEnded = ({ status }: CallRecord): boolean =>
  status === "completed" || status === "failed" || status === "cancelled"

/** `queued`, `completed: answered (user_hangup)` */
export const standing = ({ outcome, scheduled_for, status, sub_status }: CallRecord): string => {
  const reason = sub_status === null || sub_status === outcome ? "" : ` (${sub_status})`
  const due = scheduled_for === null ? "" : `, due ${moment(scheduled_for)}`
  return `${status}${outcome === null || outcome === status ? "" : `: ${outcome}`}${reason}${due}`
}

const at = (millis: number | null): string => (millis === null ? "" : moment(millis))

export const columns: ReadonlyArray<Column<CallRecord>> = [
  { title: "ID", value: ({ call_id }) => call_id },
  { title: "STATUS", value: ({ status }) => status },
  { title: "OUTCOME", value: ({ outcome }) => outcome ?? "" },
  { title: "TO", value: ({ to_number_masked }) => to_number_masked },
  { title: "SECONDS", value: ({ duration_seconds }) => duration_seconds },
  { title: "CREATED", value: ({ created_at }) => moment(created_at) }
]

const attemptColumns: ReadonlyArray<Column<CallAttemptRecord>> = [
  { title: "ATTEMPT", value: ({ attempt_number }) => attempt_number },
  { title: "STATUS", value: ({ status }) => status },
  { title: "OUTCOME", value: ({ result }) => result.outcome ?? "" },
  { title: "REASON", value: ({ result }) => result.sub_status ?? "" },
  { title: "BEGAN", value: ({ started_at }) => at(started_at) },
  { title: "SECONDS", value: ({ duration_seconds }) => duration_seconds },
  { title: "CREDITS", value: ({ credits }) => credits },
  { title: "SESSION", value: ({ session_id }) => session_id }
]

/** The fields of a call, a line each; a field without a value is left out. JSON is shown as the server sent it. */
export const described = ({ text, value: call }: Answer<CallRecord>): string => {
  const fields = topLevel(text)
  const object = (name: keyof CallRecord): string => {
    const found = fields.get(name) ?? "{}"
    return found === "{}" || found === "null" ? "" : found
  }
  const lines: ReadonlyArray<readonly [string, string | number]> = [
    ["ID", call.call_id],
    ["STATUS", standing(call)],
    ["ERROR", call.error === null ? "" : `${call.error.message} (${call.error.code})`],
    ["TO", call.to_number_masked],
    ["CALLEE", call.callee_name ?? ""],
    ["FROM", call.from_number],
    [
      "AGENT",
      call.agent_version === null ? call.agent_id : `${call.agent_id}, version ${call.agent_version}`
    ],
    ["CAMPAIGN", call.campaign_id ?? ""],
    ["RECIPIENT", call.recipient_id ?? ""],
    ["VARIABLES", object("custom_variables")],
    ["CALL CONFIG", object("call_config")],
    ["METADATA", object("metadata")],
    ["ATTEMPTS", call.attempt_count],
    ["SESSION", call.session_id ?? ""],
    ["SECONDS", call.duration_seconds],
    ["CREDITS", call.credits],
    ["CREATED", at(call.created_at)],
    ["ENDED", at(call.completed_at)]
  ]
  return pairs(lines.filter(([, value]) => value !== ""))
}

export const withAttempts = (
  call: Answer<CallRecord>,
  attempts: ReadonlyArray<CallAttemptRecord>,
  width: number | undefined
): string =>
  attempts.length === 0 ? described(call) : `${described(call)}\n\n${table(attemptColumns, attempts, width)}`
