import { createHmac } from "node:crypto"
import { version } from "../../core/model/Version.ts"

const prefix = "whsec_"

const keyOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, "base64")

interface Signed {
  readonly id: string
  readonly body: string
  readonly secrets: ReadonlyArray<string>
}

/**
 * The headers of Standard Webhooks 1.0: one signature for each secret, separated by a space, so that a
 * receiver may hold either during a rotation.
 *
 * @param at the time of the try, epoch milliseconds
 */
export const signatureHeaders = (message: Signed, at: number) => {
  const timestamp = Math.floor(at / 1_000)
  const content = `${message.id}.${timestamp}.${message.body}`
  const signatures = message.secrets.map(
    (secret) => `v1,${createHmac("sha256", keyOf(secret)).update(content, "utf8").digest("base64")}`
  )
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" ")
  }
}

/** The headers of every POST of JSON, signed or not, but those of its connection and length. */
export const postHeaders = { "content-type": "application/json", "user-agent": `Outdial/${version}` }

/** All headers of a delivery but those of its connection and length. */
export const deliveryHeaders = (message: Signed, at: number) => ({
  ...postHeaders,
  ...signatureHeaders(message, at)
})
