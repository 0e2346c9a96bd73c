import { join } from "node:path"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { parse } from "csv-parse/sync"
import { assert, describe, it } from "@effect/vitest"
import * as HttpServer from "@effect/platform/HttpServer"
import { readFile, writeFile } from "node:fs/promises"
import * as Http from "../../../../adapters/http/server/Http.ts"
import * as NodeServer from "../../../../adapters/http/server/NodeServer.ts"
import * as TokenVerifier from "../../../../adapters/jwt/TokenVerifier.ts"
import { CarrierCallbacks } from "../../../../adapters/shared/CarrierCallbacks.ts"
import type { CampaignRecord } from "../../../../core/model/campaigns/Campaign.ts"
import type { ImportRecord } from "../../../../core/model/campaigns/CampaignImport.ts"
import { allScopes } from "../../../../core/model/workspaces/Principal.ts"
import { Workspaces } from "../../../../core/usecases/Workspaces.ts"
import * as Messaging from "../../../core/engine/MessageTenant.ts"
import * as Platform from "../../../Platform.ts"
import { commandLine, documentOf, folder } from "../commandLine.ts"

/** A server of this repository on a port of its own, over a store in memory and a carrier that is in a hurry. */
const running = Effect.gen(function* () {
  const layer = Http.layer({ basePath: "/v0", logRequests: false }).pipe(
    Layer.provideMerge(NodeServer.layer({ host: "127.0.0.1", port: 0 })),
    Layer.provide(CarrierCallbacks.none),
    Layer.provide(TokenVerifier.layer({ secret: Redacted.make("a secret for tests, of at least 32 bytes") })),
    Layer.provideMerge(Platform.layer({ speed: 100 }))
  )
  const context = yield* Layer.build(layer)
  const { agent, template, workspace, writer } = yield* Effect.provide(Messaging.tenant(), context)
  const { key } = yield* Context.get(context, Workspaces).createKey(workspace.id, {
    name: "cli",
    scopes: allScopes
  })
  const { address } = Context.get(context, HttpServer.HttpServer)
  const port = address._tag === "TcpAddress" ? address.port : 0
  const run = commandLine({ OUTDIAL_URL: `http://127.0.0.1:${port}/v0`, OUTDIAL_API_KEY: key })
  const messages = Effect.provide(Messaging.messages, context)
  return {
    agent,
    writer,
    template,
    messages,
    run: (...args: ReadonlyArray<string>) => run("campaign", ...args)
  }
})

/** The last four digits choose what happens: 0001 is busy, 0005 rejects, all else answers. */
const file = [
  "phone_number,name",
  ...Array.from({ length: 60 }, (_, i) => `+1415555${1000 + i},"Ada, ${i}"`),
  "+14155550001,Busy",
  "+14155550005,Reject",
  "+14155551000,Again",
  "1.4E10,Excel"
].join("\r\n")

describe("a campaign from the command line, on a real server", () => {
  it.scopedLive("is made, filled, started, watched to its end and exported", () =>
    Effect.gen(function* () {
      const { agent, run } = yield* running
      const path = yield* folder
      yield* Effect.promise(() => writeFile(join(path, "customers.csv"), file))

      const created = yield* run("create", "--name", "Spring", "--agent", agent.id, "--json")
      const { id } = documentOf<CampaignRecord>(created)
      assert.strictEqual(
        (yield* run("start", id)).err,
        "outdial: the campaign has no recipient (invalid_request)\n"
      )

      const rejected = join(path, "rejected.csv")
      const imported = yield* run("import", id, join(path, "customers.csv"), "--errors", rejected, "--json")
      assert.strictEqual(imported.code, 0, imported.err)
      const record = documentOf<typeof ImportRecord.Encoded>(imported)
      assert.include(record, {
        filename: "customers.csv",
        total_rows: 64,
        accepted_rows: 62,
        rejected_rows: 2
      })
      const rows = parse(yield* Effect.promise(() => readFile(rejected))) as Array<Array<string>>
      assert.deepStrictEqual(
        rows.map(([row, , value]) => [row, value]),
        [
          ["row", "value"],
          ["64", "'+14155551000"],
          ["65", "1.4E10"]
        ]
      )

      const watched = yield* Effect.fork(run("watch", id, "--interval", "0.1"))
      assert.strictEqual((yield* run("start", id)).out, `Campaign ${id} is running.\n`)
      const { code, out } = yield* Fiber.join(watched)
      assert.strictEqual(code, 0)
      assert.match(
        out,
        /\ncompleted\. 62 recipients: 60 completed, 2 failed, 0 skipped; 62 attempts, 60 answered\.\n$/
      )
      assert.match(
        (yield* run("list", "--status", "completed")).out,
        new RegExp(`^${id} .* 62 +62 +60$`, "m")
      )
      assert.strictEqual((yield* run("watch", id)).code, 0)

      const results = parse((yield* run("export", id)).out, { columns: true }) as Array<
        Record<string, string>
      >
      assert.strictEqual(results.length, 62)
      assert.deepStrictEqual(
        results.filter(({ status }) => status === "failed").map(({ name, outcome }) => [name, outcome]),
        [
          ["Busy", "busy"],
          ["Reject", "rejected"]
        ]
      )
      assert.strictEqual(results.filter(({ name }) => name!.startsWith("Ada, ")).length, 60)
    })
  )

  it.scopedLive("of messages is made, filled, started and watched to its end", () =>
    Effect.gen(function* () {
      const { messages, run, template, writer } = yield* running
      const path = join(yield* folder, "people.csv")
      const rows = ["+14155551234,Ada", "+14155550003,Fail", "+14155551235,"]
      yield* Effect.promise(() => writeFile(path, ["phone,First name", ...rows].join("\n")))
      const message = ["--channel", "msg", "--template", template.id, "--map", "body.1=First name"]
      const created = yield* run("create", "--name", "May", "--agent", writer.id, "--json", ...message)
      assert.strictEqual(created.code, 0, created.err)
      const { channel, id } = documentOf<CampaignRecord>(created)
      assert.strictEqual(channel, "msg")
      yield* run("import", id, path)
      const watched = yield* Effect.fork(run("watch", id, "--interval", "0.1"))
      assert.strictEqual((yield* run("start", id)).code, 0)
      assert.match(
        (yield* Fiber.join(watched)).out,
        /3 recipients: 1 completed, 2 failed, 0 skipped; 2 attempts/
      )
      const sent = (yield* messages).map(({ parameters }) => parameters.body.get("1"))
      assert.deepStrictEqual(sent.sort(), ["Ada", "Fail"])
      const results = parse((yield* run("export", id)).out, { columns: true }) as Array<
        Record<string, string>
      >
      assert.deepStrictEqual(Object.fromEntries(results.map((row) => [row["First name"], row["outcome"]])), {
        Ada: "delivered",
        Fail: "failed",
        "": "failed"
      })
    })
  )

  it.scopedLive("is paused, gone on with and cancelled", () =>
    Effect.gen(function* () {
      const { agent, run } = yield* running
      const path = join(yield* folder, "one.csv")
      yield* Effect.promise(() => writeFile(path, "phone\n+14155551234\n"))
      const shut = ["--window", "00:00-00:01", "--timezone", "UTC", "--scheduled-for", "2096-01-01T00:00:00Z"]
      const created = yield* run("create", "--name", "Later", "--agent", agent.id, "--json", ...shut)
      const { id, status } = documentOf<CampaignRecord>(created)
      assert.strictEqual(status, "scheduled")
      yield* run("import", id, path)
      assert.strictEqual((yield* run("start", id)).code, 0)
      assert.strictEqual((yield* run("pause", id)).out, `Campaign ${id} is paused: by its owner (user).\n`)
      assert.strictEqual((yield* run("start", id)).code, 0)
      assert.strictEqual(
        (yield* run("cancel", id)).out,
        `Campaign ${id} is cancelled: by its owner (user).\n`
      )
      assert.strictEqual((yield* run("watch", id)).code, 1)
      assert.match((yield* run("pause", id)).err, /^outdial: status cannot .+\n$/)
      assert.match((yield* run("show", id)).out, /^STATUS +cancelled: by its owner \(user\)$/m)
    })
  )
})
