/**
 * A typed client of Outdial's REST interface, for Node, Deno, Bun and browsers: `fetch` and WebCrypto, nothing else.
 *
 * @module outdial/client
 */
export { createClient, type OutdialClient } from "./Client.ts"
export type * from "./contract/Types.ts"
export type {
  ClientOptions,
  Credential,
  FileInput,
  RequestOptions,
  RetryOptions,
  Token
} from "./request/Options.ts"
export { OutdialError, type OutdialErrorCode } from "./OutdialError.ts"
export {
  type CallCompleted,
  type CallReviewed,
  type CallStarted,
  type CampaignCompleted,
  type CampaignPaused,
  type CampaignStarted,
  type ImportCompleted,
  type MessageStatus,
  type RecordingCompleted,
  type TestRunCompleted,
  verifyWebhook,
  type VerifyWebhookOptions,
  type WebhookEvent,
  type WebhookRefusal,
  type WebhookTest,
  WebhookVerificationError
} from "./Webhook.ts"
