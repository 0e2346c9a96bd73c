import { createHmac } from "node:crypto"

/** How a phone number stands on a list once its person was erased: `hmac-sha256:`, and its HMAC in base64url. */
export const hashOf = (key: string, phone_number: string): string =>
  `hmac-sha256:${createHmac("sha256", key).update(phone_number, "utf8").digest("base64url")}`

/** How a number may stand on a list of a workspace that has this key, or none. */
export const formsOf = (key: string | null, phone_number: string): ReadonlyArray<string> =>
  key === null ? [phone_number] : [phone_number, hashOf(key, phone_number)]
