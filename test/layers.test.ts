import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { posix } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Comments, and the strings and templates that may hold what looks like one. */
const tokens = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/g

/** The source without comments, and without strings that read like a call. */
const codeOf = (source: string) =>
  source.replaceAll(tokens, (token) => {
    if (token.startsWith("/")) return " "
    return !token.startsWith("`") && token.includes("(") ? '""' : token
  })

/** `import … from "x"`, `import "x"`, `export … from "x"` */
const statement = /^[ \t]*(?:import|export)\b(?:[^"'`;=()]*?\bfrom\b)?\s*["']([^"'\n]+)["']/gm

/** `import("x")`, `import(x)`, `typeof import("x")`, `require("x")`, `import.meta.resolve("x")` */
const call = /\b(?:import|require|import\.meta\.resolve)\s*\(\s*(?:(["'`])([^"'`\n$]+)\1\s*[,)]|[^)\s])/g

const unknown = "(an expression)"

/** What a module names, in any way that loads it or its types; a name that is computed is an expression. */
const importsOf = (source: string): ReadonlyArray<string> => {
  const code = codeOf(source)
  return [
    ...[...code.matchAll(statement)].map(([, name]) => name!),
    ...[...code.matchAll(call)].map(([, , name]) => name ?? unknown)
  ]
}

const corePackages = ["effect", "libphonenumber-js"]
const drivers = ["@effect/sql-sqlite-node", "@effect/sql-pg", "better-sqlite3", "pg"]
/** One for each driver, what hands out a client of @effect/sql to adapters that keep tables of their own, and copies. */
const driverFiles = [
  "adapters/sql/Sqlite.ts",
  "adapters/sql/Postgres.ts",
  "adapters/sql/postgres/Client.ts",
  "adapters/sql/copy/SqliteEnd.ts",
  "adapters/sql/copy/PostgresEnd.ts"
]

const packageOf = (name: string) =>
  name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/")

/** The folder that a file of adapters belongs to; null for one outside of them. */
const adapterOf = (path: string) => /^adapters\/[^/]+\//.exec(path)?.[0] ?? null

const mayReach = (file: string, target: string): boolean => {
  if (target.startsWith("core/")) return true
  if (file.startsWith("adapters/")) return adapterOf(target) !== null && adapterOf(target) === adapterOf(file)
  if (file.startsWith("apps/")) return target.startsWith("adapters/") || target.startsWith("apps/")
  return false
}

/**
 * What an import breaks, or null: core reaches effect, libphonenumber-js and core; an adapter core, packages
 * and its own folder; apps everything but test; and few files alone name a database driver.
 * Source: design, section 1.
 */
const violation = (file: string, name: string): string | null => {
  if (name === unknown) return `${file} imports ${name}: a module is named by its own string`
  const isPath = /^(?:\.|\/|file:)/.test(name)
  if (!isPath) {
    const dependency = packageOf(name)
    if (file.startsWith("core/") && !corePackages.includes(dependency)) {
      return `${file} imports ${name}: core imports ${corePackages.join(" and ")} alone`
    }
    if (drivers.includes(dependency) && !driverFiles.includes(file)) {
      return `${file} imports ${name}: ${driverFiles.join(" and ")} alone name a database driver`
    }
    return null
  }
  const target = name.startsWith(".") ? posix.join(posix.dirname(file), name) : name
  return mayReach(file, target)
    ? null
    : `${file} imports ${name}: ${file.split("/")[0]} may not reach ${target}`
}

const violations = (file: string, source: string) =>
  importsOf(source).flatMap((name) => violation(file, name) ?? [])

const modules = ["core", "adapters", "apps"].flatMap((layer) =>
  readdirSync(`${root}${layer}`, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.[cm]?tsx?$/.test(path))
    .map((path) => `${layer}/${path.replaceAll("\\", "/")}`)
)

describe("the dependency rule", () => {
  it("holds for every module of core, adapters and apps", () => {
    assert.include(modules, "core/calls/Call.ts")
    const found = modules.flatMap((file) => violations(file, readFileSync(`${root}${file}`, "utf8")))
    assert.deepStrictEqual(found, [])
  })

  it("sees the imports of every module that has one", () => {
    const unseen = modules.filter((file) => {
      const source = readFileSync(`${root}${file}`, "utf8")
      return /^import\b/m.test(source) && importsOf(source).length < source.match(/^import\b/gm)!.length
    })
    assert.deepStrictEqual(unseen, [])
  })

  const allowed = [
    ["core/calls/Call.ts", "effect"],
    ["core/calls/Call.ts", "effect/Schema"],
    ["core/numbers/DestinationPolicy.ts", "libphonenumber-js/max"],
    ["core/calls/Call.ts", "../json/RawJson.ts"],
    ["adapters/http/Server.ts", "node:http"],
    ["adapters/http/Server.ts", "@effect/platform"],
    ["adapters/http/handlers/Calls.ts", "../../../core/calls/Calls.ts"],
    ["adapters/http/handlers/Calls.ts", "../contract/Calls.ts"],
    ["adapters/sql/Sqlite.ts", "@effect/sql-sqlite-node"],
    ["adapters/sql/Sqlite.ts", "@effect/sql-sqlite-node/SqliteClient"],
    ["adapters/sql/Postgres.ts", "@effect/sql-pg"],
    ["adapters/sql/Postgres.ts", "pg"],
    ["apps/server/main.ts", "../../adapters/sql/Sqlite.ts"],
    ["apps/server/main.ts", "../../core/Ids.ts"],
    ["apps/server/main.ts", "../library/Outdial.ts"],
    ["apps/server/main.ts", "node:process"]
  ] as const

  it.each(allowed)("lets %s import %s", (file, name) => {
    assert.isNull(violation(file, name))
  })

  const forbidden = [
    ["core/calls/Call.ts", "node:crypto"],
    ["core/calls/Call.ts", "crypto"],
    ["core/calls/Call.ts", "@effect/platform"],
    ["core/calls/Call.ts", "effect-lookalike"],
    ["core/calls/Call.ts", "libphonenumber-js-lookalike"],
    ["core/calls/Call.ts", "../../adapters/sql/Rows.ts"],
    ["core/calls/Call.ts", "../../apps/server/main.ts"],
    ["core/calls/Call.ts", "../../test/fixtures.ts"],
    ["core/calls/Call.ts", "../../corelike/Call.ts"],
    ["core/calls/Call.ts", "/elsewhere/anything.ts"],
    ["core/calls/Call.ts", "file:///anything.ts"],
    ["core/calls/Call.ts", unknown],
    ["adapters/http/Server.ts", "../sql/Sqlite.ts"],
    ["adapters/http/handlers/Calls.ts", "../../memory/Repository.ts"],
    ["adapters/http/Server.ts", "../httpx/Server.ts"],
    ["adapters/http/Server.ts", "../Shared.ts"],
    ["adapters/Shared.ts", "./http/Server.ts"],
    ["adapters/http/Server.ts", "../../apps/server/main.ts"],
    ["adapters/http/Server.ts", "../../test/fixtures.ts"],
    ["adapters/sql/Rows.ts", "@effect/sql-sqlite-node"],
    ["adapters/sql/Rows.ts", "@effect/sql-pg/PgClient"],
    ["adapters/sql/postgres/Session.ts", "pg"],
    ["adapters/memory/Sqlite.ts", "better-sqlite3"],
    ["apps/library/Outdial.ts", "pg"],
    ["apps/server/main.ts", "@effect/sql-sqlite-node"],
    ["apps/server/main.ts", "../../test/fixtures.ts"],
    ["apps/server/main.ts", "../../testing.ts"]
  ] as const

  it.each(forbidden)("does not let %s import %s, and names both", (file, name) => {
    const message = violation(file, name)
    assert.include(message, file)
    assert.include(message, name)
  })

  it("finds an import in every form that it can take", () => {
    const forms: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      ['import x from "a"', ["a"]],
      ["import x from 'a'", ["a"]],
      ['import type { X } from "a"', ["a"]],
      ['import { type X, y as z } from "a"', ["a"]],
      ['import {\n  x, // it\'s "here"; = ()\n  /* from "b" */ y\n} from "a"', ["a"]],
      ['import * as x from\n  "a"', ["a"]],
      ['import "a"', ["a"]],
      ['  import x, { y } from "a"\nimport"b"', ["a", "b"]],
      ['import data from "a" with { type: "json" }', ["a"]],
      ['export * from "a"', ["a"]],
      ['export * as x from "a"', ["a"]],
      ['export type { X } from "a"', ["a"]],
      ['export {\n  x\n} from "a"', ["a"]],
      ['const x = await import("a")', ["a"]],
      ["const x = await import(\n  `a`\n)", ["a"]],
      ['type X = import("a").X', ["a"]],
      ['const x = require("a")', ["a"]],
      ['import x = require("a")', ["a"]],
      ['import.meta.resolve("a")', ["a"]],
      ["await import(name)", [unknown]],
      ["await import(`a/${name}`)", [unknown]],
      ['await import("a" + name)', [unknown]]
    ]
    for (const [source, names] of forms) assert.sameMembers([...importsOf(source)], [...names], source)
  })

  it("takes neither comments nor ordinary text for imports", () => {
    const source = [
      '// import x from "a"',
      '/* import y from "b" */',
      '/**\n * import("c")\n */',
      'export const from = "d"',
      'export const text = "import(e)"',
      'const address = "https://example.org/" // require("f")'
    ].join("\n")
    assert.deepStrictEqual([...importsOf(source)], [])
  })

  it("fails on a module that breaks it, naming the module and the import", () => {
    const source = 'import { Effect } from "effect"\nexport * from "../../adapters/sql/Rows.ts"\n'
    assert.deepStrictEqual(violations("core/calls/Planted.ts", source), [
      "core/calls/Planted.ts imports ../../adapters/sql/Rows.ts: core may not reach adapters/sql/Rows.ts"
    ])
  })
})
