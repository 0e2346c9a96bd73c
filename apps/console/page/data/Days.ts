/** The day in the browser's zone as a moment; undefined for none. */
export const dayStart = (day: string | null, after = 0): string | undefined => {
  if (day === null || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined
  const [year, month, date] = day.split("-").map(Number)
  return new Date(year!, month! - 1, date! + after).toISOString()
}
