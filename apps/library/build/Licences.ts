import { readdirSync, readFileSync } from "node:fs"
import { posix } from "node:path"
import { root } from "./Files.ts"

/** A page of the name, version and licence of each package of which a part was compiled in, by the paths of its files. */
export const licences = (inputs: ReadonlyArray<string>): string => {
  const folders = new Set(
    inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])
  )
  const texts = [...folders]
    .toSorted()
    .map((path) => {
      const at = posix.join(root, path)
      const { license, name, version } = JSON.parse(
        readFileSync(posix.join(at, "package.json"), "utf8")
      ) as Readonly<Record<string, string>>
      const files = readdirSync(at).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
      return [
        `## ${name} ${version} (${license})\n`,
        ...files.map((file) => readFileSync(posix.join(at, file), "utf8").trim())
      ].join("\n")
    })
    .join("\n\n")
  return `# What is compiled in\n\n${texts}\n`
}
