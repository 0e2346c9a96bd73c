/** Comments, and the strings and templates that may hold what looks like one. */
const tokens = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/g

/** The source without comments, and without strings that read like a call. */
const codeOf = (source: string) =>
  source.replaceAll(tokens, (token) => {
    if (token.startsWith("/")) return " "
    return !token.startsWith("`") && token.includes("(") ? '""' : token
  })

/** `import … from "x"`, `import "x"`, `export … from "x"` */
const statement = /^[ \t]*(?:import|export)\b(?:[^"'`;=()]*?\bfrom\b)?\s*["']([^"'\n]+)["']/gm

/** `import("x")`, `import(x)`, `typeof import("x")`, `require("x")`, `import.meta.resolve("x")`; no method of such a name */
const call =
  /(?<!\.)\b(?:import|require|import\.meta\.resolve)\s*\(\s*(?:(["'`])([^"'`\n$]+)\1\s*[,)]|[^)\s])/g

/** Stands for a name that is computed. */
export const unknown = "(an expression)"

/** What a module names, in any way that loads it or its types; a name that is computed is an expression. */
export const importsOf = (source: string): ReadonlyArray<string> => {
  const code = codeOf(source)
  return [
    ...[...code.matchAll(statement)].map(([, name]) => name!),
    ...[...code.matchAll(call)].map(([, , name]) => name ?? unknown)
  ]
}

const ofTypes = /^[ \t]*(?:import|export)\s+type\b/

/** What loading a module loads before it: no types, and nothing that is imported when it is first needed. */
export const loadedBy = (source: string): ReadonlyArray<string> =>
  [...codeOf(source).matchAll(statement)].flatMap(([text, name]) => (ofTypes.test(text) ? [] : [name!]))

export const packageOf = (name: string) =>
  name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/")
