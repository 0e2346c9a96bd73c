import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { version } from "../../../core/model/Version.ts"

const root = new URL("../../../", import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), "utf8")

describe("the version", () => {
  it("is that of package.json and of the lock file", () => {
    assert.strictEqual(JSON.parse(read("package.json")).version, version)
    assert.strictEqual(JSON.parse(read("package-lock.json")).version, version)
  })

  it("stands in no other module", () => {
    const copies = ["core", "adapters", "apps"].flatMap((folder) =>
      readdirSync(new URL(folder, root), { encoding: "utf8", recursive: true })
        .map((path) => `${folder}/${path}`)
        .filter((path) => path.endsWith(".ts") && read(path).includes(`"${version}"`))
    )
    assert.deepStrictEqual(copies, ["core/model/Version.ts"])
  })
})
