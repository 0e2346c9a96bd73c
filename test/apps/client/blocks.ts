import { readFileSync } from "node:fs"

export const readme = readFileSync(new URL("../../../apps/client/README.md", import.meta.url), "utf8")

/** The programs of the client's README, each under the heading that it has there. */
export const blocks = readme.split(/^## /m).flatMap((section) => {
  const heading = section.split("\n", 1)[0]!
  return [...section.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => ({ heading, code: code! }))
})
