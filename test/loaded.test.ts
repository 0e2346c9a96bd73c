import { posix } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { loadedBy, packageOf } from "./imports.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

/** What a start on SQLite loads with the standard settings: the program, and what it imports when it builds the layers. */
const start = [
  "apps/server/begin.ts",
  "apps/server/main.ts",
  "adapters/sql/sqlite/Sqlite.ts",
  "adapters/sql/Repository.ts",
  "adapters/webhooks/HttpSink.ts",
  "adapters/tools/HttpTools.ts",
  "adapters/tables/TableReader.ts"
]

/** All modules that these load, and the packages that those name. */
const closureOf = (entries: ReadonlyArray<string>, read: (file: string) => string) => {
  const files = new Set<string>()
  const packages = new Set<string>()
  const waiting = [...entries]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue
    files.add(file)
    for (const name of loadedBy(read(file))) {
      if (name.startsWith(".")) waiting.push(posix.join(posix.dirname(file), name))
      else if (!name.startsWith("node:")) packages.add(packageOf(name))
    }
  }
  return { files: [...files], packages: [...packages] }
}

describe("an idle server", () => {
  const { files, packages } = closureOf(start, (file) => readFileSync(root + file, "utf8"))

  it("loads the packages that each server needs, and no others", () => {
    assert.sameMembers(packages, [
      "@effect/experimental",
      "@effect/platform",
      "@effect/platform-node",
      "@effect/sql",
      "@effect/sql-sqlite-node",
      "better-sqlite3",
      "effect",
      "ipaddr.js",
      "jose",
      "libphonenumber-js",
      "find-my-way-ts",
      "ws"
    ])
  })

  it("loads no module of PostgreSQL, the cluster, a provider, spreadsheets, simulations or commands", () => {
    const later =
      /^(?:adapters\/(?:cluster|llm|meta|twilio|tables\/reader|sql\/(?:postgres|copy))|core\/simulation|apps\/(?:cli|console\/page|library|testing))\//
    assert.deepStrictEqual(
      files.filter((file) => later.test(file)),
      []
    )
  })

  it("loads the API reference, whose script is 2 MB, with its first request alone", () => {
    const named = files.filter((file) =>
      loadedBy(readFileSync(root + file, "utf8")).some((name) => /Swagger|Scalar/.test(name))
    )
    assert.deepStrictEqual(named, [])
  })

  it("is looked through by what is loaded: not by types, nor by what is imported later", () => {
    const sources: Readonly<Record<string, string>> = {
      "a/A.ts":
        'import type { X } from "types"\nimport { type Y, z } from "./B.ts"\nconst c = () => import("later")',
      "a/B.ts": 'export * from "@scope/package/module"\nimport "./A.ts"'
    }
    assert.deepStrictEqual(
      closureOf(["a/A.ts"], (file) => sources[file]!),
      { files: ["a/A.ts", "a/B.ts"], packages: ["@scope/package"] }
    )
  })
})
