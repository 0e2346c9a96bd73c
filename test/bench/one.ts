import { Effect, Logger, LogLevel } from "effect"
import { benchmarks } from "./Benchmarks.ts"

// The process of one benchmark: none inherits another's heap.

await Effect.runPromise(Logger.withMinimumLogLevel(benchmarks[process.argv[2]!]!, LogLevel.Warning))
