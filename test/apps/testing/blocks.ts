import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { root } from "../library/Children.ts"

const urlOf = (name: string) => JSON.stringify(pathToFileURL(`${root}apps/${name}/main.ts`).href)

const readme = readFileSync(`${root}apps/testing/README.md`, "utf8")

/** The blocks of the README by the heading that each stands under, with the sources in the place of the package. */
export const blocks = new Map(
  readme.split(/^## /m).flatMap((section) => {
    const heading = section.split("\n", 1)[0]!
    return [...section.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
      ([, code]) =>
        [heading, code!.replaceAll(/"outdial\/(client|testing)"/g, (_, name: string) => urlOf(name))] as const
    )
  })
)
