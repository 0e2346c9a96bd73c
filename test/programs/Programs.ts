import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, relative } from "node:path"
import process from "node:process"
import { setTimeout } from "node:timers/promises"
import type { Plugin } from "esbuild"
import { Effect, type Scope } from "effect"
import { build as buildConsole } from "../../apps/console/build/Build.ts"
import { bundle, bundleServer, root } from "../../apps/server/build/Programs.ts"

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

const more = { receiver: "test/torture/receiver.ts", suite: "test/runtime/suite.ts" }

const bundled = async (folder: string) => {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  await buildConsole(join(folder, "public"))
  await bundle(folder, more)
}

const within = (folder: string): Programs => {
  const at = (name: keyof Programs) => join(folder, `${name}.mjs`)
  return { server: at("server"), outdial: at("outdial"), receiver: at("receiver"), suite: at("suite") }
}

const newFolder = () => mkdtempSync(join(tmpdir(), "outdial-programs-"))
const remove = (folder: string) => rmSync(folder, { recursive: true, force: true })

const setting = "TEST_PROGRAMS"

/** Whether this process is the only one that may write the programs now. */
const isTurn = (turn: string) => {
  try {
    mkdirSync(turn)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    return false
  }
}

/** Bundles them, unless another process that has the same folder did, or does so now. */
const prepare = async (): Promise<string> => {
  const shared = process.env[setting]
  const folder = shared ?? newFolder()
  if (shared === undefined) process.once("exit", () => remove(folder))
  const [ready, turn] = [join(folder, "ready"), join(folder, "turn")]
  while (!existsSync(ready)) {
    if (!isTurn(turn)) {
      await setTimeout(50)
      continue
    }
    try {
      if (existsSync(ready)) break
      await bundled(folder)
      mkdirSync(ready)
    } finally {
      rmdirSync(turn)
    }
  }
  return folder
}

let prepared: Promise<string> | undefined
const prepareOnce = () => (prepared ??= prepare())

/** What the patched server is: all else is as it was. */
const ofServer = new Set(["server.cjs", "server.cache"])

/** With patches of the server, which what it starts has none of. */
const preparePatched = async (folder: string, patches: ReadonlyArray<Patch>) => {
  cpSync(await prepareOnce(), folder, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !ofServer.has(basename(path))
  })
  const left = new Set(patches)
  await bundleServer(folder, [planting(patches, left)])
  if (left.size > 0) throw new Error(`not planted: ${[...left].map(({ file }) => file).join(", ")}`)
}

/** The programs as the sources were when they were first asked for. */
export const programs: Effect.Effect<Programs> = Effect.map(Effect.promise(prepareOnce), within)

/** The programs, the server as its sources are now with these patches in them, for as long as the scope lasts. */
export const patched = (patches: ReadonlyArray<Patch>): Effect.Effect<Programs, never, Scope.Scope> =>
  patches.length === 0
    ? programs
    : Effect.acquireRelease(Effect.sync(newFolder), (folder) => Effect.sync(() => remove(folder))).pipe(
        Effect.tap((folder) => Effect.promise(() => preparePatched(folder, patches))),
        Effect.map(within)
      )

/** Before the tests begin: one folder for the processes of all tiers. The first test that needs a program fills it. */
export default () => {
  if (process.env[setting] !== undefined) return undefined
  const folder = newFolder()
  process.env[setting] = folder
  return () => remove(folder)
}
