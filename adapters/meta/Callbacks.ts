import { Clock, Effect, Layer, Option, Redacted } from "effect"
import { CarrierReports } from "../../core/engine/CarrierReports.ts"
import { Repository } from "../../core/ports/Repository.ts"
import { Templates } from "../../core/usecases/Templates.ts"
import {
  type CallbackAnswer,
  type CallbackRequest,
  CarrierCallbacks,
  isBelow
} from "../shared/CarrierCallbacks.ts"
import * as Signature from "./Signature.ts"
import * as Events from "./WebhookEvents.ts"

export interface Options {
  /** What webhooks are signed with. */
  readonly appSecret: Redacted.Redacted
  /** What Meta proves itself with when it verifies the address. */
  readonly verifyToken: Redacted.Redacted
}

/** Where Meta's webhooks arrive. */
export const path = "/callbacks/meta"

const answer = (status: number, body: string): CallbackAnswer => ({
  status,
  body,
  contentType: "text/plain"
})
const received = answer(200, "")
const unknown = answer(404, "there is nothing here")
const forged = answer(403, "the signature is not the provider's")
const notVerified = answer(403, "the token is not the one that was set")
const unavailable = answer(503, "it could not be stored: send it again")

const make = ({ appSecret, verifyToken }: Options) =>
  Effect.gen(function* () {
    const reports = yield* CarrierReports
    const templates = yield* Templates
    const { attempts } = yield* Repository

    /** Source: Meta, "Webhooks: verification requests". */
    const verify = (url: string) => {
      const query = new URLSearchParams(url.replace(/^[^?]*/, ""))
      const token = query.get("hub.verify_token") ?? ""
      const challenge = query.get("hub.challenge") ?? ""
      return query.get("hub.mode") === "subscribe" && Signature.same(token, Redacted.value(verifyToken))
        ? answer(200, challenge)
        : notVerified
    }

    /** Notes the id of a message whose own answer was lost, or is still on its way. */
    const identify = Effect.fnUntraced(function* (
      { provider_message_id, reference: { key, workspace_id } }: Events.Receipt,
      now: number
    ) {
      if (provider_message_id === null) return
      const attempt = yield* attempts.get(workspace_id, key)
      if (Option.isNone(attempt) || attempt.value.carrier_call_id !== null) return
      yield* attempts.accept(workspace_id, { id: key, carrier_call_id: provider_message_id, at: now })
    })

    const take = Effect.fnUntraced(function* (body: string) {
      const now = yield* Clock.currentTimeMillis
      const told = Events.read(body, now)
      yield* Effect.forEach(told.receipts, (receipt) => identify(receipt, now), { discard: true })
      if (told.receipts.length > 0) {
        yield* reports.record(
          told.receipts.map(({ progress, reference: { key, workspace_id } }) => ({
            workspace_id,
            key,
            progress
          }))
        )
      }
      yield* Effect.forEach(told.replies, reports.reply, { discard: true })
      const stored = yield* Effect.forEach(told.reviews, ({ review, template, workspace_id }) =>
        templates.reviewed(workspace_id, template, review)
      )
      return stored.every(Boolean) ? received : unavailable
    })

    const handle = ({ body, headers, method, url }: CallbackRequest) => {
      if (!isBelow(path, url)) return Effect.succeed(unknown)
      if (method === "GET") return Effect.sync(() => verify(url))
      if (method !== "POST") return Effect.succeed(unknown)
      return Signature.verify(Redacted.value(appSecret), headers["x-hub-signature-256"], body)
        ? take(body)
        : Effect.succeed(forged)
    }

    return CarrierCallbacks.of({
      handle: (request) =>
        Effect.catchAllDefect(handle(request), (defect) =>
          Effect.as(Effect.logError("a webhook of the provider could not be answered", defect), unavailable)
        )
    })
  })

/**
 * Answers what comes from Meta: receipts of messages, what customers send, and reviews of templates, taken when their
 * signature is right, in any order and any number of times. What is not known here is taken too, and changes nothing.
 * What could not be stored is answered 503, and Meta sends it again.
 */
export const layer = (options: Options) => Layer.effect(CarrierCallbacks, make(options))
