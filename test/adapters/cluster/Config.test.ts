import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Either } from "effect"
import { options } from "../../../adapters/cluster/Config.ts"

const under = (settings: Readonly<Record<string, string>>) =>
  Effect.either(Effect.withConfigProvider(options, ConfigProvider.fromMap(new Map(Object.entries(settings)))))

describe("OUTDIAL_CLUSTER_…", () => {
  it.effect("needs nothing for processes on one machine", () =>
    Effect.gen(function* () {
      const health = { _tag: "Ping" } as const
      assert.deepStrictEqual(yield* under({}), Either.right({ host: "127.0.0.1", port: 0, health }))
    })
  )

  it.effect("names the address for the others, the port, and the pods to ask for", () =>
    Effect.gen(function* () {
      const settings = {
        OUTDIAL_CLUSTER_HOST: "10.1.2.3",
        OUTDIAL_CLUSTER_PORT: "4020",
        OUTDIAL_CLUSTER_HEALTH: "kubernetes",
        OUTDIAL_CLUSTER_KUBERNETES_NAMESPACE: "voice",
        OUTDIAL_CLUSTER_KUBERNETES_LABELS: "app=outdial"
      }
      const health = { _tag: "Kubernetes", namespace: "voice", labels: "app=outdial" } as const
      assert.deepStrictEqual(yield* under(settings), Either.right({ host: "10.1.2.3", port: 4020, health }))
    })
  )

  it.effect("is refused where no member could reach this process by it", () =>
    Effect.gen(function* () {
      for (const [name, value] of [
        ["OUTDIAL_CLUSTER_HOST", "0.0.0.0"],
        ["OUTDIAL_CLUSTER_HOST", "::"],
        ["OUTDIAL_CLUSTER_PORT", "65536"],
        ["OUTDIAL_CLUSTER_PORT", "any"],
        ["OUTDIAL_CLUSTER_HEALTH", "faith"]
      ] as const) {
        const answer = yield* under({ [name]: value })
        assert.isTrue(Either.isLeft(answer), `${name}=${value}`)
        assert.include(String(answer), name)
      }
    })
  )
})
