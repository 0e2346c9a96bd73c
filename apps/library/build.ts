import { spawnSync } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"

// `npm run build`: JavaScript, types and source maps of core, adapters and apps in dist.

const root = fileURLToPath(new URL("../..", import.meta.url))
const dist = join(root, "dist")
const require = createRequire(import.meta.url)
const compiler = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc")

rmSync(dist, { recursive: true, force: true })
// Declarations are for those modules alone that a package's user can import.
for (const project of ["tsconfig.build.json", "tsconfig.types.json"]) {
  const { status } = spawnSync(process.execPath, [compiler, "-p", join(root, "apps/library", project)], {
    stdio: "inherit"
  })
  if (status !== 0) process.exit(status ?? 1)
}

// The compiler leaves the extensions of declarations as they are written.
const specifier = /(\bfrom |\bimport\()"(\.[^"]*)\.ts"/g
for (const path of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
  if (!path.endsWith(".d.ts")) continue
  const text = readFileSync(join(dist, path), "utf8")
  writeFileSync(join(dist, path), text.replaceAll(specifier, '$1"$2.js"'))
}

// Declarations that were written by hand.
for (const layer of ["core", "adapters", "apps"]) {
  for (const path of readdirSync(join(root, layer), { recursive: true, encoding: "utf8" })) {
    if (path.endsWith(".d.ts") && existsSync(dirname(join(dist, layer, path))))
      copyFileSync(join(root, layer, path), join(dist, layer, path))
  }
}

const program = join(dist, "apps/cli/main.js")
const code = readFileSync(program, "utf8")
if (!code.startsWith("#!")) writeFileSync(program, `#!/usr/bin/env node\n${code}`)
chmodSync(program, 0o755)
