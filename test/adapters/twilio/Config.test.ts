import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { OpenSockets } from "../../../adapters/shared/OpenSockets.ts"
import * as TwilioConfig from "../../../adapters/twilio/Config.ts"
import { CallDialer } from "../../../core/ports/CallDialer.ts"
import { NumberInventory } from "../../../core/ports/NumberInventory.ts"
import { dialRequest } from "../../contracts/CallDialer.ts"
import { serveNumbers } from "./NumberServer.ts"
import { accountSid, authToken } from "./TwilioServer.ts"

const settings: Readonly<Record<string, string>> = {
  OUTDIAL_TWILIO_ACCOUNT_SID: accountSid,
  OUTDIAL_TWILIO_AUTH_TOKEN: authToken,
  OUTDIAL_TWILIO_CONVERSATION_URL: "wss://conversation.example/relay",
  OUTDIAL_PUBLIC_URL: "https://voice.example"
}

const callDialer = Layer.provide(TwilioConfig.callDialer, OpenSockets.layer(1))

const set = (more: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries({ ...settings, ...more }))))

const failureOf = (more: Readonly<Record<string, string>>) =>
  Effect.flip(Effect.scoped(Layer.build(callDialer))).pipe(set(more), Effect.map(String))

describe("the settings of Twilio", () => {
  it.effect("are Twilio's own addresses and the account's token unless others are set", () =>
    Effect.gen(function* () {
      const account = yield* TwilioConfig.account.pipe(set({}))
      assert.deepInclude(account, { accountSid, username: accountSid, url: "https://api.twilio.com" })
      assert.strictEqual(Redacted.value(account.password), authToken)
      assert.notInclude(JSON.stringify(account), authToken)
      const sid = `SK${"0123456789abcdef".repeat(2)}`
      const byKey = yield* TwilioConfig.account.pipe(
        set({ OUTDIAL_TWILIO_API_KEY: sid, OUTDIAL_TWILIO_API_KEY_SECRET: "secret" })
      )
      assert.deepInclude(byKey, { accountSid, username: sid })
      assert.strictEqual(Redacted.value(byKey.password), "secret")
    })
  )

  it.effect("are refused when they cannot be right, without a secret in the refusal", () =>
    Effect.gen(function* () {
      for (const [name, value] of [
        ["OUTDIAL_TWILIO_URL", "ftp://api.twilio.com"],
        ["OUTDIAL_TWILIO_URL", "https://user:password@api.twilio.com"],
        ["OUTDIAL_TWILIO_CONVERSATION_URL", "https://conversation.example"],
        ["OUTDIAL_PUBLIC_URL", "voice.example"],
        ["OUTDIAL_TWILIO_TIMEOUT", "16 seconds"],
        ["OUTDIAL_TWILIO_TIMEOUT", "0 seconds"],
        ["OUTDIAL_TWILIO_RECORD", "perhaps"],
        ["OUTDIAL_TWILIO_ACCOUNT_SID", ""],
        ["OUTDIAL_TWILIO_ACCOUNT_SID", "my account"],
        ["OUTDIAL_TWILIO_ACCOUNT_SID", accountSid.slice(0, -1)],
        ["OUTDIAL_TWILIO_ACCOUNT_SID", accountSid.replace("AC", "SK")],
        ["OUTDIAL_TWILIO_AUTH_TOKEN", ""],
        ["OUTDIAL_TWILIO_API_KEY", "SK1"]
      ] as const) {
        const refusal = yield* failureOf({ [name]: value })
        assert.include(refusal, name)
        assert.notInclude(refusal, authToken)
      }
    })
  )

  it.effect("name no address that Twilio cannot open over the Internet", () =>
    Effect.gen(function* () {
      for (const address of [
        "http://voice.example",
        "https://localhost",
        "https://127.0.0.1:8443",
        "https://[::1]",
        "https://10.0.0.7",
        "https://192.168.1.20/outdial",
        "https://169.254.169.254",
        "https://voice.local",
        "https://voice"
      ]) {
        const refusal = yield* failureOf({ OUTDIAL_PUBLIC_URL: address })
        assert.match(refusal, /OUTDIAL_PUBLIC_URL.*: Twilio opens it over the Internet/, address)
        const conversation = address.replace(/^https?/, "wss")
        if (conversation === "wss://voice.example") continue
        assert.match(
          yield* failureOf({ OUTDIAL_TWILIO_CONVERSATION_URL: conversation }),
          /OUTDIAL_TWILIO_CONVERSATION_URL.*: Twilio opens it over the Internet/,
          conversation
        )
      }
      for (const address of ["https://voice.example/?a=b", "https://voice.example/#a"]) {
        assert.match(yield* failureOf({ OUTDIAL_PUBLIC_URL: address }), /must end with its path/)
      }
    })
  )

  it.effect("may be local where a stand-in on a local address has Twilio's place, and its ids others", () =>
    Effect.gen(function* () {
      const dialer = yield* TwilioConfig.dialer.pipe(
        set({
          OUTDIAL_TWILIO_URL: "http://127.0.0.1:9000",
          OUTDIAL_TWILIO_ACCOUNT_SID: "3c90c3cc-0d44-4b50-8888-8dd25736052a",
          OUTDIAL_TWILIO_CONVERSATION_URL: "wss://localhost:9001",
          OUTDIAL_PUBLIC_URL: "http://localhost:8080"
        })
      )
      assert.strictEqual(dialer.publicUrl, "http://localhost:8080/")
    })
  )

  it.effect("have conversations held here unless they say where", () =>
    Effect.gen(function* () {
      const { OUTDIAL_TWILIO_CONVERSATION_URL: _, ...rest } = settings
      const provider = ConfigProvider.fromMap(new Map(Object.entries(rest)))
      const here = yield* Effect.withConfigProvider(TwilioConfig.dialer, provider)
      assert.isNull(here.conversationUrl)
      const elsewhere = yield* TwilioConfig.dialer.pipe(set({}))
      assert.strictEqual(elsewhere.conversationUrl, "wss://conversation.example/relay")
    })
  )

  it.scopedLive("make a dialer and an inventory", () =>
    Effect.gen(function* () {
      const { calls, url } = yield* serveNumbers
      yield* Effect.gen(function* () {
        const sid = yield* (yield* CallDialer).dial(dialRequest("att_1", "+15550001234"))
        const { form } = calls.get(sid)!
        assert.isTrue(
          form.get("StatusCallback")?.startsWith("https://voice.example/callbacks/twilio/status?")
        )
        assert.isTrue(form.has("MachineDetection"))
        assert.isFalse(form.has("Record"))
        const { numbers } = yield* (yield* NumberInventory).search({
          country: null,
          contains: null,
          cursor: null,
          limit: 1
        })
        assert.strictEqual(numbers[0]?.country, "GB")
      }).pipe(
        Effect.provide(Layer.merge(callDialer, TwilioConfig.numberInventory)),
        set({
          OUTDIAL_TWILIO_URL: url,
          OUTDIAL_TWILIO_PRICING_URL: url,
          OUTDIAL_TWILIO_COUNTRY: "GB",
          OUTDIAL_TWILIO_MACHINE_DETECTION: "true"
        })
      )
    })
  )
})
