import { join } from "node:path"
import process from "node:process"
import { build } from "esbuild"
import { Effect } from "effect"
import { forNode } from "../../apps/server/build/Programs.ts"

/**
 * Writes modules in TypeScript, with all that they import, as files of a folder that Node loads in a fraction of the time.
 * Their paths, in the same order.
 */
export const bundled = (
  folder: string,
  modules: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const { metafile } = await build({
      ...forNode,
      entryPoints: [...modules],
      outdir: folder,
      absWorkingDir: folder,
      metafile: true
    })
    const entries = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint !== undefined)
    return modules.map((module) => {
      const [path] = entries.find(([, { entryPoint }]) => join(folder, entryPoint!) === module)!
      return join(folder, path)
    })
  })

/** The command that runs a module bundled. */
export const bundledProgram = (folder: string, module: string) =>
  Effect.map(bundled(folder, [join(folder, module)]), ([path]) => [process.execPath, path!])
