import { Effect, ManagedRuntime } from "effect"
import * as TableReader from "../../../adapters/tables/TableReader.ts"
import { csvFile, readAll } from "./Fixtures.ts"

const runtime = ManagedRuntime.make(TableReader.layer)
const { rows } = await runtime.runPromise(Effect.orDie(readAll(csvFile([["phone"], ["1"], ["2"], ["3"]]))))
process.stdout.write(`${rows.length} rows\n`)
