import { parsePhoneNumberFromString } from "libphonenumber-js/max"
import { isPremiumRate } from "./PremiumRate.ts"

/** A workspace's own rules. `allowed_countries` are ISO 3166 alpha-2 codes; empty: all. */
export interface Policy {
  readonly allowed_countries: ReadonlyArray<string>
  readonly allow_costly_destinations: boolean
}

/**
 * Country codes that ITU-T E.164 gives to no country but to satellites and global networks: Inmarsat (870),
 * personal numbering (878), satellite systems (881), international networks (882, 883), disaster relief (888),
 * and international premium rate (979).
 */
const costlyPrefixes = ["+870", "+878", "+881", "+882", "+883", "+888", "+979"]

/**
 * Why a number (E.164) may not be called, in words that do not contain it; null if it may.
 *
 * Costly are premium-rate numbers, satellites and global networks. Shared-cost numbers are not: the
 * callee bears a part of their price. A number that cannot be parsed counts as not costly, and as of no
 * country: it is refused only where the countries are limited.
 */
export const blocked = (number: string, policy: Policy): string | null => {
  const { allow_costly_destinations, allowed_countries } = policy
  if (allow_costly_destinations && allowed_countries.length === 0) return null
  if (!allow_costly_destinations && costlyPrefixes.some((prefix) => number.startsWith(prefix))) {
    return "calls to satellite and global-network numbers are not allowed"
  }
  if (!allow_costly_destinations && isPremiumRate(number)) {
    return "calls to premium-rate numbers are not allowed"
  }
  if (allowed_countries.length === 0) return null
  const country = parsePhoneNumberFromString(number)?.country ?? ""
  return allowed_countries.includes(country) ? null : "calls to this number's country are not allowed"
}
