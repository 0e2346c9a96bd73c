import * as Options from "@effect/cli/Options"
import { Effect, Schema } from "effect"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { CommandFailed } from "../terminal/Failure.ts"
import { result } from "../terminal/Output.ts"

const Port = Schema.Int.pipe(Schema.between(0, 65_535))
const Speed = Schema.Number.pipe(Schema.filter((speed) => speed > 0 || "must be greater than 0"))

const codeOf = (cause: unknown): string => {
  const code = (cause as { readonly code?: unknown } | undefined)?.code
  return typeof code === "string" ? ` (${code})` : ""
}

export const carrier = command(
  "carrier",
  {
    about:
      "Runs the simulated carrier as a process of its own. The server can then be stopped, killed and started again while calls go on. The last four digits of a number choose what happens.",
    examples: ["outdial carrier --port 8090 --ledger carrier.ndjson", "outdial carrier --speed 10"]
  },
  {
    port: Flags.whole("port", "Where it listens, 8090 when not given; 0 for any free port.", Port).pipe(
      Options.withDefault(8_090)
    ),
    host: Flags.text("host", "ADDRESS", "The address that it listens on, 127.0.0.1 when not given.").pipe(
      Options.withDefault("127.0.0.1")
    ),
    ledger: Flags.text(
      "ledger",
      "FILE",
      "Where every dial is written before it is answered; carrier.ndjson when not given."
    ).pipe(Options.withDefault("carrier.ndjson")),
    speed: Flags.number(
      "speed",
      "N",
      "What the durations of calls are divided by; 1 when not given.",
      Speed
    ).pipe(Options.withDefault(1)),
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ host, json, ledger, port, speed }) {
    const { serve } = yield* Effect.promise(() => import("../../../adapters/simulated/CarrierServer.ts"))
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
)
