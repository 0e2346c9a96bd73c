import { Config, ConfigError, Effect, Either, Layer, Redacted } from "effect"
import type { Database } from "../../adapters/sql/Database.ts"
import type { Repository, StoreUnavailable } from "../../core/ports/Repository.ts"
import { withDriver } from "./Packages.ts"

/** Where everything is kept. */
export type Location =
  | { readonly _tag: "Sqlite"; readonly filename: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted }
  | { readonly _tag: "Memory" }

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

const example = "postgres://user:password@host:5432/database"

const postgresDatabase = (url: string): Either.Either<Location, string> => {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    return Either.left(`is no URL such as ${example}: in a password, what is special is written as %XX`)
  }
  return new URL(url).pathname.length > 1
    ? Either.right({ _tag: "Postgres", url: Redacted.make(url) })
    : Either.left(`names no database: ${example}`)
}

/** Reads a store's URL. What is wrong with one is told without repeating it: it may hold a password. */
export const parseLocation = (url: string): Either.Either<Location, string> => {
  if (url.startsWith("sqlite:")) return sqliteFile(url.slice("sqlite:".length))
  if (url === "memory:") return Either.right({ _tag: "Memory" })
  if (/^postgres(ql)?:/.test(url)) return postgresDatabase(url)
  return Either.left("must be sqlite:<path>, postgres://… or memory:")
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

/** Of Node, or Bun's own. */
const sqliteDriver = () =>
  "Bun" in globalThis
    ? import("../../adapters/sql/sqlite/BunSqlite.ts")
    : import("../../adapters/sql/sqlite/Sqlite.ts")

/** A SQLite file. Its driver is loaded when the layer is built, so that nothing names it before. */
export const sqlite = (filename: string): Layer.Layer<Repository | Database, StoreUnavailable> =>
  Layer.unwrapEffect(
    Effect.map(
      withDriver("better-sqlite3", () =>
        Promise.all([sqliteDriver(), import("../../adapters/sql/Repository.ts")])
      ),
      ([Sqlite, SqlRepository]) => Layer.provideMerge(SqlRepository.layer, Sqlite.layer({ filename }))
    )
  )

/** A PostgreSQL database, which other processes may use too; `connections` at most are open. */
export const postgres = (
  url: Redacted.Redacted,
  connections = 10
): Layer.Layer<Repository | Database, StoreUnavailable> =>
  Layer.unwrapEffect(
    Effect.map(
      withDriver("pg", () =>
        Promise.all([
          import("../../adapters/sql/postgres/Postgres.ts"),
          import("../../adapters/sql/Repository.ts")
        ])
      ),
      ([Postgres, SqlRepository]) =>
        Layer.provideMerge(SqlRepository.layer, Postgres.layer({ url, connections }))
    )
  )

/** A store that is lost when the process ends. */
export const memory: Layer.Layer<Repository> = Layer.unwrapEffect(
  Effect.map(
    Effect.promise(() => import("../../adapters/memory/Repository.ts")),
    (MemoryRepository) => MemoryRepository.layer
  )
)

/** The store at a location. */
export const of = (place: Location, connections?: number): Layer.Layer<Repository, StoreUnavailable> => {
  if (place._tag === "Memory") return memory
  return place._tag === "Sqlite" ? sqlite(place.filename) : postgres(place.url, connections)
}

/** One that reads, one that writes and one that waits for the disk are the least. */
const connections = Config.integer("OUTDIAL_DATABASE_CONNECTIONS").pipe(
  Config.validate({ message: "must be at least 3", validation: (count) => count >= 3 }),
  Config.withDefault(10)
)

export const settings = Config.all([location, connections])

/** The store that `OUTDIAL_DATABASE_URL` names. */
export const layer: Layer.Layer<Repository, ConfigError.ConfigError | StoreUnavailable> = Layer.unwrapEffect(
  Effect.map(settings, ([place, count]) => of(place, count))
)
