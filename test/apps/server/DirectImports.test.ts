import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { withDirectImports } from "../../../apps/server/build/DirectImports.ts"
import * as Programs from "../../programs/Programs.ts"

describe("the programs' imports of effect", () => {
  it("are of the modules that the index names, without types", () => {
    assert.strictEqual(
      withDirectImports('import { Effect, Option as Maybe, pipe, type Scope } from "effect"\nconst a = 1'),
      'import * as Effect from "effect/Effect";import * as Maybe from "effect/Option";' +
        'import { pipe as pipe } from "effect/Function"\nconst a = 1'
    )
  })

  it("may be written on several lines", () => {
    assert.strictEqual(
      withDirectImports('import {\n  Effect,\n  Layer\n} from "effect"'),
      'import * as Effect from "effect/Effect";import * as Layer from "effect/Layer"'
    )
  })

  it("are left alone where they are of types, or of another package", () => {
    const source = 'import type { Effect } from "effect"\nimport { parse } from "ipaddr.js"'
    assert.strictEqual(withDirectImports(source), source)
  })

  it.effect("leave its index out of the server", () =>
    Effect.gen(function* () {
      const { server } = yield* Programs.programs
      const script = readFileSync(join(dirname(server), "server.cjs"), "utf8")
      assert.include(script, "effect/dist/esm/Effect.js")
      assert.isFalse(script.includes("effect/dist/esm/index.js"))
    })
  )
})
