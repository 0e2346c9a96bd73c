import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build as bundle, type BuildOptions, context, type Metafile, type Plugin } from "esbuild"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const entry = "apps/console/page/main.tsx"

const shell = (script: string, styles: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="outdial-base-path" content="%BASE_PATH%">
    <meta name="outdial-style-nonce" content="%STYLE_NONCE%">
    <title>Outdial</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/console/assets/${styles}">
    <script type="module" src="/console/assets/${script}"></script>
  </head>
  <body>
    <div id="app"></div>
    <noscript>The console needs JavaScript.</noscript>
  </body>
</html>
`

/** Writes the page that loads what was built, and removes the files of earlier builds. */
const finish = async (folder: string, { outputs }: Metafile) => {
  const built = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(entry))
  if (built?.[1].cssBundle === undefined) throw new Error("the console's build has no page")
  const [script, { cssBundle }] = built
  await writeFile(join(folder, "index.html"), shell(basename(script), basename(cssBundle)))
  const kept = new Set(Object.keys(outputs).map((path) => basename(path)))
  for (const name of await readdir(join(folder, "assets"))) {
    if (!kept.has(name)) await rm(join(folder, "assets", name))
  }
}

const finishing = (folder: string): Plugin => ({
  name: "finishing",
  setup: ({ onEnd }) => {
    onEnd(async ({ metafile }) => {
      if (metafile !== undefined) await finish(folder, metafile)
    })
  }
})

const optionsOf = (folder: string): BuildOptions => ({
  absWorkingDir: root,
  entryPoints: [{ in: entry, out: "main" }],
  outdir: join(folder, "assets"),
  tsconfig: join(root, "apps/console/tsconfig.json"),
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  minify: true,
  metafile: true,
  platform: "browser",
  target: ["es2022", "chrome123", "firefox128", "safari17.5"],
  format: "esm",
  legalComments: "none",
  logLevel: "warning",
  plugins: [finishing(folder)]
})

/**
 * Bundles the console into a folder: `index.html`, and in `assets` the files that it loads, named by their hashes.
 * Returns the paths of what was bundled, from the top of the checkout.
 */
export const build = async (folder: string): Promise<ReadonlyArray<string>> => {
  await mkdir(join(folder, "assets"), { recursive: true })
  const { metafile } = await bundle(optionsOf(folder))
  return Object.keys(metafile!.inputs)
}

/** The same, and again after each change of a source, until the process ends. */
export const watch = async (folder: string): Promise<void> => {
  await build(folder)
  const bundling = await context(optionsOf(folder))
  await bundling.watch()
}
