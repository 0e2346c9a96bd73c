import { Effect } from "effect"
import { serve } from "../../../adapters/simulated/CarrierServer.ts"

/** A carrier server as a process: tells its parent its address, and lives until it is killed. */
const [ledgerFile = "", speed = "1"] = process.argv.slice(2)

Effect.runFork(
  serve({ ledgerFile, speed: Number(speed) }).pipe(
    Effect.tap(({ url }) => Effect.sync(() => process.send?.(url))),
    Effect.andThen(Effect.never),
    Effect.scoped
  )
)
