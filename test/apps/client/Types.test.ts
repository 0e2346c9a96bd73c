import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { blocks } from "./blocks.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc")

const strict = {
  target: "ES2022",
  noEmit: true,
  allowImportingTsExtensions: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  erasableSyntaxOnly: true
}

const settings = {
  "a browser's types and no others": {
    lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    types: [],
    module: "ESNext",
    moduleResolution: "bundler"
  },
  "Node's types and no others": {
    lib: ["ES2023"],
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
    module: "NodeNext",
    skipLibCheck: true
  }
}

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outdial-types-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const compile = (project: string) =>
  Effect.async<string>((resume) => {
    execFile(process.execPath, [tsc, "-p", project], { cwd: root }, (_, stdout) =>
      resume(Effect.succeed(stdout))
    )
  })

/** What the compiler says to files. */
const saidTo = Effect.fnUntraced(function* (path: string, own: object, files: ReadonlyArray<string>) {
  const project = join(path, "tsconfig.json")
  writeFileSync(project, JSON.stringify({ compilerOptions: { ...strict, ...own }, files }))
  return yield* compile(project)
})

describe("the client's types", () => {
  for (const [kind, own] of Object.entries(settings)) {
    it.scopedLive(`let pass what is right and nothing that is wrong, with ${kind}`, () =>
      Effect.gen(function* () {
        const files = [join(root, "test/apps/client/Types.ts")]
        assert.strictEqual(yield* saidTo(yield* folder, own, files), "")
      })
    )
  }

  it.scopedLive("let pass the programs of the README", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const client = JSON.stringify(join(root, "apps/client/main.ts"))
      const files = blocks.map(({ code }, at) => {
        const file = join(path, `${at}.mts`)
        writeFileSync(file, code.replaceAll('"outdial/client"', client))
        return file
      })
      assert.isAbove(files.length, 4)
      assert.strictEqual(yield* saidTo(path, settings["Node's types and no others"], files), "")
    })
  )
})
