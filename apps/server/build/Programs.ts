import { mkdir, rename, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type BuildOptions, type BuildResult, type Plugin } from "esbuild"
import { directImports } from "./DirectImports.ts"
import { compressedReference } from "./Reference.ts"

export const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Where `npm start` has them; `npm ci` removes it. */
export const folder = join(root, "node_modules/.cache/outdial")

/** The command line, the server, and what the server starts: they look for each other beside themselves. */
const programs = {
  outdial: "apps/cli/outdial.ts",
  server: "apps/server/compiled.ts",
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
  // An error's trace shows the line that it is of.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 120,
  logLevel: "error"
} satisfies BuildOptions

/** Where a program imports the server's beginning it gets the loader of the script that this is bundled into. */
const compiled: Plugin = {
  name: "compiled",
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/begin\.ts$/ }, () => ({ path: join(root, "apps/server/compiled.ts") }))
  }
}

/** What only the server runs, which the other programs name in passing. */
const external = [...installed, "@effect/platform/HttpApiSwagger"]

/** The server as one file, a script: V8 takes no code that was compiled before for modules, on Node 20. */
const serverAsOne = {
  ...forNode,
  splitting: false,
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  entryPoints: { server: "apps/server/begin.ts" },
  // What its loader passes to it.
  banner: { js: "(function (require, module, importMetaUrl) {" },
  footer: { js: "})" },
  define: { "import.meta.url": "importMetaUrl" },
  supported: { "dynamic-import": false },
  charset: "ascii"
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

const always = [compressedReference, directImports]

const place = (folder: string) =>
  ({ absWorkingDir: root, outdir: folder, write: false, metafile: true }) as const

const writeAll = async (built: ReadonlyArray<BuildResult<{ write: false; metafile: true }>>) => {
  for (const { outputFiles } of built) {
    for (const { contents, path } of outputFiles) await write(path, contents)
  }
}

/** Bundles the server alone again, into a folder that has all programs. */
export const bundleServer = async (folder: string, plugins: Array<Plugin> = []): Promise<void> =>
  writeAll([await build({ ...serverAsOne, ...place(folder), plugins: [...plugins, ...always] })])

/**
 * Bundles the programs and the packages that they use into a folder. What a program imports statically is loaded at its
 * start, without the functions that no module calls; what it imports dynamically is in files of its own.
 */
export const bundle = async (
  folder: string,
  more: Readonly<Record<string, string>> = {}
): Promise<Bundled> => {
  const at = place(folder)
  const entryPoints = { ...programs, ...more }
  const built = await Promise.all([
    build({ ...forNode, ...at, external, plugins: [...always, compiled], entryPoints }),
    build({ ...serverAsOne, ...at, plugins: always })
  ])
  await writeAll(built)
  const names = (of: "inputs" | "outputs") => [
    ...new Set(built.flatMap(({ metafile }) => Object.keys(metafile[of])))
  ]
  return { inputs: names("inputs"), outputs: names("outputs") }
}
