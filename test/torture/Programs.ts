import { mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Plugin } from "esbuild"
import { Effect } from "effect"

export const root = fileURLToPath(new URL("../..", import.meta.url))

/** A place in the source, which is there once, and what is put there instead. */
export interface Patch {
  readonly file: string
  readonly find: string
  readonly put: string
}

/** The text with the patch in it. It throws unless its place is there exactly once. */
export const patched = (text: string, { file, find, put }: Patch): string => {
  const [before, after, ...more] = text.split(find)
  if (after === undefined || more.length > 0) {
    throw new Error(`${file} has ${after === undefined ? "no" : "more than one"} place for ${find}`)
  }
  return before + put + after
}

/** Plants the patches while the sources are read. */
const planting = (patches: ReadonlyArray<Patch>): Plugin => ({
  name: "planting",
  setup: (build) => {
    const left = new Set(patches)
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const here = patches.filter(({ file }) => file === relative(root, path))
      if (here.length === 0) return undefined
      for (const patch of here) left.delete(patch)
      return { contents: here.reduce(patched, readFileSync(path, "utf8")), loader: "ts" }
    })
    build.onEnd(() => {
      if (left.size > 0) throw new Error(`not planted: ${[...left].map(({ file }) => file).join(", ")}`)
    })
  }
})

/** The programs that a torture runs, each a file that Node starts in a fraction of the time. */
export interface Programs {
  readonly server: string
  readonly cli: string
  readonly receiver: string
}

/** Bundles the programs as the sources are now, with these patches in them. */
export const make = (folder: string, patches: ReadonlyArray<Patch> = []): Effect.Effect<Programs> =>
  Effect.promise(async () => {
    const outdir = join(folder, "programs")
    mkdirSync(outdir, { recursive: true })
    symlinkSync(join(root, "node_modules"), join(outdir, "node_modules"))
    await build({
      entryPoints: {
        server: join(root, "apps/server/main.ts"),
        cli: join(root, "apps/cli/main.ts"),
        receiver: join(root, "test/torture/receiver.ts")
      },
      outdir,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      splitting: true,
      platform: "node",
      target: "node20",
      format: "esm",
      external: ["better-sqlite3", "pg-native", "bun:sqlite", "cloudflare:sockets"],
      // What is bundled of older packages asks for modules in their way.
      banner: {
        js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);'
      },
      plugins: [planting(patches)],
      logLevel: "error"
    })
    const at = (name: string) => join(outdir, `${name}.mjs`)
    return { server: at("server"), cli: at("cli"), receiver: at("receiver") }
  })
