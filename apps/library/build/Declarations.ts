import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { posix } from "node:path"
import { dist, filesOf, root } from "./Files.ts"

/** The compiler leaves the extensions of declarations as they are written. */
const specifier = /(\bfrom |\bimport\()"(\.[^"]*)\.ts"/g

const imported = /(?:\bfrom |\bimport\()"([^"]+)"/g

const entries = ["apps/library/main.d.ts", "apps/client/main.d.ts", "apps/testing/main.d.ts"]

/** Those that a user of the package can reach; it throws when one of them names a package that is not installed. */
const reachable = (installed: ReadonlySet<string>): ReadonlySet<string> => {
  const found = new Set<string>()
  const waiting = [...entries, ...filesOf(posix.join(dist, "core"), ".d.ts").map((path) => `core/${path}`)]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    found.add(path)
    for (const [, name] of readFileSync(posix.join(dist, path), "utf8").matchAll(imported)) {
      if (name!.startsWith(".")) {
        waiting.push(posix.join(posix.dirname(path), name!.replace(/\.js$/, ".d.ts")))
      } else if (!installed.has(name!.split("/")[0]!)) {
        throw new Error(`${path} names a type of ${name}, which a user of the package does not have`)
      }
    }
  }
  return found
}

/** Makes the declarations of the compiler those of the package. */
export const finishDeclarations = (installed: ReadonlySet<string>): void => {
  for (const path of filesOf(dist, ".d.ts")) {
    const text = readFileSync(posix.join(dist, path), "utf8")
    writeFileSync(posix.join(dist, path), text.replaceAll(specifier, '$1"$2.js"'))
  }
  // Declarations that were written by hand.
  for (const folder of ["core", "adapters", "apps"]) {
    for (const path of filesOf(posix.join(root, folder), ".d.ts")) {
      const target = posix.join(dist, folder, path)
      if (existsSync(posix.dirname(target))) copyFileSync(posix.join(root, folder, path), target)
    }
  }
  const kept = reachable(installed)
  for (const path of filesOf(dist, ".d.ts")) if (!kept.has(path)) rmSync(posix.join(dist, path))
}
