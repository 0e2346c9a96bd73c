import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Cause, Effect, Exit, Option } from "effect"
import type { RepeatsShape } from "../../../core/usecases/Repeats.ts"
import * as Coded from "./Coded.ts"
import { BodyRefused } from "./Errors.ts"
import * as IdempotencyKey from "./IdempotencyKey.ts"
import type { Exchange } from "./RequestContext.ts"

/** How an operation that creates something takes an idempotency key. */
interface Creating {
  /** Bytes that its body may have, where it takes more than others. */
  readonly maxBytes?: number
  /** It asks others than the store, or wakes what works on it: it is not one unit with what is noted of its key. */
  readonly beyondStore?: true
  /** Its answer holds a secret that is stored nowhere, this store included. */
  readonly isSecret?: true
}

const large = { maxBytes: 5 * 1024 * 1024 }

/**
 * The POST operations that create something, by their paths. Those that are not among them: calls and batches have keys
 * of their own, and an import adds each number once.
 */
export const creating: Readonly<Record<string, Creating>> = {
  "/agents": {},
  "/agents/:agent_id/conversations": { isSecret: true },
  "/agent-test-runs": { beyondStore: true },
  "/agent-test-suites": large,
  "/agent-test-suites/generate": { beyondStore: true },
  "/api-keys": { isSecret: true },
  "/campaigns": { beyondStore: true },
  "/campaigns/:campaign_id/recipients": { ...large, beyondStore: true },
  "/do-not-call": {},
  "/msg/templates": { beyondStore: true },
  "/phone-numbers": {},
  "/webhooks": { beyondStore: true }
}

/** A request is answered before it reaches its operation. */
export class Answered {
  readonly response: HttpServerResponse.HttpServerResponse

  constructor(response: HttpServerResponse.HttpServerResponse) {
    this.response = response
  }
}

const answer = (response: HttpServerResponse.HttpServerResponse) => Effect.die(new Answered(response))

const refuse = (status: number, code: Coded.Code) => (error: { readonly message: string }) =>
  answer(Coded.response(status, code, error.message))

const bodyOf = ({ body }: HttpServerResponse.HttpServerResponse): string | null =>
  body._tag === "Uint8Array"
    ? new TextDecoder().decode(body.body)
    : body._tag === "Raw" && typeof body.body === "string"
      ? body.body
      : null

/** Refusals leave nothing behind. After any other failure that is known only of what is one unit. */
const isRefusal = (cause: Cause.Cause<unknown>): boolean =>
  Option.isSome(Cause.failureOption(cause)) || Cause.squash(cause) instanceof BodyRefused

/**
 * Looks at the idempotency key of a request that creates something, once it is known whose it is. Dies with what is to
 * be answered when the request came before; else the exchange learns what to do with its answer.
 */
export const check = (
  repeats: RepeatsShape,
  request: HttpServerRequest.HttpServerRequest,
  exchange: Exchange,
  workspace_id: string
): Effect.Effect<void> => {
  const kind = exchange.path === null ? undefined : creating[exchange.path]
  if (kind === undefined || request.method !== "POST") return Effect.void
  return Effect.gen(function* () {
    const key = yield* IdempotencyKey.of(request)
    if (key === null) return
    const text = HttpIncomingMessage.withMaxBodySize(request.text, Option.fromNullable(kind.maxBytes))
    const body = yield* Effect.orDie(kind.maxBytes === undefined ? request.text : text)
    const found = yield* repeats.begin(workspace_id, key, `${request.method} ${request.url}\n${body}`)
    if (found._tag === "Answered") {
      const { body, status } = found
      return yield* answer(HttpServerResponse.raw(body, { status, contentType: "application/json" }))
    }
    const isUnit = kind.beyondStore !== true
    if (isUnit) exchange.carry = found.carry
    exchange.ended = (exit) => {
      if (Exit.isFailure(exit)) {
        return isRefusal(exit.cause) || isUnit ? repeats.release(workspace_id, key) : Effect.void
      }
      const { status } = exit.value
      return status >= 200 && status < 300
        ? repeats.finish(workspace_id, key, status, kind.isSecret === true ? null : bodyOf(exit.value))
        : status < 500 || isUnit
          ? repeats.release(workspace_id, key)
          : Effect.void
    }
  }).pipe(
    Effect.catchTags({
      InvalidInput: refuse(400, "invalid_request"),
      KeyReused: refuse(422, "invalid_request"),
      KeyUnderWay: refuse(409, "conflict"),
      KeyCarriedOut: refuse(409, "conflict"),
      AnswerNotKept: refuse(409, "conflict")
    })
  )
}
