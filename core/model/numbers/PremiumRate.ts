import { Metadata, type NumberingPlan, parsePhoneNumberFromString } from "libphonenumber-js/max"
import metadata from "libphonenumber-js/max/metadata"

/** What the library's numbering plans tell but its types leave out. */
interface Plan extends NumberingPlan {
  readonly nationalPrefixForParsing: () => string | undefined
  readonly type: (name: "PREMIUM_RATE") => { readonly pattern: () => string } | undefined
}

/** The premium-rate numbers of one calling code, without it. */
interface Premium {
  /** What the library may take away from, or change in, the beginning of a number. */
  readonly prefix: RegExp | null
  /** In one of the countries of the calling code at least; null: in none. */
  readonly somewhere: RegExp | null
}

const planOf = (countryOrCode: string): Plan => {
  const selected = new Metadata()
  selected.selectNumberingPlan(countryOrCode as Parameters<typeof selected.selectNumberingPlan>[0])
  return selected.numberingPlan as Plan
}

const premiumOf = (code: string, countries: ReadonlyArray<string>): Premium => {
  const plans = [code, ...countries].map(planOf)
  const prefixes = plans.flatMap((plan) => plan.nationalPrefixForParsing() ?? [])
  const patterns = plans.flatMap((plan) => plan.type("PREMIUM_RATE")?.pattern() ?? [])
  const any = (of: ReadonlyArray<string>) => of.map((each) => `(?:${each})`).join("|")
  return {
    prefix: prefixes.length === 0 ? null : new RegExp(`^(?:${any(prefixes)})`),
    somewhere: patterns.length === 0 ? null : new RegExp(`^(?:${any(patterns)})$`)
  }
}

/** By calling code, once it was asked for. No calling code begins with another. */
const known = new Map<string, Premium | null>()

const codes: Record<string, ReadonlyArray<string>> = metadata.country_calling_codes

const premiumBy = (code: string): Premium | null => {
  const found = known.get(code)
  if (found !== undefined) return found
  const exists = Object.hasOwn(codes, code) || Object.hasOwn(metadata.nonGeographic, code)
  const premium = exists ? premiumOf(code, codes[code] ?? []) : null
  known.set(code, premium)
  return premium
}

/**
 * Whether a number (E.164) is one of a premium rate, as libphonenumber-js tells. The library is asked only where
 * the number is one in some country of its calling code, or where the library may take a national prefix away.
 */
export const isPremiumRate = (e164: string): boolean => {
  for (let length = 1; length <= 3; length++) {
    const premium = premiumBy(e164.slice(1, 1 + length))
    if (premium === null) continue
    const national = e164.slice(1 + length)
    const { prefix, somewhere } = premium
    if (!(prefix?.test(national) ?? false) && !(somewhere?.test(national) ?? false)) return false
    break
  }
  return parsePhoneNumberFromString(e164)?.getType() === "PREMIUM_RATE"
}
