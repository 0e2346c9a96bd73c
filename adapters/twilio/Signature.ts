import { createHmac, timingSafeEqual } from "node:crypto"

/** The fields of a form, each with all of its values. */
export type Fields = ReadonlyMap<string, ReadonlyArray<string>>

export const fieldsOf = (body: string): Fields => {
  const fields = new Map<string, Array<string>>()
  for (const [name, value] of new URLSearchParams(body)) {
    const values = fields.get(name)
    if (values === undefined) fields.set(name, [value])
    else values.push(value)
  }
  return fields
}

/** The first value of a field; null when there is none, or it is empty. */
export const one = (fields: Fields, name: string): string | null => fields.get(name)?.[0] || null

const inOrder = (texts: Iterable<string>) => [...new Set(texts)].sort()

const joined = (fields: Fields): string =>
  inOrder(fields.keys())
    .map((name) => inOrder(fields.get(name)!).map((value) => name + value))
    .flat()
    .join("")

const hmac = (token: string, text: string) => createHmac("sha1", token).update(text, "utf8").digest("base64")

/**
 * What Twilio sends as X-Twilio-Signature: the HMAC-SHA1 of the address and of the form's fields in the order of
 * their names, in base64. Source: Twilio, "Validating requests are coming from Twilio".
 */
export const sign = (token: string, url: string, fields: Fields): string => hmac(token, url + joined(fields))

const authority = /^((?:http|ws)s?:\/\/)([^/?#]*?)(:\d+)?(?=[/?#]|$)/i

/** An address with its port and without: proxies on the way leave it out, or add it. */
const spellings = (url: string): ReadonlyArray<string> => {
  const match = authority.exec(url)
  if (match === null) return [url]
  const [whole, scheme, host, port] = match
  const rest = url.slice(whole.length)
  const standard = /^(?:http|ws)s:/i.test(scheme!) ? ":443" : ":80"
  return port === undefined ? [url, scheme! + host! + standard + rest] : [url, scheme! + host! + rest]
}

const same = (a: string, b: string) => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Whether a signature is the token's own for one of these addresses, compared in constant time. */
export const verify = (
  token: string,
  signature: string | undefined,
  urls: ReadonlyArray<string>,
  fields: Fields
): boolean => {
  if (signature === undefined) return false
  const form = joined(fields)
  return urls.flatMap(spellings).some((url) => same(signature, hmac(token, url + form)))
}

/** Proves that an address was made here: for addresses that others fetch and Twilio does not sign. */
export const seal = (token: string, text: string): string =>
  createHmac("sha256", token).update(`outdial:${text}`, "utf8").digest("base64url")

export const isSealed = (token: string, text: string, found: string): boolean =>
  same(found, seal(token, text))
