import { assert } from "@effect/vitest"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Context, Effect, Layer } from "effect"
import { root, run } from "./Children.ts"

export interface Manifest {
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
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

/** What a project on TypeScript has besides, copied, since types are looked for beside where they really are. */
const types = ["@types/node", "undici-types"]

/**
 * An empty project in which the package is installed as npm would do it, with the packages that it depends on and no
 * others, and without a loader of TypeScript.
 */
export class Project extends Context.Tag("test/Project")<
  Project,
  { readonly folder: string; readonly installed: string; readonly tarball: string; readonly bin: string }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const path = yield* folder
      yield* succeeds(["npm", "pack", "--silent", "--pack-destination", path], root)
      const tarball = join(
        path,
        readdirSync(path).find((name) => name.endsWith(".tgz"))!
      )
      const modules = join(path, "node_modules")
      mkdirSync(modules)
      yield* succeeds(["tar", "-xzf", tarball, "-C", modules], path)
      const installed = join(modules, "outdial")
      renameSync(join(modules, "package"), installed)
      const link = (name: string) => {
        mkdirSync(dirname(join(modules, name)), { recursive: true })
        symlinkSync(join(root, "node_modules", name), join(modules, name))
      }
      const { bin: programs, dependencies } = manifestOf(installed)
      for (const name of Object.keys(dependencies).filter((name) => name !== "tsx")) link(name)
      for (const name of types)
        cpSync(join(root, "node_modules", name), join(modules, name), { recursive: true })
      const bin = join(modules, ".bin")
      mkdirSync(bin)
      for (const [name, file] of Object.entries(programs)) symlinkSync(join(installed, file), join(bin, name))
      writeFileSync(join(path, "package.json"), '{"name":"empty","private":true,"type":"module"}')
      return { folder: path, installed, tarball, bin }
    })
  ).pipe(Layer.orDie)
}
