import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { modules } from "./Modules.ts"

/**
 * Writes what the client knows of the REST interface, formatted, into a folder:
 * `npx tsx apps/client/generator/main.ts [folder]`, by default `apps/client/contract`.
 */
const root = fileURLToPath(new URL("../../..", import.meta.url))
const folder = process.argv[2] ?? join(root, "apps/client/contract")

mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder)) rmSync(join(folder, name))
for (const [name, text] of modules()) writeFileSync(join(folder, name), text)

const oxfmt = join(root, "node_modules/oxfmt/bin/oxfmt")
execFileSync(process.execPath, [oxfmt, "-c", join(root, ".oxfmtrc.json"), folder], { stdio: "inherit" })
