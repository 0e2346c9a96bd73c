import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { bundled } from "../../programs/Bundled.ts"
import { root, run } from "./Children.ts"

/** A page, or what stands under one of its headings. */
export const sectionOf = (page: string, heading?: string): string => {
  const text = readFileSync(join(root, page), "utf8")
  if (heading === undefined) return text
  const section = text.split(/^##+ /m).find((section) => section.startsWith(`${heading}\n`))
  if (section === undefined) throw new Error(`${page} has no "${heading}"`)
  return section
}

/** The blocks of a page, or of a section of it, in a language, in order. */
export const blocksOf = (page: string, language: string, heading?: string): ReadonlyArray<string> =>
  [...sectionOf(page, heading).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    ([, code]) => code!
  )

/** What programs import beside the package itself. */
const packages = ["effect", "hono", "express", "fastify", "@hono/node-server", "@types/node"]

const entries = {
  ".": "./apps/library/main.ts",
  "./client": "./apps/client/main.ts",
  "./testing": "./apps/testing/main.ts",
  "./core/*": "./core/*.ts"
}

/** A folder of its own in which the sources are found by the name of the package. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => {
    const path = mkdtempSync(join(tmpdir(), "outdial-page-"))
    const modules = join(path, "node_modules")
    const link = (target: string, place: string) => {
      mkdirSync(dirname(place), { recursive: true })
      symlinkSync(target, place)
    }
    for (const name of packages) link(join(root, "node_modules", name), join(modules, name))
    for (const name of ["core", "adapters", "apps", "node_modules"]) {
      link(join(root, name), join(modules, "outdial", name))
    }
    const manifest = { name: "outdial", type: "module", exports: entries }
    writeFileSync(join(modules, "outdial/package.json"), JSON.stringify(manifest))
    writeFileSync(join(path, "package.json"), '{"type":"module"}')
    return path
  }),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Runs all TypeScript of a page as the one program that it is, from top to bottom. */
export const runPage = Effect.fnUntraced(function* (
  page: string,
  env: Readonly<Record<string, string>> = {}
) {
  const path = yield* folder
  writeFileSync(join(path, "page.ts"), blocksOf(page, "ts").join("\n"))
  // A platform forks its child from beside its own module.
  const child = join(root, "apps/simulation/child.ts")
  yield* bundled(path, { page: join(path, "page.ts"), child })
  return yield* run([process.execPath, "page.mjs"], { cwd: path, env })
})
