import type { TestRunSummary } from "./contract/AgentTestRuns.ts"
import type { Attempt, Campaign } from "./contract/Campaigns.ts"
import type { CampaignImport } from "./contract/Recipients.ts"
import type { Call, Recording, Timestamp } from "./contract/Shared.ts"
import type { Delivery, Webhook } from "./contract/Webhooks.ts"

/** What every event has. Source: `core/engine/Outbox.ts`. */
interface Happened<Type extends Delivery["event_type"], Data, CallId = null, AgentId = string> {
  /** Stays the same when the event is sent again. */
  readonly id: string
  readonly event_type: Type
  readonly created_at: Timestamp
  readonly customer_id: string
  readonly call_id: CallId
  readonly agent_id: AgentId
  readonly session_id: string | null
  readonly campaign_id: string | null
  readonly recipient_id: string | null
  /** 1 and more; null for a call that ended without having been dialled. */
  readonly attempt_number: number | null
  /** As supplied when the call, or its campaign, was created. */
  readonly metadata: Readonly<Record<string, unknown>> | null
  /** The record as it was when the event happened. */
  readonly data: Data
}

/** What was learnt from the conversation of a call. Source: `core/model/conversations/Review.ts`. */
export interface CallReview {
  readonly session_id: string
  /** Null for an agent that had no version. */
  readonly agent_version: number | null
  readonly summary: string
  readonly sentiment: "positive" | "neutral" | "negative" | null
  readonly qualification_status: "qualified" | "not_qualified" | "unknown"
  /** By the names of the agent's questions; null where the conversation does not answer one. */
  readonly answers: Readonly<Record<string, unknown>>
}

/** An attempt at a message: `sent` once the provider has passed it on, and when no receipt came. */
export interface MessageAttempt extends Attempt {
  readonly message_status: NonNullable<Attempt["result"]["outcome"]>
}

export interface CallStarted extends Happened<"call_started", Call, string> {}
export interface CallCompleted extends Happened<"call_completed", Call, string> {}
export interface RecordingCompleted extends Happened<"recording_completed", Recording, string> {}
export interface CallReviewed extends Happened<"call_reviewed", CallReview, string> {}
export interface MessageStatus extends Happened<"message_status", MessageAttempt, string> {}
export interface CampaignStarted extends Happened<"campaign_started", Campaign> {}
export interface CampaignPaused extends Happened<"campaign_paused", Campaign> {}
export interface CampaignCompleted extends Happened<"campaign_completed", Campaign> {}
/** The import's record without its errors. */
export interface ImportCompleted extends Happened<
  "import_completed",
  Omit<CampaignImport, "errors" | "errors_url">
> {}
export interface TestRunCompleted extends Happened<"test_run_completed", TestRunSummary> {}
export interface WebhookTest extends Happened<"webhook_test", Webhook, null, null> {}

/** An event, told apart by its `event_type`. Kinds that are not known here may come in time. */
export type WebhookEvent =
  | CallStarted
  | CallCompleted
  | RecordingCompleted
  | CallReviewed
  | MessageStatus
  | CampaignStarted
  | CampaignPaused
  | CampaignCompleted
  | ImportCompleted
  | TestRunCompleted
  | WebhookTest

export type WebhookRefusal =
  | "missing_headers"
  | "invalid_timestamp"
  | "too_old"
  | "too_new"
  | "no_matching_signature"
  | "invalid_body"

/** A request that is no event of the platform, or an old one: to be answered with 400 and ignored. */
export class WebhookVerificationError extends Error {
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal, options?: ErrorOptions) {
    super(`the webhook does not verify: ${reason.replaceAll("_", " ")}`, options)
    this.name = "WebhookVerificationError"
    this.reason = reason
  }
}

export interface VerifyWebhookOptions {
  /** `whsec_…`, as the webhook's creation or its rotation answered it; any one of several will do. */
  readonly secret?: string | undefined
  readonly secrets?: ReadonlyArray<string> | undefined
  readonly headers: Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** As it arrived, byte for byte: not parsed and written again. */
  readonly body: string | Uint8Array | ArrayBuffer
  /** Seconds that the event's timestamp may lie in the past or the future. Default 300. */
  readonly toleranceSeconds?: number | undefined
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

const signatureOf = (base64: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return bytesOf(base64)
  } catch {
    return null
  }
}

const hmac = { name: "HMAC", hash: "SHA-256" }

const keyOf = (secret: string) => {
  const bytes = signatureOf(secret.replace(/^whsec_/, ""))
  if (bytes === null || bytes.length === 0) throw new TypeError("a webhook secret is whsec_ and base64")
  return crypto.subtle.importKey("raw", bytes, hmac, false, ["verify"])
}

const headerOf = (headers: VerifyWebhookOptions["headers"], name: string): string => {
  if (headers instanceof Headers) return headers.get(name) ?? ""
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === "string" ? found : ""
}

const joined = (head: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const prefix = new TextEncoder().encode(head)
  const whole = new Uint8Array(prefix.length + body.length)
  whole.set(prefix)
  whole.set(body, prefix.length)
  return whole
}

const checkAge = (timestamp: string, toleranceSeconds: number) => {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError("invalid_timestamp")
  const age = Math.floor(Date.now() / 1_000) - Number(timestamp)
  if (age > toleranceSeconds) throw new WebhookVerificationError("too_old")
  if (age < -toleranceSeconds) throw new WebhookVerificationError("too_new")
}

const eventOf = (body: Uint8Array): WebhookEvent => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as WebhookEvent
  } catch (cause) {
    throw new WebhookVerificationError("invalid_body", { cause })
  }
}

/**
 * The event that a request to a webhook brings, once one of its signatures has been made with one of the secrets.
 * Signatures are compared in constant time. An event may come twice, with the same `id`. `metadata` is parsed by
 * `JSON.parse`; who needs it byte for byte finds it in the body. Source: Standard Webhooks 1.0.
 *
 * @throws {WebhookVerificationError} when it does not verify
 * @throws {TypeError} when there is no secret, or one is malformed
 */
export const verifyWebhook = async (options: VerifyWebhookOptions): Promise<WebhookEvent> => {
  const { secret, secrets = [], toleranceSeconds = 300 } = options
  const keys = await Promise.all([...(secret === undefined ? [] : [secret]), ...secrets].map(keyOf))
  if (keys.length === 0) throw new TypeError("secret or secrets is missing")
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headerOf(options.headers, name)
  ) as [string, string, string]
  if (id === "" || timestamp === "" || signatures === "")
    throw new WebhookVerificationError("missing_headers")
  checkAge(timestamp, toleranceSeconds)

  const { body } = options
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body)
  const content = joined(`${id}.${timestamp}.`, bytes)
  for (const versioned of signatures.split(" ")) {
    if (!versioned.startsWith("v1,")) continue
    const signature = signatureOf(versioned.slice("v1,".length))
    if (signature === null) continue
    for (const key of keys) {
      if (await crypto.subtle.verify(hmac, key, signature, content)) return eventOf(bytes)
    }
  }
  throw new WebhookVerificationError("no_matching_signature")
}
