import { Effect, Layer } from "effect"
import { access } from "node:fs/promises"
import { withDriver } from "../../platform/Packages.ts"
import * as Store from "../../platform/Store.ts"
import * as Flags from "../command/Flags.ts"
import { CommandFailed } from "../terminal/Failure.ts"

/** A store that rows can be copied from or to. */
export type Place = Exclude<Store.Location, { readonly _tag: "Memory" }>

export const nameOf = (place: Place): string => (place._tag === "Sqlite" ? "SQLite" : "PostgreSQL")

const isPlace = (location: Store.Location): location is Place => location._tag !== "Memory"

/** Reads the URL of a store, the error names the option. */
export const placeOf = (option: string) => (url: string) =>
  Effect.mapError(Store.parseLocation(url), (reason) => Flags.invalid(`${option} ${reason}`)).pipe(
    Effect.filterOrFail(isPlace, () =>
      Flags.invalid(`${option} is memory:, a store that no other process can reach`)
    )
  )

/** Opens a store as the server does, which brings it to the newest layout, and closes it again. */
export const layOut = (place: Place) => Effect.scoped(Layer.build(Store.of(place, 3)))

/** A source that is a file has to be there: opening it would make one. */
export const present = (place: Place) =>
  place._tag === "Postgres"
    ? Effect.void
    : Effect.tryPromise({
        try: () => access(place.filename),
        catch: () => new CommandFailed({ message: `there is no file ${place.filename}` })
      })

const sqliteEnd = withDriver("better-sqlite3", () => import("../../../adapters/sql/copy/SqliteEnd.ts"))
const postgresEnd = withDriver("pg", () => import("../../../adapters/sql/copy/PostgresEnd.ts"))

export const tables = Effect.flatMap(sqliteEnd, ({ layout }) => layout)

/** A store for this process alone, until the scope ends. */
export const open = Effect.fnUntraced(function* (place: Place, writable: boolean) {
  return place._tag === "Sqlite"
    ? yield* (yield* sqliteEnd).open(place.filename, writable)
    : yield* (yield* postgresEnd).open(place.url, writable, yield* tables)
})
