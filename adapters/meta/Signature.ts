import { createHash, createHmac, timingSafeEqual } from "node:crypto"

const scheme = "sha256="

/**
 * What Meta sends as X-Hub-Signature-256: the HMAC-SHA256 of the body as it stands, by the app's secret, in hex.
 * Source: Meta, "Webhooks: validate payloads".
 */
export const sign = (secret: string, body: string): string =>
  scheme + createHmac("sha256", secret).update(body, "utf8").digest("hex")

const digest = (text: string) => createHash("sha256").update(text, "utf8").digest()

/** Compared in constant time, whatever their lengths. */
export const same = (left: string, right: string): boolean => timingSafeEqual(digest(left), digest(right))

/** Whether a signature is the secret's own for this body. */
export const verify = (secret: string, signature: string | undefined, body: string): boolean =>
  signature !== undefined && same(signature, sign(secret, body))
