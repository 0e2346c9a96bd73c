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
  type CallStarted,
  type RecordingCompleted,
  verifyWebhook,
  type VerifyWebhookOptions,
  type WebhookEvent,
  type WebhookRefusal,
  WebhookVerificationError
} from "./Webhook.ts"
