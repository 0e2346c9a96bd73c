/**
 * A platform for the tests of software that uses the REST interface: in memory, and in a time that the test moves.
 *
 * @module outdial/testing
 */
export {
  answer,
  busy,
  busyOnce,
  type Callee,
  type Dialled,
  fail,
  type Fate,
  inDoubt,
  inTurn,
  invalidNumber,
  noAnswer,
  reject,
  silent,
  type Talk,
  vanish,
  voicemail
} from "./Callee.ts"
export type { Who } from "./Callees.ts"
export { CalleeFailed, Disposed, NeverIdle, StillWaiting, TimeIsHeld, UnscriptedNumber } from "./Errors.ts"
export type { ListenOptions } from "./Listener.ts"
export type { Delivered, WebhookHandler } from "./Receiver.ts"
export type { Span } from "./Span.ts"
export type { TenantOptions } from "./Tenant.ts"
export { makeTestPlatform } from "./Platform.ts"
export type { NewWebhook, TestPlatform, TestPlatformOptions } from "./TestPlatform.ts"
export type { Failure } from "../../adapters/simulated/CarrierLedger.ts"
export type { WebhookEvent } from "../client/main.ts"
