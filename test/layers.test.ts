import { posix } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { importsOf, packageOf, unknown } from "./imports.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

const corePackages = ["effect", "libphonenumber-js"]
const drivers = ["@effect/sql-sqlite-node", "@effect/sql-pg", "better-sqlite3", "pg"]
/** One for each driver, what hands out a client of @effect/sql to adapters that keep tables of their own, and copies. */
const driverFiles = [
  "adapters/sql/sqlite/Sqlite.ts",
  "adapters/sql/postgres/Postgres.ts",
  "adapters/sql/postgres/Client.ts",
  "adapters/sql/copy/SqliteEnd.ts",
  "adapters/sql/copy/PostgresEnd.ts"
]

/** The floors of core, from the ground up: each imports itself and those below it. */
const floors = ["model", "ports", "engine", "usecases", "simulation"]

const floorOf = (path: string) => floors.indexOf(path.split("/")[1] ?? "")

/** The folder that a file of adapters belongs to; null for one outside of them. */
const adapterOf = (path: string) => /^adapters\/[^/]+\//.exec(path)?.[0] ?? null

const shared = "adapters/shared/"

const mayReach = (file: string, target: string): boolean => {
  if (file.startsWith("core/")) {
    return target.startsWith("core/") && floorOf(target) >= 0 && floorOf(target) <= floorOf(file)
  }
  if (target.startsWith("core/")) return true
  if (file.startsWith("adapters/")) {
    return adapterOf(file) !== null && [adapterOf(file), shared].includes(adapterOf(target))
  }
  if (file.startsWith("apps/")) return target.startsWith("adapters/") || target.startsWith("apps/")
  return false
}

const isPath = (name: string) => /^(?:\.|\/|file:)/.test(name)

const targetOf = (file: string, name: string) =>
  name.startsWith(".") ? posix.join(posix.dirname(file), name) : name

/**
 * What an import breaks, or null: a floor of core reaches effect, libphonenumber-js and the floors below it; an
 * adapter core, packages, its own folder and what adapters share; apps everything but test; and few files alone
 * name a database driver.
 * Source: design, section 1.
 */
const violation = (file: string, name: string): string | null => {
  if (name === unknown) return `${file} imports ${name}: a module is named by its own string`
  if (!isPath(name)) {
    const dependency = packageOf(name)
    if (file.startsWith("core/") && !corePackages.includes(dependency)) {
      return `${file} imports ${name}: core imports ${corePackages.join(" and ")} alone`
    }
    if (drivers.includes(dependency) && !driverFiles.includes(file)) {
      return `${file} imports ${name}: ${driverFiles.join(" and ")} alone name a database driver`
    }
    return null
  }
  const target = targetOf(file, name)
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

/** Which folders each folder imports from. */
const foldersOf = (sources: ReadonlyMap<string, string>): ReadonlyMap<string, ReadonlySet<string>> => {
  const folders = new Map<string, Set<string>>()
  for (const [file, source] of sources) {
    const folder = posix.dirname(file)
    const reached = folders.get(folder) ?? new Set()
    folders.set(folder, reached)
    for (const name of importsOf(source)) {
      if (isPath(name)) reached.add(posix.dirname(targetOf(file, name)))
    }
    reached.delete(folder)
  }
  return folders
}

/** A way from a folder back to itself; none when there is no such way anywhere. */
const circleOf = (folders: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyArray<string> => {
  const clear = new Set<string>()
  const walk = (folder: string, way: ReadonlyArray<string>): ReadonlyArray<string> => {
    if (way.includes(folder)) return [...way.slice(way.indexOf(folder)), folder]
    if (clear.has(folder)) return []
    for (const next of folders.get(folder) ?? []) {
      const found = walk(next, [...way, folder])
      if (found.length > 0) return found
    }
    clear.add(folder)
    return []
  }
  for (const folder of folders.keys()) {
    const found = walk(folder, [])
    if (found.length > 0) return found
  }
  return []
}

describe("the dependency rule", () => {
  it("holds for every module of core, adapters and apps", () => {
    assert.include(modules, "core/model/calls/Call.ts")
    const found = modules.flatMap((file) => violations(file, readFileSync(`${root}${file}`, "utf8")))
    assert.deepStrictEqual(found, [])
  })

  it("has no circle between folders", () => {
    const sources = new Map(modules.map((file) => [file, readFileSync(`${root}${file}`, "utf8")]))
    assert.deepStrictEqual(circleOf(foldersOf(sources)), [])
  })

  it("finds a circle between folders, however long", () => {
    const sources = new Map([
      ["core/model/a/A.ts", 'import "../b/B.ts"'],
      ["core/model/b/B.ts", 'import "../Codecs.ts"\nimport "../c/C.ts"'],
      ["core/model/c/C.ts", 'import "../a/Other.ts"'],
      ["core/model/Codecs.ts", 'import "effect"']
    ])
    const circle = ["core/model/a", "core/model/b", "core/model/c", "core/model/a"]
    assert.deepStrictEqual(circleOf(foldersOf(sources)), circle)
  })

  it("sees the imports of every module that has one", () => {
    const unseen = modules.filter((file) => {
      const source = readFileSync(`${root}${file}`, "utf8")
      return /^import\b/m.test(source) && importsOf(source).length < source.match(/^import\b/gm)!.length
    })
    assert.deepStrictEqual(unseen, [])
  })

  const allowed = [
    ["core/model/calls/Call.ts", "effect"],
    ["core/model/calls/Call.ts", "effect/Schema"],
    ["core/model/numbers/DestinationPolicy.ts", "libphonenumber-js/max"],
    ["core/model/calls/Call.ts", "../json/RawJson.ts"],
    ["adapters/http/Server.ts", "node:http"],
    ["adapters/http/Server.ts", "@effect/platform"],
    ["adapters/http/handlers/Calls.ts", "../../../core/usecases/Calls.ts"],
    ["core/ports/CallDialer.ts", "../model/calls/Call.ts"],
    ["core/engine/Dialing.ts", "../ports/CallDialer.ts"],
    ["core/usecases/Calls.ts", "../engine/CallStore.ts"],
    ["core/simulation/Callees.ts", "../usecases/Calls.ts"],
    ["adapters/twilio/RestApi.ts", "../shared/Http.ts"],
    ["adapters/http/handlers/Calls.ts", "../contract/Calls.ts"],
    ["adapters/sql/sqlite/Sqlite.ts", "@effect/sql-sqlite-node"],
    ["adapters/sql/sqlite/Sqlite.ts", "@effect/sql-sqlite-node/SqliteClient"],
    ["adapters/sql/postgres/Postgres.ts", "@effect/sql-pg"],
    ["adapters/sql/postgres/Postgres.ts", "pg"],
    ["apps/server/main.ts", "../../adapters/sql/sqlite/Sqlite.ts"],
    ["apps/server/main.ts", "../../core/ports/Ids.ts"],
    ["apps/server/main.ts", "../library/Outdial.ts"],
    ["apps/server/main.ts", "node:process"]
  ] as const

  it.each(allowed)("lets %s import %s", (file, name) => {
    assert.isNull(violation(file, name))
  })

  const forbidden = [
    ["core/model/calls/Call.ts", "node:crypto"],
    ["core/model/calls/Call.ts", "crypto"],
    ["core/model/calls/Call.ts", "@effect/platform"],
    ["core/model/calls/Call.ts", "effect-lookalike"],
    ["core/model/calls/Call.ts", "libphonenumber-js-lookalike"],
    ["core/model/calls/Call.ts", "../../../adapters/sql/Rows.ts"],
    ["core/model/calls/Call.ts", "../../ports/CallDialer.ts"],
    ["core/ports/CallDialer.ts", "../engine/Dialing.ts"],
    ["core/engine/Dialing.ts", "../usecases/Calls.ts"],
    ["core/usecases/Calls.ts", "../simulation/Callees.ts"],
    ["core/elsewhere/Call.ts", "../model/calls/Call.ts"],
    ["core/model/calls/Call.ts", "../../elsewhere/Call.ts"],
    ["adapters/shared/Http.ts", "../twilio/Api.ts"],
    ["core/model/calls/Call.ts", "../../../apps/server/main.ts"],
    ["core/model/calls/Call.ts", "../../../test/fixtures.ts"],
    ["core/model/calls/Call.ts", "../../../corelike/Call.ts"],
    ["core/model/calls/Call.ts", "/elsewhere/anything.ts"],
    ["core/model/calls/Call.ts", "file:///anything.ts"],
    ["core/model/calls/Call.ts", unknown],
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
    const source = 'import { Effect } from "effect"\nexport * from "../../../adapters/sql/Rows.ts"\n'
    assert.deepStrictEqual(violations("core/model/calls/Planted.ts", source), [
      "core/model/calls/Planted.ts imports ../../../adapters/sql/Rows.ts: core may not reach adapters/sql/Rows.ts"
    ])
  })
})
