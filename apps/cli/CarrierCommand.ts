import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Schema } from "effect"
import { CommandFailed } from "./terminal/Failure.ts"
import * as Flags from "./terminal/Flags.ts"
import { result } from "./terminal/Output.ts"

const Port = Schema.Int.pipe(Schema.between(0, 65_535))
const Speed = Schema.Number.pipe(Schema.filter((speed) => speed > 0 || "must be greater than 0"))

const codeOf = (cause: unknown): string => {
  const code = (cause as { readonly code?: unknown } | undefined)?.code
  return typeof code === "string" ? ` (${code})` : ""
}

export const carrier = Command.make(
  "carrier",
  {
    port: Options.integer("port").pipe(
      Options.withPseudoName("N"),
      Options.withDescription("Where it listens, 8090 when not given; 0 for any free port."),
      Options.withDefault(8_090),
      Options.mapEffect(Flags.checked("--port", Port))
    ),
    host: Options.text("host").pipe(
      Options.withPseudoName("ADDRESS"),
      Options.withDescription("The address that it listens on, 127.0.0.1 when not given."),
      Options.withDefault("127.0.0.1")
    ),
    ledger: Options.text("ledger").pipe(
      Options.withPseudoName("FILE"),
      Options.withDescription(
        "Where every dial is written before it is answered; carrier.ndjson when not given."
      ),
      Options.withDefault("carrier.ndjson")
    ),
    speed: Options.float("speed").pipe(
      Options.withPseudoName("N"),
      Options.withDescription("What the durations of calls are divided by; 1 when not given."),
      Options.withDefault(1),
      Options.mapEffect(Flags.checked("--speed", Speed))
    ),
    json: Flags.json
  },
  Effect.fn("cli.carrier")(function* ({ host, json, ledger, port, speed }) {
    const { serve } = yield* Effect.promise(() => import("../../adapters/simulated/CarrierServer.ts"))
    const { port: bound, url } = yield* Effect.mapError(
      serve({ host, port, ledgerFile: ledger, speed }),
      ({ cause, message }) => new CommandFailed({ message: message + codeOf(cause) })
    )
    yield* result(json, { url, port: bound, ledger, speed }, () =>
      [
        `The simulated carrier listens on ${url}; its dials stand in ${ledger}.`,
        "",
        "Point the server at it:",
        "",
        `  OUTDIAL_SIMULATED_URL=${url} npm start`,
        "",
        "Ctrl-C ends it. Calls under way go on when it starts again on the same ledger."
      ].join("\n")
    )
    return yield* Effect.never
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    Flags.describe(
      "Runs the simulated carrier as a process of its own. The server can then be stopped, killed and started again while calls go on. The last four digits of a number choose what happens.",
      "outdial carrier --port 8090 --ledger carrier.ndjson",
      "outdial carrier --speed 10"
    )
  )
)
