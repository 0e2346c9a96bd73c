import { readFileSync } from "node:fs"
import { root } from "../library/Children.ts"

const readme = readFileSync(`${root}apps/testing/README.md`, "utf8")

/** The blocks of the README by the heading that each stands under. */
export const blocks = new Map(
  readme.split(/^## /m).flatMap((section) => {
    const heading = section.split("\n", 1)[0]!
    return [...section.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => [heading, code!] as const)
  })
)
