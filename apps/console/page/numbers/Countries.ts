const names = new Intl.DisplayNames(undefined, { type: "region", fallback: "none" })

const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i))

/** Codes of no country, which the browser has names for all the same. */
const others = ["EU", "EZ", "UN", "XA", "XB", "ZZ"]

/** A code that another one has taken the place of, as DE has of DD, is left out. */
const isCurrent = (code: string) => new Intl.Locale(`und-${code}`).region === code && !others.includes(code)

/** The countries that the browser knows: their ISO 3166 alpha-2 codes and their names, by name. */
export const countries: ReadonlyArray<readonly [code: string, name: string]> = letters
  .flatMap((first) => letters.map((second) => first + second))
  .flatMap((code) => {
    const name = names.of(code)
    return name !== undefined && isCurrent(code) ? [[code, name] as const] : []
  })
  .sort(([, a], [, b]) => a.localeCompare(b))

export const countryName = (code: string): string =>
  /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code
