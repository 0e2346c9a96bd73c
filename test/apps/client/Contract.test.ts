import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, SchemaAST as AST } from "effect"
import { Api } from "../../../adapters/http/contract/Api.ts"
import { createClient } from "../../../apps/client/main.ts"
import { allName } from "../../../apps/client/Operation.ts"
import { ask, collect } from "./Rig.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const contract = join(root, "apps/client/contract")

const contentsOf = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]))

const written = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "outdial-client-"))
    const generator = join(root, "apps/client/generator/main.ts")
    execFileSync(process.execPath, ["--import", "tsx", generator, folder], { cwd: root, stdio: "pipe" })
    return folder
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

const camelCase = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())

const endpoints = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints).map((endpoint) => ({ group: camelCase(group.identifier), endpoint }))
)

type Method = (...args: ReadonlyArray<unknown>) => Promise<unknown>

/** A client whose requests go nowhere, and what they were. */
const recording = () => {
  const sent: Array<readonly [method: string, path: string]> = []
  const client = createClient({
    baseUrl: "http://127.0.0.1:1/v0",
    apiKey: "od_live_key",
    fetch: async (input, init) => {
      sent.push([init!.method!, String(input)])
      return new Response('{"data":[],"pagination":{"limit":100,"offset":0,"total":0}}')
    }
  })
  const groups = client as unknown as Record<string, Record<string, Method>>
  return { sent, groups }
}

describe("the client's contract", () => {
  it.scoped("is what the contract gives, to the letter", () =>
    Effect.map(written, (folder) => {
      const known = contentsOf(contract)
      const given = contentsOf(folder)
      const differing = [...new Set([...Object.keys(known), ...Object.keys(given)])].filter(
        (name) => known[name] !== given[name]
      )
      assert.deepStrictEqual(differing, [], "write it anew: npm run client")
    })
  )

  it("gives each type a name of its own", () => {
    const names = Object.values(contentsOf(contract)).flatMap((text) =>
      Array.from(text.matchAll(/^export (?:interface|type) (\w+)/gm), ([, name]) => name!)
    )
    assert.lengthOf(new Set(names), names.length)
  })

  it("has every operation of the contract and no other", () => {
    const names = Object.entries(recording().groups).flatMap(([group, methods]) =>
      Object.keys(methods)
        .filter((name) => !/^all|Stream$/.test(name))
        .map((name) => `${group}.${name}`)
    )
    assert.sameMembers(
      names,
      endpoints.map(({ endpoint, group }) => `${group}.${endpoint.name}`)
    )
  })

  for (const { endpoint, group } of endpoints) {
    it.effect(`sends ${group}.${endpoint.name} as ${endpoint.method} ${endpoint.path}`, () =>
      Effect.gen(function* () {
        const { groups, sent } = recording()
        const count = endpoint.path.split(":").length - 1
        const ids = Array.from({ length: count }, (_, at) => `id ${at}/`)
        const payload = endpoint.path.endsWith("/import") ? new Blob(["phone\n"]) : {}
        yield* ask(() => groups[group]![endpoint.name]!(...ids, payload))
        let at = 0
        const path = endpoint.path.replaceAll(/:\w+/g, () => `id%20${at++}%2F`)
        assert.deepStrictEqual(sent, [[endpoint.method, `http://127.0.0.1:1/v0${path}`]])
      })
    )
  }

  it.effect("has an iterator for every list, which asks for the longest pages", () =>
    Effect.gen(function* () {
      const { groups, sent } = recording()
      const lists = endpoints.filter(({ endpoint }) => {
        const { ast } = endpoint.successSchema
        return AST.isTypeLiteral(ast) && ast.propertySignatures.some(({ name }) => name === "pagination")
      })
      assert.isAbove(lists.length, 10)
      for (const { endpoint, group } of lists) {
        const all = groups[group]![allName(endpoint.name)]!
        const ids = Array.from({ length: endpoint.path.split(":").length - 1 }, () => "one")
        yield* ask(() => collect(all(...ids) as unknown as AsyncIterable<unknown>))
      }
      assert.lengthOf(sent, lists.length)
      for (const [, url] of sent) assert.match(url, /\?limit=100$/)
    })
  )
})
