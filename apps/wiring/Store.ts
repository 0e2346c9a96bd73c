import { Config, ConfigError, Effect, Either, Layer } from "effect"
import type { Database } from "../../adapters/sql/Database.ts"
import type { Repository, StoreUnavailable } from "../../core/ports/Repository.ts"

/** Where everything is kept. */
export type Location = { readonly _tag: "Sqlite"; readonly filename: string } | { readonly _tag: "Memory" }

const standard = "sqlite:outdial.db"

/** The file that a `sqlite:` URL names. `sqlite:///var/x.db` is `/var/x.db`, as URLs have it. */
const sqliteFile = (rest: string): Either.Either<Location, string> => {
  if (rest === "") return Either.left("names no file: sqlite:outdial.db")
  if (rest.startsWith(":memory:")) {
    return Either.left("cannot be SQLite in memory: use memory: for a store that is lost at the end")
  }
  if (rest.includes("?")) return Either.left("takes no parameters: sqlite:<path>")
  if (!rest.startsWith("//")) return Either.right({ _tag: "Sqlite", filename: rest })
  return rest.startsWith("///")
    ? Either.right({ _tag: "Sqlite", filename: rest.slice(2) })
    : Either.left("names a host: write sqlite:<path>, without slashes before a relative path")
}

/** Reads a store's URL. What is wrong with one is told without repeating it: it may hold a password. */
export const parseLocation = (url: string): Either.Either<Location, string> => {
  if (url.startsWith("sqlite:")) return sqliteFile(url.slice("sqlite:".length))
  if (url === "memory:") return Either.right({ _tag: "Memory" })
  if (/^postgres(ql)?:/.test(url))
    return Either.left("names PostgreSQL, which is not supported by this version")
  return Either.left("must be sqlite:<path> or memory:")
}

/** `OUTDIAL_DATABASE_URL`, default `sqlite:outdial.db`; a relative path is one from the working directory. */
export const location: Config.Config<Location> = Config.string("OUTDIAL_DATABASE_URL").pipe(
  Config.mapOrFail((url) =>
    Either.mapLeft(parseLocation(url === "" ? standard : url), (reason) =>
      ConfigError.InvalidData([], reason)
    )
  ),
  Config.withDefault<Location>({ _tag: "Sqlite", filename: "outdial.db" })
)

/** A SQLite file. Its driver is loaded when the layer is built, so that nothing names it before. */
export const sqlite = (filename: string): Layer.Layer<Repository | Database, StoreUnavailable> =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() =>
        Promise.all([import("../../adapters/sql/Sqlite.ts"), import("../../adapters/sql/Repository.ts")])
      ),
      ([Sqlite, SqlRepository]) => Layer.provideMerge(SqlRepository.layer, Sqlite.layer({ filename }))
    )
  )

/** A store that is lost when the process ends. */
export const memory: Layer.Layer<Repository> = Layer.unwrapEffect(
  Effect.map(
    Effect.promise(() => import("../../adapters/memory/Repository.ts")),
    (MemoryRepository) => MemoryRepository.layer
  )
)

/** The store that `OUTDIAL_DATABASE_URL` names. */
export const layer: Layer.Layer<Repository, ConfigError.ConfigError | StoreUnavailable> = Layer.unwrapEffect(
  Effect.map(location, (place): Layer.Layer<Repository, StoreUnavailable> =>
    place._tag === "Sqlite" ? sqlite(place.filename) : memory
  )
)
