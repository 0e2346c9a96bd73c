import process from "node:process"
import { contract, isFresh } from "./Freshness.ts"

/**
 * Writes what the client knows of the REST interface into `apps/client/contract`, unless that is fresh, or into a folder:
 * `npm run client -- [folder]`.
 */
const [folder] = process.argv.slice(2)

if (folder !== undefined || !isFresh()) {
  const { write } = await import("./Written.ts")
  write(folder ?? contract)
}
