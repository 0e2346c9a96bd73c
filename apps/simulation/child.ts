import process from "node:process"
import { Effect } from "effect"
import { play } from "./Engine.ts"
import type { Answer, Request } from "./Protocol.ts"

/** Plays once and ends. An error of its own ends it with 1, and is told by nothing else: it could be personal. */
process.once("message", ({ plan, seeds }: Request) => {
  void Effect.runPromise(Effect.forEach(seeds, (seed) => play(plan, seed))).then(
    (runs: Answer) => process.send!(runs, () => process.disconnect()),
    () => process.exit(1)
  )
})
process.on("disconnect", () => process.exit())
process.on("SIGINT", () => undefined)
process.on("SIGTERM", () => undefined)
