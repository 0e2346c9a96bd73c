import { Metadata, type NumberingPlan, parsePhoneNumberFromString } from "libphonenumber-js/max"
import metadata from "libphonenumber-js/max/metadata"

/** What the library's numbering plans tell but its types leave out. */
interface Plan extends NumberingPlan {
  readonly nationalPrefixForParsing: () => string | undefined
}

/** The numbers of one calling code. The lengths are of the number without its calling code. */
interface Lengths {
  /** How many digits the calling code has. */
  readonly digits: number
  /** What the library may take away from, or change in, the beginning of a number. */
  readonly prefix: RegExp | null
  /** Possible in each country of the calling code. */
  readonly everywhere: ReadonlySet<number>
  /** Possible in one of them at least. */
  readonly somewhere: ReadonlySet<number>
}

const planOf = (countryOrCode: string): Plan => {
  const selected = new Metadata()
  selected.selectNumberingPlan(countryOrCode as Parameters<typeof selected.selectNumberingPlan>[0])
  return selected.numberingPlan as Plan
}

const lengthsOf = (code: string, countries: ReadonlyArray<string>): Lengths => {
  const plan = planOf(code)
  const prefix = plan.nationalPrefixForParsing()
  const plans = [plan, ...countries.map(planOf)].map((each) => each.possibleLengths())
  return {
    digits: code.length,
    prefix: prefix === undefined ? null : new RegExp(`^(?:${prefix})`),
    everywhere: new Set(plans[0]!.filter((length) => plans.every((each) => each.includes(length)))),
    somewhere: new Set(plans.flat())
  }
}

/** By the first three digits of a number. No calling code begins with another. */
const byFirstDigits = (): ReadonlyArray<Lengths | undefined> => {
  const codes: Record<string, ReadonlyArray<string>> = metadata.country_calling_codes
  const table = Array.from<Lengths | undefined>({ length: 1000 })
  for (const code of [...Object.keys(codes), ...Object.keys(metadata.nonGeographic)]) {
    const lengths = lengthsOf(code, codes[code] ?? [])
    const span = 10 ** (3 - code.length)
    table.fill(lengths, Number(code) * span, (Number(code) + 1) * span)
  }
  return table
}

const table = byFirstDigits()

const parsedPossible = (e164: string): boolean => parsePhoneNumberFromString(e164)?.isPossible() ?? false

/**
 * Whether a number (`^\+[1-9]\d{1,14}$`) has a length that is possible in its numbering plan, as
 * libphonenumber-js tells.
 *
 * The library is asked only where it may take a national prefix away, or where the length is possible in some
 * of the countries that share a calling code and not in others. Elsewhere the length alone decides.
 */
export const possible = (e164: string): boolean => {
  if (e164.length < 4) return parsedPossible(e164)
  const first = e164.charCodeAt(1) * 100 + e164.charCodeAt(2) * 10 + e164.charCodeAt(3) - 48 * 111
  const lengths = table[first]
  if (lengths === undefined) return false
  const { digits, everywhere, prefix, somewhere } = lengths
  const national = e164.slice(1 + digits)
  const match = prefix === null ? null : prefix.exec(national)
  if (match !== null && match.some((group) => group !== undefined && group !== ""))
    return parsedPossible(e164)
  if (everywhere.has(national.length)) return true
  return somewhere.has(national.length) && parsedPossible(e164)
}
