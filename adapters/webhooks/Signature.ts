import { createHmac } from "node:crypto"

const prefix = "whsec_"

const keyOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, "base64")

/**
 * The headers of Standard Webhooks 1.0: one signature for each secret, separated by a space, so that a
 * receiver may hold either during a rotation. `at` is the time of the try in epoch milliseconds.
 */
export const signatureHeaders = (
  message: { readonly id: string; readonly body: string; readonly secrets: ReadonlyArray<string> },
  at: number
) => {
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
