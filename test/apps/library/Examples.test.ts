import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { cpSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { bundled } from "../../programs/Bundled.ts"
import { folder } from "./Blocks.ts"
import { root, runtimes, serving } from "./Children.ts"

const examples = [
  ["hono", "node"],
  ["express", "node"],
  ["fastify", "node"],
  ["deno", "deno"],
  ["bun", "bun"]
] as const

/** The line that an example prints when it can be called. */
const invitation = /curl (http:\S+)\/v0\/calls -H "X-API-KEY: (\S+)" .* -d '(.*)'\n/

interface Call {
  readonly call_id: string
  readonly metadata: unknown
}

const scope = Effect.runSync(Scope.make())

/** The examples, and the bundles of those for Node. */
let cwd = ""

beforeAll(async () => {
  cwd = await Effect.runPromise(Scope.extend(folder, scope))
  cpSync(join(root, "apps/library/examples"), cwd, { recursive: true })
  const sources = examples.flatMap(([name, runtime]) =>
    runtime === "node" ? [[name, join(cwd, `${name}.ts`)] as const] : []
  )
  await Effect.runPromise(bundled(cwd, Object.fromEntries(sources)))
})

afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

describe("an application with the interface mounted in", () => {
  it.scopedLive.each(examples)(
    "%s places a call and reads it back",
    ([name, runtime]) =>
      Effect.gen(function* () {
        const command = [...runtimes[runtime], runtime === "node" ? `${name}.mjs` : `${name}.ts`]
        const [, origin, key, body] = yield* serving(command, invitation, { cwd, env: { PORT: "0" } })
        const headers = { "x-api-key": key!, "content-type": "application/json" }
        const answer = yield* Effect.promise(async () => {
          const placed = await fetch(`${origin}/v0/calls`, {
            method: "POST",
            headers,
            body: `${body!.slice(0, -1)},"metadata":{"n":1.0}}`
          })
          const text = await placed.text()
          const { call_id } = JSON.parse(text) as Call
          const read = await fetch(`${origin}/v0/calls/${call_id}`, { headers })
          const own = await fetch(`${origin}/`)
          const large = await fetch(`${origin}/v0/calls`, {
            method: "POST",
            headers,
            body: JSON.stringify({ callee_name: "x".repeat(300_000) })
          })
          return {
            call_id,
            text,
            statuses: [placed.status, read.status, own.status, large.status],
            read: (await read.json()) as Call,
            own: await own.text()
          }
        })
        assert.deepStrictEqual(answer.statuses, [200, 200, 200, 413])
        assert.include(answer.text, '"metadata":{"n":1.0}')
        assert.strictEqual(answer.read.call_id, answer.call_id)
        assert.strictEqual(answer.own, "an application of my own")
      }),
    { timeout: 60_000, concurrent: true }
  )
})
