import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as HttpTools from "../../../adapters/tools/HttpTools.ts"
import { AgentTool } from "../../../core/model/agents/Talk.ts"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import * as Processes from "../../programs/Processes.ts"
import { run, secret } from "./Rig.ts"

const page = readFileSync(new URL("../../../adapters/tools/README.md", import.meta.url), "utf8")
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, code]) => code!)

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outdial-tool-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

describe("the page on tools", () => {
  it("shows a tool that an agent may have", () => {
    assert.isTrue(Schema.is(AgentTool)(JSON.parse(blocks("json")[0]!)))
  })

  it.scopedLive("has a server that answers what is signed, and nothing else", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "tool.mjs")
      writeFileSync(file, blocks("js")[0]!)
      const port = yield* Processes.freePort
      const env = { PORT: String(port), TOOL_SECRET: secret }
      yield* Processes.scoped(file, [], env, /The tool listens/)
      const url = `http://127.0.0.1:${port}/`
      assert.strictEqual(yield* run(url), `{"status":"shipped"}`)
      const other = RawJson(`{"order_number":"XY-1"}`)
      assert.strictEqual(yield* run(url, { arguments: other }), `{"status":"unknown"}`)
      for (const wrong of [[], ["whsec_Kl9MmYBSTKiKL1yBKJfO5xxlCHkXqYWh"]]) {
        const { message } = yield* Effect.flip(run(url, { secrets: wrong }))
        assert.strictEqual(message, "the tool answered http 401")
      }
    }).pipe(Effect.provide(HttpTools.layer({ allowPrivate: true })))
  )
})
