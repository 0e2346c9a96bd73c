import { ConfigProvider, Context, Effect, Exit, Layer } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as HttpServer from "@effect/platform/HttpServer"
import * as NodeServer from "../../../adapters/http/server/NodeServer.ts"

const build = (settings: Record<string, string>) =>
  Layer.build(NodeServer.layerConfig).pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))
  )

describe("settings", () => {
  it.scopedLive("the listener stands where HOST and PORT say", () =>
    Effect.gen(function* () {
      const context = yield* build({ PORT: "0", OUTDIAL_REQUEST_TIMEOUT: "5 seconds" })
      const { address } = Context.get(context, HttpServer.HttpServer)
      assert.strictEqual(address._tag, "TcpAddress")
      assert.strictEqual(address._tag === "TcpAddress" && address.hostname, "127.0.0.1")
    })
  )

  it.scopedLive("what makes no sense is refused at the start", () =>
    Effect.gen(function* () {
      for (const settings of [
        { PORT: "70000" },
        { PORT: "0", OUTDIAL_MAX_BODY_BYTES: "12" },
        { PORT: "0", OUTDIAL_REQUEST_TIMEOUT: "soon" }
      ]) {
        assert.isTrue(Exit.isFailure(yield* Effect.exit(build(settings))), JSON.stringify(settings))
      }
    })
  )
})
