/** Tells the public holidays of a country (ISO 3166 alpha-2) as local dates, `2026-12-25`; none where none is known. */
export type HolidaysOf = (country: string) => ReadonlyArray<string>

/**
 * Where a recipient waits: its timezone, and in a campaign that skips public holidays the country of its number behind
 * this mark. Recipients of one place are dialled from one queue.
 */
const mark = "#"

export const placeOf = (timezone: string | null, country: string | null): string | null =>
  country === null ? timezone : `${timezone ?? ""}${mark}${country}`

/** The timezone of a place; null: that of the campaign's window. */
export const timezoneOf = (place: string | null): string | null => place?.split(mark, 1)[0] || null

export const countryOf = (place: string | null): string | null => place?.split(mark)[1] ?? null
