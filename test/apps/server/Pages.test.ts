import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseAllDocuments } from "yaml"
import * as Programs from "../../programs/Programs.ts"

const textOf = (path: string) => readFileSync(join(Programs.root, path), "utf8")

const pages = [
  "README.md",
  ...["core", "adapters", "apps", "test"].flatMap((folder) =>
    readdirSync(join(Programs.root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md"))
      .map((path) => join(folder, path))
  )
]

/** GitHub's address of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

const anchors = (path: string) =>
  new Set([...textOf(path).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => anchorOf(heading!)))

describe("the pages", () => {
  it("begin with one of at most 250 lines", () => {
    assert.isAtMost(textOf("README.md").split("\n").length, 250)
  })

  it.each(pages)("%s links to what is there", (page) => {
    for (const [, target] of textOf(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [path, anchor] = target!.split("#")
      const file = path === "" ? page : join(dirname(page), path!)
      assert.isTrue(existsSync(join(Programs.root, file)), `${page} links to ${target}`)
      if (anchor !== undefined) assert.include(anchors(file), anchor, `${page} links to ${target}`)
    }
  })

  it.each(["compose.yaml", "kubernetes.yaml"])("quote %s as it stands", (name) => {
    const file = textOf(`apps/server/${name}`)
    assert.include(textOf("apps/server/cluster.md"), `\`\`\`yaml\n${file}\`\`\``)
    for (const document of parseAllDocuments(file, { merge: true })) {
      assert.deepStrictEqual(document.errors, [])
      assert.isObject(document.toJS())
    }
  })

  it("build an image of what there is", () => {
    const sources = [...textOf("apps/server/Dockerfile").matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, names]) => names!.split(" ")
    )
    assert.include(sources, "package-lock.json")
    for (const source of sources) assert.isTrue(existsSync(join(Programs.root, source)), source)
  })
})
