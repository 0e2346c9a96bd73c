import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { createClient as Create } from "../../../apps/client/main.ts"
import { ask } from "./Rig.ts"

interface Bundle {
  readonly outputFiles: ReadonlyArray<{ readonly text: string; readonly contents: Uint8Array }>
  readonly metafile: {
    readonly inputs: Readonly<Record<string, { readonly imports: ReadonlyArray<{ readonly path: string }> }>>
  }
}

/** Comes with tsx. */
const { build } = createRequire(import.meta.url)("esbuild") as {
  readonly build: (options: Readonly<Record<string, unknown>>) => Promise<Bundle>
}

const bundled = ask(() =>
  build({
    entryPoints: [fileURLToPath(new URL("../../../apps/client/main.ts", import.meta.url))],
    bundle: true,
    platform: "browser",
    target: "es2022",
    format: "esm",
    minify: true,
    write: false,
    metafile: true
  })
)

describe("the client in a browser", () => {
  it.effect("is of its own modules alone, and below 14 kB", () =>
    Effect.gen(function* () {
      const { metafile, outputFiles } = yield* bundled
      for (const path of Object.keys(metafile.inputs)) assert.match(path, /apps\/client\/(?!generator)/)
      const [output] = outputFiles
      assert.notMatch(output!.text, /(?<!["'/])\bimport\s*[({"'*]|\brequire\(|node:|process\.|Buffer/)
      assert.isBelow(output!.contents.length, 14_000)
    })
  )

  it.effect("works from its bundle", () =>
    Effect.gen(function* () {
      const { outputFiles } = yield* bundled
      const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString("base64")}`
      const { createClient } = (yield* ask(() => import(url))) as { readonly createClient: typeof Create }
      const outdial = createClient({
        baseUrl: "https://voice.example.com/v0",
        token: "token",
        fetch: async (url, init) => Response.json({ url, headers: init!.headers })
      })
      assert.deepStrictEqual((yield* ask(() => outdial.credits.balance())) as unknown, {
        url: "https://voice.example.com/v0/credits",
        headers: { accept: "application/json", authorization: "Bearer token" }
      })
    })
  )
})
