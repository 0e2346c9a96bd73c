/** Writes the tables of zones and holidays: `npx tsx test/adapters/numbering/write.ts`. */
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { allCountries, holidayModuleOf, writtenHolidays } from "./Holidays.ts"
import { moduleOf, written } from "./Written.ts"

const write = (name: string, text: string) =>
  writeFileSync(fileURLToPath(new URL(`../../../adapters/numbering/${name}`, import.meta.url)), text)

write("ZoneTable.ts", moduleOf(written()))
write("HolidayTable.ts", holidayModuleOf(writtenHolidays(allCountries())))
