import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import type { Plugin } from "esbuild"
import { Effect, type Scope } from "effect"
import { build as buildConsole } from "../../apps/console/build/Build.ts"
import { bundle, root } from "../../apps/server/build/Programs.ts"

export { root }

/** A place in the source, which is there once, and what is put there instead. */
export interface Patch {
  readonly file: string
  readonly find: string
  readonly put: string
}

/** The text with the patch in it. It throws unless its place is there exactly once. */
export const plant = (text: string, { file, find, put }: Patch): string => {
  const [before, after, ...more] = text.split(find)
  if (after === undefined || more.length > 0) {
    throw new Error(`${file} has ${after === undefined ? "no" : "more than one"} place for ${find}`)
  }
  return before + put + after
}

/** Plants the patches while the sources are read; `left` are those that no bundle has met. */
const planting = (patches: ReadonlyArray<Patch>, left: Set<Patch>): Plugin => ({
  name: "planting",
  setup: (build) => {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const here = patches.filter(({ file }) => file === relative(root, path))
      if (here.length === 0) return undefined
      for (const patch of here) left.delete(patch)
      return { contents: here.reduce(plant, readFileSync(path, "utf8")), loader: "ts" }
    })
  }
})

/** The programs that tests run as processes of their own, each a file that Node starts in a tenth of the time. */
export interface Programs {
  readonly server: string
  readonly outdial: string
  /** Of webhooks, with a ledger. */
  readonly receiver: string
  /** What the library does on every runtime. */
  readonly suite: string
}

const bundled = async (folder: string, patches: ReadonlyArray<Patch>) => {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  const left = new Set(patches)
  await bundle(folder, {
    programs: { receiver: "test/torture/receiver.ts", suite: "test/runtime/suite.ts" },
    plugins: [planting(patches, left)]
  })
  if (left.size > 0) throw new Error(`not planted: ${[...left].map(({ file }) => file).join(", ")}`)
}

const within = (folder: string): Programs => {
  const at = (name: keyof Programs) => join(folder, `${name}.mjs`)
  return { server: at("server"), outdial: at("outdial"), receiver: at("receiver"), suite: at("suite") }
}

const newFolder = () => mkdtempSync(join(tmpdir(), "outdial-programs-"))

const setting = "TEST_PROGRAMS"

/** Bundles them, unless the process that started this one did. */
const prepare = async (): Promise<string> => {
  const there = process.env[setting]
  if (there !== undefined) return there
  const folder = newFolder()
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  await buildConsole(join(folder, "public"))
  await bundled(folder, [])
  return folder
}

let prepared: Promise<string> | undefined
const prepareOnce = () => (prepared ??= prepare())

/** With patches, which the console has none of. */
const preparePatched = async (folder: string, patches: ReadonlyArray<Patch>) => {
  symlinkSync(join(await prepareOnce(), "public"), join(folder, "public"))
  await bundled(folder, patches)
}

/** The programs as the sources were when they were first asked for. */
export const programs: Effect.Effect<Programs> = Effect.map(Effect.promise(prepareOnce), within)

/** The programs as the sources are now, with these patches in them, for as long as the scope lasts. */
export const patched = (patches: ReadonlyArray<Patch>): Effect.Effect<Programs, never, Scope.Scope> =>
  patches.length === 0
    ? programs
    : Effect.acquireRelease(Effect.sync(newFolder), (folder) =>
        Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
      ).pipe(
        Effect.tap((folder) => Effect.promise(() => preparePatched(folder, patches))),
        Effect.map(within)
      )

/** Once for all tests, before they begin. */
export default async () => {
  process.env[setting] = await prepare()
}
