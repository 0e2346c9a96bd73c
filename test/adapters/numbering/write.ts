/** Writes the table of zones: `npx tsx test/adapters/numbering/write.ts`. */
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { moduleOf, written } from "./Written.ts"

writeFileSync(
  fileURLToPath(new URL("../../../adapters/numbering/ZoneTable.ts", import.meta.url)),
  moduleOf(written())
)
