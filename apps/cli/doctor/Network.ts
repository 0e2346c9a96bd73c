import { Config, Effect, Either, Option } from "effect"
import * as http from "node:http"
import * as net from "node:net"
import { speed, url } from "../../../adapters/simulated/Config.ts"
import { connect } from "../../../adapters/simulated/RemoteCarrier.ts"
import { sentence } from "../../platform/Explain.ts"
import { originOf } from "./Address.ts"
import { broken, type Finding, ok, warning } from "./Finding.ts"

const patience = "3 seconds"

const simulated = Effect.gen(function* () {
  const carrierUrl = yield* url
  const divisor = yield* speed
  if (Option.isNone(carrierUrl)) {
    const pace = divisor === 1 ? "" : ` at speed ${divisor}`
    return ok("carrier", `calls are simulated in the server's own process${pace}: no telephone rings`)
  }
  const { host } = carrierUrl.value
  const answered = yield* Effect.scoped(
    Effect.flatMap(connect({ url: carrierUrl.value.href }), ({ driver }) => driver.ping)
  ).pipe(
    Effect.timeoutFail({ duration: patience, onTimeout: () => ({ message: "it does not answer" }) }),
    Effect.either
  )
  return Either.match(answered, {
    onLeft: ({ message }) =>
      broken("carrier", `the simulated carrier at ${host} is out of reach: ${message}`),
    onRight: () => ok("carrier", `the simulated carrier at ${host} answers`)
  })
})

/** Whether the carrier that `OUTDIAL_CARRIER` names can be reached. */
export const carrier: Effect.Effect<Finding> = Effect.gen(function* () {
  const name = yield* Config.withDefault(Config.string("OUTDIAL_CARRIER"), "simulated")
  if (name === "" || name === "simulated") return yield* simulated
  return broken("carrier", "OUTDIAL_CARRIER names no carrier of this version: simulated is what there is")
}).pipe(
  Effect.catchAll((error) =>
    Effect.succeed(broken("carrier", sentence(error) ?? "its settings are not valid"))
  )
)

/** Listens for a moment; the code of the error when that fails, else null. */
const tryListen = (host: string, port: number) =>
  Effect.async<string | null>((resume) => {
    const server = net.createServer()
    server.once("error", (error: NodeJS.ErrnoException) => resume(Effect.succeed(error.code ?? "UNKNOWN")))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resume(Effect.succeed(null))))
  })

/** The status that a GET is answered with; null when there is no answer in time. */
const statusOf = (address: string) =>
  Effect.async<number | null>((resume) => {
    const request = http.get(address, { agent: false }, (response) => {
      response.resume()
      resume(Effect.succeed(response.statusCode ?? null))
    })
    request.on("error", () => resume(Effect.succeed(null)))
    return Effect.sync(() => request.destroy())
  }).pipe(Effect.timeoutTo({ duration: patience, onTimeout: () => null, onSuccess: (status) => status }))

const inUse = Effect.fnUntraced(function* (host: string, port: number) {
  const origin = originOf(host, port)
  const live = yield* statusOf(`${origin}/health/live`)
  if (live !== 200) return broken("server", `port ${port} is taken by something that is not Outdial`)
  const ready = yield* statusOf(`${origin}/health/ready`)
  return ready === 200
    ? ok("server", `it runs on ${origin} and is ready`)
    : warning("server", `it runs on ${origin} and is not ready (${ready ?? "no answer"})`)
})

/** Whether the server runs, or could. */
export const server: Effect.Effect<Finding> = Effect.gen(function* () {
  const host = yield* Config.withDefault(Config.string("HOST"), "127.0.0.1")
  const port = yield* Config.withDefault(Config.port("PORT"), 8_080)
  const code = yield* tryListen(host, port)
  if (code === null) return ok("server", `it does not run; port ${port} on ${host} is free for it`)
  if (code === "EADDRINUSE") return yield* inUse(host, port)
  return broken("server", `port ${port} on ${host} cannot be listened on (${code})`)
}).pipe(
  Effect.catchAll((error) =>
    Effect.succeed(broken("server", sentence(error) ?? "its settings are not valid"))
  )
)
