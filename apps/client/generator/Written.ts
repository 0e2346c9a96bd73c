import { execFileSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { root } from "./Freshness.ts"
import { modules } from "./Modules.ts"

/**
 * Writes the client's contract, formatted, into a folder. A file that is right is left alone, since others may be reading
 * it; the folder's time says when all of it was right.
 */
export const write = (folder: string): void => {
  const made = mkdtempSync(join(tmpdir(), "outdial-client-"))
  try {
    const texts = modules()
    for (const [name, text] of texts) writeFileSync(join(made, name), text)
    const oxfmt = join(root, "node_modules/oxfmt/bin/oxfmt")
    execFileSync(process.execPath, [oxfmt, "-c", join(root, ".oxfmtrc.json"), made], { stdio: "pipe" })

    mkdirSync(folder, { recursive: true })
    for (const name of readdirSync(folder)) if (!texts.has(name)) rmSync(join(folder, name))
    for (const name of texts.keys()) {
      const text = readFileSync(join(made, name), "utf8")
      const path = join(folder, name)
      if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text)
    }
    utimesSync(folder, new Date(), new Date())
  } finally {
    rmSync(made, { recursive: true })
  }
}
