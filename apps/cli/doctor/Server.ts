import { Config, Effect, Option } from "effect"
import * as net from "node:net"
import * as NodeServer from "../../../adapters/http/server/NodeServer.ts"
import { sentence } from "../../platform/Explain.ts"
import { publicOrigin } from "../../platform/Recordings.ts"
import { originOf } from "./Address.ts"
import { ask } from "./Ask.ts"
import { broken, type Finding, ok, warning } from "./Finding.ts"

/** Listens for a moment; the code of the error when that fails, else null. */
const tryListen = (host: string, port: number) =>
  Effect.async<string | null>((resume) => {
    const server = net.createServer()
    server.once("error", (error: NodeJS.ErrnoException) => resume(Effect.succeed(error.code ?? "UNKNOWN")))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resume(Effect.succeed(null))))
  })

const isLive = (origin: string) =>
  Effect.map(ask(`${origin}/health/live`), (answer) =>
    Option.exists(answer, ({ status, text }) => status === 200 && text.includes(`"live"`))
  )

/** What was found, and whether it is a server that runs. */
interface Look {
  readonly runs: boolean
  readonly finding: Finding
}

const idle = (finding: Finding): Look => ({ runs: false, finding })

/** What runs at an address; none when it is not Outdial. */
const running = Effect.fnUntraced(function* (origin: string) {
  if (!(yield* isLive(origin))) return Option.none<Look>()
  const ready = Option.getOrNull(yield* ask(`${origin}/health/ready`))
  const finding =
    ready?.status === 200
      ? ok("server", `it runs on ${origin} and is ready`)
      : warning("server", `it runs on ${origin} and is not ready (${ready?.status ?? "no answer"})`)
  return Option.some<Look>({ runs: true, finding })
})

/** What stands where `HOST` and `PORT` have the server. */
const here = Effect.fnUntraced(function* (host: string, port: number) {
  if (port === 0) return idle(ok("server", "PORT is 0: it takes any port that is free"))
  const code = yield* tryListen(host, port)
  if (code === null) return idle(ok("server", `it does not run; port ${port} on ${host} is free for it`))
  if (code !== "EADDRINUSE") {
    return idle(broken("server", `port ${port} on ${host} cannot be listened on (${code})`))
  }
  return Option.getOrElse(yield* running(originOf(host, port)), () =>
    idle(broken("server", `port ${port} is taken by something that is not Outdial`))
  )
})

/** What stands where the command line looks for a server: at `OUTDIAL_URL`, when it is set. */
const elsewhere = Effect.flatMap(
  Config.option(Config.url("OUTDIAL_URL")),
  Option.match({ onNone: () => Effect.succeed(Option.none<Look>()), onSome: ({ origin }) => running(origin) })
)

/** Whether the address under which others reach the server leads to it, as seen from this machine. */
const publicly = Effect.fnUntraced(function* (runs: boolean) {
  const origin = Option.getOrNull(yield* publicOrigin)
  if (origin === null) return []
  if (yield* isLive(origin)) return [ok("public address", `a server answers at ${origin}`)]
  const nothing = `no server of Outdial answers at ${origin}/health/live`
  return runs
    ? [broken("public address", `${nothing}, although one runs`)]
    : [warning("public address", `${nothing}; none runs here either`)]
})

/** Whether the server runs, or could, and whether its public address leads to it. */
export const server: Effect.Effect<ReadonlyArray<Finding>> = Effect.gen(function* () {
  const { host, port } = yield* NodeServer.settings
  const atHome = yield* here(host, port)
  const { finding, runs } = atHome.runs ? atHome : Option.getOrElse(yield* elsewhere, () => atHome)
  return [finding, ...(yield* publicly(runs))]
}).pipe(
  Effect.catchAll((error) =>
    Effect.succeed([broken("server", sentence(error) ?? "its settings are not valid")])
  )
)
