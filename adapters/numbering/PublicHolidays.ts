import { Layer } from "effect"
import type { HolidaysOf } from "../../core/model/campaigns/Place.ts"
import { PublicHolidays } from "../../core/ports/PublicHolidays.ts"
import { firstYear, text } from "./HolidayTable.ts"

/** The days of one year, `MMDDMMDD`. */
const daysOf = (days: string, year: number): ReadonlyArray<string> =>
  (days.match(/.{4}/g) ?? []).map((day) => `${year}-${day.slice(0, 2)}-${day.slice(2)}`)

/** Reads lines of a country and its years' days, `FR,0101…,0101…`. A country is read when it is first asked for. */
export const calendarOf = (table: string, first: number): HolidaysOf => {
  const lines = new Map(
    table
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, 2), line.slice(3)])
  )
  const known = new Map<string, ReadonlyArray<string>>()
  return (country) => {
    const read = known.get(country)
    if (read !== undefined) return read
    const line = lines.get(country)
    if (line === undefined) return []
    const days = line.split(",").flatMap((year, i) => daysOf(year, first + i))
    known.set(country, days)
    return days
  }
}

/** The nationwide public holidays that date-holidays has. */
export const layer: Layer.Layer<PublicHolidays> = Layer.sync(PublicHolidays, () =>
  calendarOf(text, firstYear)
)
