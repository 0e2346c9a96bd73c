import { Config, Effect, Layer, Option, Redacted } from "effect"
import { sentence } from "../../platform/Explain.ts"
import { broken, type Finding, ok } from "./Finding.ts"

const patience = "5 seconds"

const offline = ok(
  "model",
  "agents talk and test suites are played by rules in the server's own process: no model is asked"
)

const key = Config.withDefault(Config.redacted("OUTDIAL_LLM_API_KEY"), Redacted.make(""))
const name = Config.withDefault(Config.string("OUTDIAL_LLM_MODEL"), "")

/** `{base}/models`, whatever else the address holds. */
const modelsOf = (base: URL): URL => {
  const address = new URL(base)
  address.pathname = `${base.pathname.replace(/\/+$/, "")}/models`
  return address
}

/** The status that the list of models is answered with; none when there is no answer in time. */
const statusOf = Effect.fnUntraced(function* (base: URL, secret: string) {
  const headers: Record<string, string> = secret === "" ? {} : { authorization: `Bearer ${secret}` }
  return yield* Effect.tryPromise(async (signal) => {
    const response = await fetch(modelsOf(base), { headers, redirect: "manual", signal })
    await response.body?.cancel()
    return response.status
  }).pipe(Effect.timeout(patience), Effect.option)
})

const judge = (host: string, model: string, hasKey: boolean, status: Option.Option<number>): Finding => {
  const said = `agents talk and test suites are played by the model ${model} at ${host}`
  if (Option.isNone(status)) return broken("model", `${said}, which does not answer`)
  switch (status.value) {
    case 401:
    case 403:
      return broken(
        "model",
        hasKey
          ? `${said}, which refuses the key of OUTDIAL_LLM_API_KEY (${status.value})`
          : `${said}, which wants a key: set OUTDIAL_LLM_API_KEY (${status.value})`
      )
    default:
      return ok("model", `${said}, which answers`)
  }
}

/** Whether the model that `OUTDIAL_LLM_URL` names can be asked. Nothing is generated, and nothing paid for. */
export const model: Effect.Effect<Finding> = Effect.gen(function* () {
  if ((yield* Config.withDefault(Config.string("OUTDIAL_LLM_URL"), "")) === "") return offline
  const { layerConfig, url } = yield* Effect.promise(
    () => import("../../../adapters/llm/OpenAiCompatible.ts")
  )
  yield* Effect.scoped(Layer.build(layerConfig))
  const base = yield* url
  const secret = Redacted.value(yield* key).trim()
  return judge(base.host, yield* name, secret !== "", yield* statusOf(base, secret))
}).pipe(
  Effect.catchAll((error) => Effect.succeed(broken("model", sentence(error) ?? "its settings are not valid")))
)
