import { ConfigProvider, Context, Effect, Layer, Redacted } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as MetaConfig from "../../../adapters/meta/Config.ts"
import { CarrierCallbacks } from "../../../adapters/shared/CarrierCallbacks.ts"
import { callbacks, registry, sender } from "../../../apps/platform/Providers.ts"
import { CarrierReports } from "../../../core/engine/CarrierReports.ts"
import { MessageSender } from "../../../core/ports/MessageSender.ts"
import { TemplateRegistry } from "../../../core/ports/TemplateRegistry.ts"
import { messageRequest } from "../../contracts/MessageSender.ts"
import { makeTemplate } from "../../contracts/repository/Fixtures.ts"
import * as Platform from "../../Platform.ts"
import * as MetaServer from "./MetaServer.ts"

const settings: Readonly<Record<string, string>> = {
  OUTDIAL_MESSAGES: "meta",
  OUTDIAL_META_TOKEN: MetaServer.token,
  OUTDIAL_META_BUSINESS_ACCOUNT_ID: MetaServer.businessAccountId,
  OUTDIAL_META_APP_SECRET: MetaServer.appSecret,
  OUTDIAL_META_VERIFY_TOKEN: MetaServer.verifyToken
}

const providerOf = (more: Readonly<Record<string, string>>) =>
  ConfigProvider.fromMap(new Map(Object.entries({ ...settings, ...more })))
const set = (more: Readonly<Record<string, string>>) => Effect.withConfigProvider(providerOf(more))

/** The platform brings settings of its own along. */
const onPlatform = <A, E, R>(layer: Layer.Layer<A, E, R>, more: Readonly<Record<string, string>>) =>
  Layer.build(
    layer.pipe(Layer.provide(Layer.setConfigProvider(providerOf(more))), Layer.provide(Platform.layer()))
  )

const all = Layer.mergeAll(sender, registry, callbacks)
const failureOf = (more: Readonly<Record<string, string>>) =>
  Effect.flip(Effect.scoped(onPlatform(all, more))).pipe(Effect.map(String))

describe("the settings of Meta", () => {
  it.effect("are Meta's own address and a version unless others are set", () =>
    Effect.gen(function* () {
      const account = yield* MetaConfig.account.pipe(set({}))
      assert.deepInclude(account, {
        businessAccountId: MetaServer.businessAccountId,
        url: "https://graph.facebook.com",
        version: "v23.0"
      })
      assert.strictEqual(Redacted.value(account.token), MetaServer.token)
      assert.notInclude(JSON.stringify(account), MetaServer.token)
    })
  )

  it.scoped("are refused when they cannot be right, without a secret in the refusal", () =>
    Effect.gen(function* () {
      for (const [name, value] of [
        ["OUTDIAL_MESSAGES", "pigeon"],
        ["OUTDIAL_META_URL", "ftp://graph.facebook.com"],
        ["OUTDIAL_META_URL", "https://user:password@graph.facebook.com"],
        ["OUTDIAL_META_VERSION", "v20.0"],
        ["OUTDIAL_META_VERSION", "latest"],
        ["OUTDIAL_META_TIMEOUT", "16 seconds"],
        ["OUTDIAL_META_TIMEOUT", "0 seconds"],
        ["OUTDIAL_META_BUSINESS_ACCOUNT_ID", "my account"],
        ["OUTDIAL_META_TOKEN", ""],
        ["OUTDIAL_META_APP_SECRET", ""],
        ["OUTDIAL_META_VERIFY_TOKEN", ""]
      ] as const) {
        const refusal = yield* failureOf({ [name]: value })
        assert.include(refusal, name)
        for (const secret of [MetaServer.token, MetaServer.appSecret, MetaServer.verifyToken]) {
          assert.notInclude(refusal, secret)
        }
      }
    })
  )

  it.scopedLive("make a sender and a registry", () =>
    Effect.gen(function* () {
      const meta = yield* MetaServer.serve()
      yield* Effect.gen(function* () {
        yield* (yield* MessageSender).send(messageRequest("att_1", "+15550001234"))
        assert.strictEqual(meta.messages.size, 1)
        yield* (yield* TemplateRegistry).submit(makeTemplate(1))
        assert.strictEqual(meta.templates.size, 1)
        assert.isTrue(meta.asked.every(({ path }) => path.startsWith("/v23.0/")))
      }).pipe(
        Effect.provide(Layer.provide(Layer.merge(sender, registry), CarrierReports.layer)),
        set({ OUTDIAL_META_URL: meta.url })
      )
    })
  )

  it.scopedLive("choose who receives callbacks, each below its own path", () =>
    Effect.gen(function* () {
      const twilio = {
        OUTDIAL_CARRIER: "twilio",
        OUTDIAL_TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
        OUTDIAL_TWILIO_AUTH_TOKEN: "token",
        OUTDIAL_PUBLIC_URL: "https://voice.example"
      }
      const statusOf = (more: Readonly<Record<string, string>>, url: string) =>
        onPlatform(callbacks, more).pipe(
          Effect.flatMap((context) =>
            Context.get(context, CarrierCallbacks).handle({ method: "POST", url, headers: {}, body: "" })
          ),
          Effect.map(({ status }) => status)
        )
      const ofTwilio = "/callbacks/twilio/status?workspace_id=ws_1&attempt_id=att_1"
      const neither = { OUTDIAL_MESSAGES: "simulated", OUTDIAL_CARRIER: "simulated" }
      assert.deepStrictEqual(
        yield* Effect.all([
          statusOf(twilio, ofTwilio),
          statusOf(twilio, "/callbacks/meta"),
          statusOf({}, "/callbacks/meta"),
          statusOf({}, ofTwilio),
          statusOf(neither, "/callbacks/meta"),
          statusOf(neither, ofTwilio)
        ]),
        [403, 403, 403, 404, 404, 404]
      )
    })
  )
})
