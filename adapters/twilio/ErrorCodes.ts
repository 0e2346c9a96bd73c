import { account, type ErrorMeaning, later, refused, type Refused } from "../shared/ErrorMeaning.ts"

const invalid = refused("failed", "invalid_number", "the number is not valid, or cannot be reached")
const blocked = refused("failed", "destination_blocked", "the carrier does not call this destination")
const callerId = refused("failed", "phone_number_not_found", "the carrier does not take the caller ID")
const doNotCall = refused("failed", "do_not_call", "the person has asked not to be called")
const failed = refused("failed", "carrier_error", "the carrier could not complete the call")
const declined = refused("rejected", null, "the call was declined")

/** Source: Twilio's error and warning dictionary. */
const byCode: ReadonlyMap<number, ErrorMeaning> = new Map([
  [10_001, account("the account is not active")],
  [10_002, account("the trial account may not do this")],
  [10_004, later],
  [10_005, account("voice calls are disabled for the account")],
  [11_100, account("an address of the settings is not valid")],
  [13_214, callerId],
  [13_223, invalid],
  [13_224, invalid],
  [13_225, blocked],
  [13_226, invalid],
  [13_227, blocked],
  [20_003, account("the credentials are not accepted")],
  [20_005, account("the account is not active")],
  [20_006, account("access is denied")],
  [20_008, account("the credentials are those of a test account")],
  [20_403, account("access is denied")],
  [20_404, account("there is no such account")],
  [20_429, later],
  [21_201, invalid],
  [21_202, blocked],
  [21_203, blocked],
  [21_205, account("an address of the settings is not valid")],
  [21_210, callerId],
  [21_211, invalid],
  [21_212, callerId],
  [21_213, callerId],
  [21_214, invalid],
  [21_215, blocked],
  [21_216, blocked],
  [21_217, invalid],
  [21_219, blocked],
  [21_401, invalid],
  [21_421, invalid],
  [21_609, account("an address of the settings is not valid")],
  [21_610, doNotCall],
  [32_205, blocked]
])

/** Source: RFC 3261, section 21, and RFC 8197 (607), RFC 8688 (608). */
const bySip: ReadonlyMap<number, ErrorMeaning> = new Map([
  [404, invalid],
  [410, invalid],
  [484, invalid],
  [603, declined],
  [604, invalid],
  [607, declined],
  [608, declined]
])

/** Whether a code says for certain what became of a request. */
export const isKnown = (code: number | null): boolean => code !== null && byCode.has(code)

/** What a refusal means by its code, or, when it has none, by its status. */
export const ofRefusal = (status: number, code: number | null): ErrorMeaning => {
  const known = code === null ? undefined : byCode.get(code)
  if (known !== undefined) return known
  if (status === 429) return later
  if (status === 401 || status === 407) return account("the credentials are not accepted")
  if (code === null && (status === 402 || status === 403)) return account("access is denied")
  if (code === null && status === 404) return account("there is no such account")
  return failed
}

/** What a call's end means, where the carrier tells more than its status; null where it does not. */
export const ofEnd = (error_code: number | null, sip_code: number | null): Refused | null => {
  const known = byCode.get(error_code ?? 0) ?? bySip.get(sip_code ?? 0)
  return known?._tag === "Refused" ? known : null
}
