import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Plugin } from "esbuild"

const { exports: modules } = createRequire(import.meta.url)("effect/package.json") as {
  readonly exports: Readonly<Record<string, unknown>>
}

/** `import { Effect, Option as Maybe, pipe, type Scope } from "effect"` */
const statement = /^import \{([^}]*)\} from "effect"$/gm

const direct = (specifier: string): string => {
  const [name = "", as = name] = specifier.split(/\s+as\s+/)
  return `./${name}` in modules
    ? `import * as ${as} from "effect/${name}"`
    : `import { ${name} as ${as} } from "effect/Function"`
}

/** The same text, which names the modules of effect in place of its index. */
export const withDirectImports = (source: string): string =>
  source.replace(statement, (_, specifiers: string) =>
    specifiers
      .split(",")
      .map((specifier) => specifier.trim())
      .filter((specifier) => specifier !== "" && !specifier.startsWith("type "))
      .map(direct)
      .join(";")
  )

/**
 * Bundles the functions of effect that are called. Of a module that is imported from the index the bundler keeps all,
 * and calls each through a getter: the server's script is a seventh larger then, and an idle server holds 6 MB more.
 */
export const directImports: Plugin = {
  name: "direct imports",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: withDirectImports(readFileSync(path, "utf8")),
      loader: "ts"
    }))
  }
}
