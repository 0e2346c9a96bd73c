import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Layer, Queue } from "effect"
import * as OpenAiCompatible from "../../../adapters/llm/OpenAiCompatible.ts"
import { AgentSimulator } from "../../../core/ports/AgentSimulator.ts"
import { playOf } from "../../contracts/AgentSimulator.ts"
import { competent, serve, turn } from "./OpenAiServer.ts"

const withSettings = (settings: Record<string, string>) =>
  OpenAiCompatible.layerConfig.pipe(
    Layer.provide(
      Layer.setConfigProvider(
        ConfigProvider.fromMap(
          new Map(Object.entries(settings).map(([name, value]) => [`OUTDIAL_LLM_${name}`, value]))
        )
      )
    )
  )

const needed = { URL: "http://127.0.0.1:1/v1", MODEL: "m" }

describe("the settings of the model", () => {
  it.scoped("make a simulator that asks the model that they name, with the key", () =>
    Effect.gen(function* () {
      const { received, url } = yield* serve(competent)
      const said = yield* Effect.flatMap(AgentSimulator, (simulator) =>
        simulator.personaTurn(playOf({}))
      ).pipe(
        Effect.provide(
          withSettings({
            URL: url,
            MODEL: "llama3:8b",
            API_KEY: "sk-1",
            TIMEOUT: "30 seconds",
            CONCURRENCY: "2"
          })
        )
      )
      assert.strictEqual(said.text, turn.text)
      const { body, headers } = yield* Queue.take(received)
      assert.strictEqual(body.model, "llama3:8b")
      assert.strictEqual(headers.authorization, "Bearer sk-1")
    })
  )

  it.effect("are URL and MODEL at least", () =>
    Effect.gen(function* () {
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(Effect.scoped(Layer.build(withSettings(needed))))))
      for (const settings of [{}, { URL: needed.URL }, { MODEL: "m" }, { ...needed, MODEL: "" }]) {
        assert.isTrue(
          Exit.isFailure(yield* Effect.exit(Effect.scoped(Layer.build(withSettings(settings as never)))))
        )
      }
    })
  )

  it.effect.each([
    { URL: "ftp://127.0.0.1/v1" },
    { URL: "https://user:hunter2@api.example.com/v1" },
    { URL: "api.example.com" },
    { TIMEOUT: "0 seconds" },
    { TIMEOUT: "Infinity" },
    { TIMEOUT: "soon" },
    { CONCURRENCY: "0" },
    { CONCURRENCY: "1.5" },
    { STREAMS: "0" },
    { FIRST_TOKEN: "0 seconds" },
    { STALL: "never" }
  ])("are refused when they make no sense, without repeating them: %j", (wrong) =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        Effect.scoped(Layer.build(withSettings({ ...needed, ...wrong } as Record<string, string>)))
      )
      assert.isTrue(Exit.isFailure(exit))
      assert.notInclude(String(exit), "hunter2")
    })
  )
})
