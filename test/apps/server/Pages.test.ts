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

  it("describe each metric, and the dashboard and the alerts read no other", () => {
    const names = /\b(?:outdial|http)_[a-z_]+_(?:total|seconds|open)\b/g
    const described = new Set(textOf("apps/server/metrics.md").match(names))
    const sources = ["core", "adapters"].flatMap((folder) =>
      readdirSync(join(Programs.root, folder), { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts"))
        .map((path) => textOf(join(folder, path)))
    )
    const made = new Set(
      sources.flatMap((text) =>
        [...text.matchAll(/"((?:outdial|http)_[a-z_]+_(?:total|seconds|open))"/g)].map(([, name]) => name!)
      )
    )
    assert.sameMembers([...described], [...made])
    for (const file of ["grafana.json", "alerts.yaml"]) {
      const read = textOf(`apps/server/${file}`).replaceAll("_bucket[", "[").match(names) ?? []
      assert.includeMembers([...described], [...new Set(read)], file)
    }
    assert.isArray((JSON.parse(textOf("apps/server/grafana.json")) as { panels: unknown }).panels)
    const alerts = parseAllDocuments(textOf("apps/server/alerts.yaml"))
    assert.deepStrictEqual(alerts[0]!.errors, [])
  })

  it("build an image of what there is", () => {
    const sources = [...textOf("apps/server/Dockerfile").matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, names]) => names!.split(" ")
    )
    assert.include(sources, "package-lock.json")
    for (const source of sources) assert.isTrue(existsSync(join(Programs.root, source)), source)
  })
})
