import { mkdir, rename, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type BuildOptions, type Plugin } from "esbuild"

export const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Where `npm start` has them; `npm ci` removes it. */
export const folder = join(root, "node_modules/.cache/outdial")

/** The command line, the server, and what the server starts: they look for each other beside themselves. */
const programs = {
  outdial: "apps/cli/outdial.ts",
  server: "apps/server/begin.ts",
  "reader/main": "adapters/tables/reader/main.ts",
  child: "apps/simulation/child.ts"
}

/** Packages of which modules are loaded from where they are installed: native ones, and what may be missing. */
const installed = [
  "better-sqlite3",
  "pg",
  "pg-native",
  "msgpackr-extract",
  "bun:sqlite",
  "cloudflare:sockets"
]

/** How programs are bundled for Node. */
export const forNode = {
  bundle: true,
  splitting: true,
  platform: "node",
  target: "node20",
  format: "esm",
  outExtension: { ".js": ".mjs" },
  external: installed,
  // What is bundled of older packages asks for modules in their way.
  banner: {
    js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);'
  },
  legalComments: "none",
  logLevel: "error"
} satisfies BuildOptions

/** Writes a file as a whole: a process that starts meanwhile reads the one before, or this one. */
const write = async (path: string, contents: Uint8Array) => {
  await mkdir(dirname(path), { recursive: true })
  const partly = `${path}.${process.pid}`
  await writeFile(partly, contents)
  await rename(partly, path)
}

export interface Bundled {
  /** Paths from the top of the checkout. */
  readonly inputs: ReadonlyArray<string>
  readonly outputs: ReadonlyArray<string>
}

/**
 * Bundles the programs and the packages that they use into a folder. What a program imports statically is loaded at its
 * start, without the functions that no module calls; what it imports dynamically is in files of its own.
 */
export const bundle = async (
  folder: string,
  more: { readonly programs?: Readonly<Record<string, string>>; readonly plugins?: Array<Plugin> } = {}
): Promise<Bundled> => {
  const { metafile, outputFiles } = await build({
    ...forNode,
    absWorkingDir: root,
    entryPoints: { ...programs, ...more.programs },
    outdir: folder,
    write: false,
    metafile: true,
    plugins: more.plugins ?? []
  })
  for (const { contents, path } of outputFiles) await write(path, contents)
  return { inputs: Object.keys(metafile.inputs), outputs: Object.keys(metafile.outputs) }
}
