import {
  type Call,
  type CallPage,
  createClient,
  type Delivery,
  type OutdialClient,
  OutdialError,
  type Recipient,
  verifyWebhook,
  type WebhookEvent
} from "../../../apps/client/main.ts"

/** Every kind of event that the contract knows has its type. */
export const kindOf = (delivery: Delivery): WebhookEvent["event_type"] => delivery.event_type

/** What compiles and what must not: checked by the compiler, never run. */
export const check = async (outdial: OutdialClient, event: WebhookEvent) => {
  const call: Call = await outdial.calls.place({ agent_id: "agent_1", to_number: "+14155550123" })
  const page: CallPage = await outdial.calls.list({ status: "failed", limit: 10 }, { timeoutMs: 1_000 })
  const status:
    | "queued"
    | "ringing"
    | "in_progress"
    | "retry_scheduled"
    | "completed"
    | "failed"
    | "cancelled" = call.status
  const moment: string = call.created_at
  const completed: string | null = page.data[0]!.completed_at
  for await (const recipient of outdial.recipients.all("camp_1", { status: "pending" })) {
    const one: Recipient = recipient
    await outdial.campaigns.get(one.campaign_id, { signal: AbortSignal.abort() })
  }
  const imported = await outdial.recipients.import("camp_1", { name: "people.csv", data: "phone\n" })
  const rows: number = imported.import.errors[0]!.row
  const csv: string = await outdial.recipients.results("camp_1")
  const stream: ReadableStream<Uint8Array> = await outdial.recipients.resultsStream("camp_1")

  // @ts-expect-error to_number is required
  await outdial.calls.place({ agent_id: "agent_1" })
  // @ts-expect-error a property that the contract does not name
  await outdial.calls.place({ agent_id: "agent_1", to_number: "+14155550123", priority: 1 })
  // @ts-expect-error values of custom_variables are scalars
  await outdial.calls.place({ agent_id: "a", to_number: "+14155550123", custom_variables: { a: [1] } })
  // @ts-expect-error a status that no call has
  await outdial.calls.list({ status: "finished" })
  // @ts-expect-error an iterator has no offset
  outdial.calls.all({ offset: 10 })
  // @ts-expect-error an iterator has a place of its own
  outdial.calls.all({ after: "call_1" })
  // @ts-expect-error a campaign is paused or cancelled by a change, and started by start
  await outdial.campaigns.update("camp_1", { status: "running" })
  // @ts-expect-error an operation that there is not
  await outdial.calls.remove("call_1")
  // @ts-expect-error an id is text
  await outdial.calls.get(1)
  // @ts-expect-error a moment is text, not a date
  const date: Date = call.created_at
  // @ts-expect-error records are not written to
  call.status = "completed"
  // @ts-expect-error a credential is an API key or a token
  createClient({ baseUrl: "https://voice.example.com/v0" })
  // @ts-expect-error and not both
  createClient({ baseUrl: "https://voice.example.com/v0", apiKey: "key", token: "token" })
  // @ts-expect-error the body is needed as it came
  await verifyWebhook({ secret: "whsec_", headers: {} })

  if (event.event_type === "recording_completed") {
    const seconds: number = event.data.duration_seconds
    // @ts-expect-error a recording has no outcome
    return [seconds, event.data.outcome]
  }
  if (event.event_type === "call_reviewed") {
    const version: number | null = event.data.agent_version
    // @ts-expect-error a review has no outcome
    return [version, event.data.summary, event.data.outcome]
  }
  if (event.event_type === "campaign_paused") {
    const none: null = event.call_id
    // @ts-expect-error a campaign has no duration
    return [none, event.data.status_reason, event.data.duration_seconds]
  }
  if (event.event_type === "message_status") return [event.data.message_status]
  if (event.event_type === "import_completed") return [event.data.accepted_rows]
  if (event.event_type === "test_run_completed") return [event.data.counts.passed]
  if (event.event_type === "campaign_started") return [event.data.stats.total]
  if (event.event_type === "campaign_completed") return [event.data.stats.answered]
  if (event.event_type === "webhook_test") return [event.data.url]
  const outcome: Call["outcome"] = event.data.outcome
  // @ts-expect-error a call has no size
  const wrong = event.data.size_bytes

  const caught: unknown = new Error()
  if (caught instanceof OutdialError) {
    const known: boolean = caught.code === "insufficient_credits"
    // @ts-expect-error a code that no error has
    return [known, caught.code === "no_credits"]
  }
  return [status, moment, completed, rows, csv, stream, date, outcome, wrong]
}
