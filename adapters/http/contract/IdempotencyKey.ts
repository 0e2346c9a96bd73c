import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { Effect } from "effect"
import { InvalidInput } from "../../../core/model/InvalidInput.ts"

export const header = "idempotency-key"

/** As a structured field's string, or bare. Source: draft-ietf-httpapi-idempotency-key-header-07, 2.1. */
const form = /^(?:"([\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x5b\x5d-\x7e]{1,255}))$/

const invalid = new InvalidInput({
  reason: "Idempotency-Key must have 1 to 255 visible ASCII characters but for quotes and backslashes",
  field: "Idempotency-Key"
})

/** The key that the request carries, if it does. */
export const of = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<string | null, InvalidInput> => {
  const given = request.headers[header]
  if (given === undefined) return Effect.succeed(null)
  const [, quoted, bare] = form.exec(given.trim()) ?? []
  const key = quoted ?? bare
  return key === undefined ? Effect.fail(invalid) : Effect.succeed(key)
}
