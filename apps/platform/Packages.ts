import { Effect } from "effect"
import { StoreUnavailable } from "../../core/ports/Repository.ts"

/** What Node, Deno and Bun reject an import with that names a package which is not there; `require` has the shorter code. */
const isMissing = (error: unknown): boolean =>
  /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String((error as { readonly code?: unknown } | null)?.code))

/**
 * Loads modules of a store. An installation without optional packages may lack the driver that they import: then the
 * error says which setting asks for it, and how it is installed.
 */
export const withDriver = <A>(
  driver: "better-sqlite3" | "pg",
  load: () => Promise<A>
): Effect.Effect<A, StoreUnavailable> =>
  Effect.catchAll(Effect.tryPromise({ try: load, catch: (error) => error }), (error) => {
    if (!isMissing(error)) return Effect.die(error)
    const url = driver === "pg" ? "postgres://…" : "sqlite:…"
    const message = `${url} needs the package ${driver}, which is not installed: npm install ${driver}`
    return new StoreUnavailable({ cause: new Error(message) })
  })
