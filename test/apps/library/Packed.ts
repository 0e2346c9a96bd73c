import { assert } from "@effect/vitest"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Context, Effect, Layer } from "effect"
import { root, run } from "./Children.ts"

type Ranges = Readonly<Record<string, string>>

export interface Manifest {
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies?: Ranges
  readonly optionalDependencies?: Ranges
  readonly peerDependencies?: Ranges
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outdial-package-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Runs a program to its end, which is a good one; what it wrote. */
export const succeeds = Effect.fnUntraced(function* (
  command: ReadonlyArray<string>,
  cwd: string,
  env: NodeJS.ProcessEnv = {}
) {
  const { code, output } = yield* run(command, { cwd, env })
  assert.strictEqual(code, 0, output)
  return output
})

export const manifestOf = (installed: string) =>
  JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as Manifest

/** The package that a folder's modules find by a name, as Node looks for it; null for one that is not there. */
const found = (from: string, name: string): string | null => {
  for (let at = from; at !== dirname(at); at = dirname(at)) {
    const path = join(at, "node_modules", name)
    if (existsSync(path)) return path
  }
  return null
}

/** What npm installs with a package: the folders of all that it needs, with or without what is optional. */
export const treeOf = (installed: string, withOptional: boolean): ReadonlySet<string> => {
  const tree = new Set<string>()
  const add = (from: string, isRoot: boolean) => {
    const manifest = manifestOf(from)
    const peers = Object.keys(manifest.peerDependencies ?? {}).filter(
      (name) => manifest.peerDependenciesMeta?.[name]?.optional !== true
    )
    const optional = withOptional ? Object.keys(manifest.optionalDependencies ?? {}) : []
    for (const name of [...Object.keys(manifest.dependencies ?? {}), ...peers, ...optional]) {
      const path = found(isRoot ? root : from, name)
      assert.isTrue(
        path !== null || optional.includes(name),
        `${name}, which ${from} needs, is not installed`
      )
      if (path === null || tree.has(path)) continue
      tree.add(path)
      add(path, false)
    }
  }
  add(installed, true)
  return tree
}

/** How much room files take on a disk that gives it in blocks of 4 KiB, in MiB, as `du -m` counts. */
export const megabytesOf = (path: string): number => {
  const bytes = readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => !/(?:^|\/)node_modules\//.test(name))
    .reduce((sum, name) => sum + Math.ceil(statSync(join(path, name)).size / 4096) * 4096, 0)
  return bytes / 1024 / 1024
}

/** What a project on TypeScript has besides, copied, since types are looked for beside where they really are. */
const types = ["@types/node", "undici-types"]

/** What `npm pack` makes, and the folder of what is in it. */
class Tarball extends Context.Tag("test/Tarball")<
  Tarball,
  { readonly tarball: string; readonly unpacked: string }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const path = yield* folder
      yield* succeeds(["npm", "pack", "--silent", "--pack-destination", path], root)
      const name = readdirSync(path).find((name) => name.endsWith(".tgz"))!
      yield* succeeds(["tar", "-xzf", name], path)
      return { tarball: join(path, name), unpacked: join(path, "package") }
    })
  )
}

interface Installation {
  readonly folder: string
  readonly installed: string
  readonly tarball: string
  readonly bin: string
}

/**
 * An empty project in which the package is installed as npm would do it, with the packages that it depends on and no
 * others, and without a loader of TypeScript.
 */
const installation = Effect.fnUntraced(function* (withOptional: boolean) {
  const path = yield* folder
  const { tarball, unpacked } = yield* Tarball
  const modules = join(path, "node_modules")
  mkdirSync(modules)
  const installed = join(modules, "outdial")
  cpSync(unpacked, installed, { recursive: true })
  const link = (name: string) => {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, "node_modules", name), join(modules, name))
  }
  const { bin: programs, dependencies, optionalDependencies } = manifestOf(installed)
  for (const name of Object.keys({ ...dependencies, ...(withOptional && optionalDependencies) })) link(name)
  for (const name of types) cpSync(join(root, "node_modules", name), join(modules, name), { recursive: true })
  const bin = join(modules, ".bin")
  mkdirSync(bin)
  for (const [name, file] of Object.entries(programs)) symlinkSync(join(installed, file), join(bin, name))
  writeFileSync(join(path, "package.json"), '{"name":"empty","private":true,"type":"module"}')
  return { folder: path, installed, tarball, bin }
})

/** After `npm install outdial`. */
export class Project extends Context.Tag("test/Project")<Project, Installation>() {
  static readonly layer = Layer.scoped(this, installation(true))
}

/** After `npm install --omit=optional outdial`. */
export class LeanProject extends Context.Tag("test/LeanProject")<LeanProject, Installation>() {
  static readonly layer = Layer.scoped(this, installation(false))
}

export const projects = Layer.merge(Project.layer, LeanProject.layer).pipe(
  Layer.provide(Tarball.layer),
  Layer.orDie
)
