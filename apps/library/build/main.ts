import { spawnSync } from "node:child_process"
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import process from "node:process"
import { build as buildConsole } from "../../console/build/Build.ts"
import { bundle } from "../../server/build/Programs.ts"
import { finishDeclarations } from "./Declarations.ts"
import { dist, root } from "./Files.ts"
import { licences } from "./Licences.ts"
import { compileIn } from "./Packages.ts"

// `npm run build`: JavaScript, types and source maps of core, adapters and apps in dist, and the programs.

const { dependencies, optionalDependencies } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8")
) as Readonly<Record<string, Readonly<Record<string, string>>>>
const installed = new Set(Object.keys({ ...dependencies, ...optionalDependencies }))

const require = createRequire(import.meta.url)
const compiler = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc")

rmSync(dist, { recursive: true, force: true })
// Declarations are for those modules alone that a package's user can import. In several threads the compiler takes twice the
// processor time for them, since each finds out the same types.
for (const project of ["tsconfig.json", "tsconfig.types.json"]) {
  const { status } = spawnSync(
    process.execPath,
    [compiler, "-p", join(root, "apps/library/build", project), "--singleThreaded"],
    { stdio: "inherit" }
  )
  if (status !== 0) process.exit(status ?? 1)
}
finishDeclarations(installed)
await compileIn(installed)

// The programs do not share modules with the library: bundled, they start in less than half of the time.
const programs = join(dist, "programs")
const pages = await buildConsole(join(programs, "public"))
const { inputs } = await bundle(programs)
writeFileSync(join(programs, "LICENCES.md"), licences([...pages, ...inputs]))
const program = join(programs, "outdial.mjs")
writeFileSync(program, `#!/usr/bin/env node\n${readFileSync(program, "utf8")}`)
chmodSync(program, 0o755)
