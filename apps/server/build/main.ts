import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join, relative } from "node:path"
import { build as buildConsole } from "../../console/build/Build.ts"
import { bundle, folder, root } from "./Programs.ts"

// What `npm start` runs, where a source is newer than it: the programs and the console.

const manifest = join(folder, "manifest.json")

interface Manifest {
  readonly inputs: ReadonlyArray<readonly [path: string, size: number, modified: number]>
  readonly outputs: ReadonlyArray<string>
}

const before: ReadonlyArray<string> = await readFile(manifest, "utf8").then(
  (text) => (JSON.parse(text) as Manifest).outputs,
  () => []
)
const began = Date.now()
const pages = await buildConsole(join(folder, "public"))
const { inputs, outputs } = await bundle(folder)
/** A file that was changed meanwhile gets no time: it is bundled again. */
const stamped = async (path: string) => {
  const { mtimeMs, size } = await stat(join(root, path))
  return [path, size, mtimeMs < began ? mtimeMs : 0] as const
}
const files = [...inputs, ...pages, "package-lock.json"].filter((path) => !path.startsWith("("))
const now: Manifest = { inputs: await Promise.all(files.map(stamped)), outputs }

// A server that still runs loads files of the build before when it first needs them: those of older ones are removed.
const kept = new Set([...before, ...outputs].map((path) => relative(folder, join(root, path))))
for (const name of await readdir(folder)) {
  if (name.endsWith(".mjs") && !kept.has(name)) await rm(join(folder, name))
}
await writeFile(manifest, JSON.stringify(now))
