import { createRequire } from "node:module"
import Holidays, { type HolidaysTypes } from "date-holidays"

const firstYear = 2026
const years = 6
const day = 86_400_000

/** The days of whole length that a holiday takes; an hour is lost or won where the clocks change. */
const daysOf = ({ date, end, start }: HolidaysTypes.Holiday): ReadonlyArray<string> => {
  const count = Math.floor((end.getTime() - start.getTime()) / day + 0.1)
  const first = Date.parse(date.slice(0, 10))
  return Array.from({ length: count }, (_, i) => new Date(first + i * day).toISOString().slice(0, 10))
}

const version = (createRequire(import.meta.url)("date-holidays/package.json") as { readonly version: string })
  .version

export const allCountries = () => Object.keys(new Holidays().getCountries()).toSorted()

/** The nationwide public holidays as date-holidays has them: a line for each country, the days of each year. */
export const writtenHolidays = (countries: ReadonlyArray<string>): string =>
  countries
    .map((country) => {
      const calendar = new Holidays(country, { types: ["public"] })
      // A holiday of several days may reach into the next year.
      const all = Array.from({ length: years + 1 }, (_, i) => calendar.getHolidays(firstYear - 1 + i))
      const days = [...new Set(all.flat().flatMap(daysOf))].toSorted()
      const inYear = (year: number) => days.filter((each) => each.startsWith(`${year}-`))
      const texts = Array.from({ length: years }, (_, i) =>
        inYear(firstYear + i)
          .map((each) => each.slice(5).replace("-", ""))
          .join("")
      )
      return [country, ...texts].join(",")
    })
    .join("\n")

export const holidayHead =
  `//! Written by test/adapters/numbering/write.ts from date-holidays ${version} (ISC), whose data (CC BY 3.0) comes in part\n` +
  "//! from Wikipedia: countries, and the month and day of their nationwide public holidays in each year from the first on.\n\n"

export const holidayModuleOf = (text: string): string =>
  `${holidayHead}export const firstYear = ${firstYear}\n\nexport const text = \`\n${text}\n\`\n`
