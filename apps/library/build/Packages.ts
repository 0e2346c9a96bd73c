import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { posix } from "node:path"
import { build, type Plugin } from "esbuild"
import { compressedReference } from "../../server/build/Reference.ts"
import { dist, filesOf, root } from "./Files.ts"
import { licences } from "./Licences.ts"

/** Below dist. */
const folder = "packages"

/** `import … from "x"` and `export … from "x"` of a package, as the compiler writes them. */
const statement = /^(?:import|export)\s+([^"';]+?)\s+from\s+"([^".][^"]*)"/gm
const dynamic = /\bimport\("([^".][^"]*)"\)/g

const packageOf = (name: string) =>
  name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/")

/** What an import's clause takes: `*`, `default`, or exports by their own names. */
const namesOf = (clause: string): ReadonlyArray<string> => {
  const [, own, braced] = /^([^{]*)(?:\{([^}]*)\})?$/.exec(clause)!
  return [
    ...own!.split(",").map((name) => (name.trim().startsWith("*") ? "*" : name.trim() && "default")),
    ...(braced ?? "").split(",").map((name) => name.trim().split(/\s+as\s+/)[0]!)
  ].filter((name) => name !== "")
}

/** The modules of packages that are compiled in, each with the names that are imported from it. */
const modulesOf = (
  sources: Iterable<string>,
  isCompiledIn: (name: string) => boolean
): ReadonlyMap<string, ReadonlySet<string>> => {
  const modules = new Map<string, Set<string>>()
  const note = (name: string, imports: ReadonlyArray<string>) => {
    if (!isCompiledIn(name)) return
    const names = modules.get(name) ?? new Set()
    modules.set(name, names)
    for (const each of imports) names.add(each)
  }
  for (const source of sources) {
    for (const [, clause, name] of source.matchAll(statement)) note(name!, namesOf(clause!))
    for (const [, name] of source.matchAll(dynamic)) note(name!, ["*"])
  }
  return modules
}

const load = createRequire(import.meta.url)

/** The names that a package exports, for one written as CommonJS, whose names no compiler sees; otherwise null. */
const exportsOf = (name: string): ReadonlyArray<string> | null => {
  try {
    return Object.keys(load(name) as object).filter((each) => /^\w+$/.test(each))
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "ERR_REQUIRE_ESM") return null
    throw error
  }
}

/** The source of an entry that hands on what is imported from a package's module. */
const entryOf = (name: string, imports: ReadonlySet<string>): string => {
  const all = imports.has("*") ? exportsOf(name) : []
  const names = [...imports, ...(all ?? [])].filter((each) => each !== "*")
  const from = `from ${JSON.stringify(name)}\n`
  return (all === null ? `export * ${from}` : "") + `export { ${[...new Set(names)].join(", ")} } ${from}`
}

const entries = (modules: ReadonlyMap<string, ReadonlySet<string>>): Plugin => ({
  name: "entries",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^entry:/ }, ({ path }) => ({ path: path.slice(6), namespace: "entry" }))
    onLoad({ filter: /.*/, namespace: "entry" }, ({ path }) => ({
      contents: entryOf(path, modules.get(path)!),
      resolveDir: root
    }))
  }
})

/**
 * Compiles into the package what it uses of packages that are not installed with it: those that its manifest does not
 * name as dependencies. Each module of theirs is there once, in `dist/packages`, and is loaded when it is first imported.
 */
export const compileIn = async (installed: ReadonlySet<string>): Promise<void> => {
  const isCompiledIn = (name: string) => !/^(?:node|bun):/.test(name) && !installed.has(packageOf(name))
  const sources = new Map(
    filesOf(dist, ".js").map((path) => [path, readFileSync(posix.join(dist, path), "utf8")] as const)
  )
  const modules = modulesOf(sources.values(), isCompiledIn)
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...modules.keys()].map((name) => ({ in: `entry:${name}`, out: name })),
    outdir: posix.join(dist, folder),
    bundle: true,
    splitting: true,
    metafile: true,
    platform: "node",
    target: "node20",
    format: "esm",
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    chunkNames: "shared/[hash]",
    // What is not installed is asked for only where it can be done without.
    external: [
      ...[...installed].flatMap((name) => [name, `${name}/*`]),
      "msgpackr-extract",
      "cloudflare:sockets"
    ],
    // Older packages ask for modules in their own way.
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);'
    },
    plugins: [entries(modules), compressedReference],
    logLevel: "error"
  })
  writeFileSync(posix.join(dist, folder, "LICENCES.md"), licences(Object.keys(metafile.inputs)))
  for (const [path, source] of sources) {
    const within = (name: string) => {
      const target = posix.relative(posix.dirname(path), `${folder}/${name}.js`)
      return target.startsWith(".") ? target : `./${target}`
    }
    const put = (all: string) =>
      all.replace(/"([^"]+)"/, (quoted, name: string) =>
        isCompiledIn(name) ? JSON.stringify(within(name)) : quoted
      )
    const text = source.replaceAll(statement, put).replaceAll(dynamic, put)
    if (text !== source) writeFileSync(posix.join(dist, path), text)
  }
}
