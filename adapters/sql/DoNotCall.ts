import { Effect } from "effect"
import type { PageRequest } from "../../core/model/Page.ts"
import type { DoNotCallRows } from "../../core/ports/DoNotCallRows.ts"
import { formsOf, hashOf } from "../shared/NumberHash.ts"
import type { Database } from "./Database.ts"
import { make as makeTotals } from "./KeptTotals.ts"
import { noteChange } from "./ListChanges.ts"
import { asIs, insertInto, pageOf, placeholders, reader, sought } from "./Statements.ts"

const pageWhere = (where: string) =>
  pageOf({
    table: "do_not_call",
    key: ["customer_id", "number"],
    columns: ["number", "created_at"],
    where,
    order: "created_at desc, number desc"
  })

const sql = {
  add:
    "insert into do_not_call (customer_id, number, created_at) values (?, ?, ?) " +
    "on conflict (customer_id, number) do nothing",
  // Dials ask this: it tells the key too, so that no other question is needed to know that there is none.
  contains:
    "select (select count(*) from do_not_call where customer_id = ? and number in (?, ?)) as found, " +
    "(select value from secrets where name = ?) as key",
  // Where nothing is listed, an import asks no more: to look for its numbers is a twentieth of its time.
  standing:
    "select case when exists (select 1 from do_not_call where customer_id = ?) then 1 else 0 end as listed, " +
    "(select value from secrets where name = ?) as key",
  among: `select number from do_not_call where customer_id = ? and number in ${placeholders}`,
  remove: "delete from do_not_call where customer_id = ? and number in (?, ?)",
  key: "select value from secrets where name = ?",
  keepKey: `${insertInto("secrets", ["name", "value"])} on conflict (name) do nothing`,
  hash:
    "insert into do_not_call (customer_id, number, created_at) select customer_id, ?, created_at from do_not_call " +
    "where customer_id = ? and number = ? on conflict (customer_id, number) do nothing",
  page: pageWhere("customer_id = ?"),
  pageOfNumber: pageWhere("customer_id = ? and number = ?")
}

/** Numbers that are taken off, or made a hash, are noted so. */
const blockedNumbers = "do-not-call"

const keyName = (workspace_id: string) => `do-not-call ${workspace_id}`

export const doNotCall = (database: Database["Type"]): DoNotCallRows => {
  const read = reader(database, asIs<{ readonly number: string; readonly created_at: number }>, {
    totals: makeTotals(database),
    noted: blockedNumbers
  })
  /** The keys of workspaces as far as they are known. A key stays as it is once there is one. */
  const keys = new Map<string, string>()

  const keyOf = (workspace_id: string) =>
    Effect.map(
      database.all<{ readonly value: string }>(workspace_id, sql.key, [keyName(workspace_id)]),
      ([row]) => row?.value ?? null
    )

  const among = Effect.fnUntraced(function* (workspace_id: string, numbers: ReadonlyArray<string>) {
    const standing = database.all<{ readonly listed: number; readonly key: string | null }>(
      workspace_id,
      sql.standing,
      [workspace_id, keyName(workspace_id)]
    )
    const { key, listed } = (yield* standing)[0]!
    if (listed === 0) return new Set<string>()
    const numberOf = new Map(numbers.flatMap((number) => formsOf(key, number).map((form) => [form, number])))
    const rows = yield* sought<{ readonly number: string }>(database, workspace_id, sql.among, [
      ...numberOf.keys()
    ])
    return new Set(rows.map(({ number }) => numberOf.get(number)!))
  })

  const add = Effect.fnUntraced(function* (workspace_id: string, numbers: ReadonlyArray<string>, at: number) {
    const hasHashes = (yield* keyOf(workspace_id)) !== null
    const known = hasHashes ? yield* among(workspace_id, numbers) : new Set()
    const fresh = numbers.filter((number) => !known.has(number))
    const added = yield* database.runEach(
      workspace_id,
      sql.add,
      fresh.map((number) => [workspace_id, number, at])
    )
    return added.reduce((sum, count) => sum + count, 0)
  })

  const contains = Effect.fnUntraced(function* (workspace_id: string, number: string) {
    for (;;) {
      const known = keys.get(workspace_id) ?? null
      const [as, hashed = as] = formsOf(known, number)
      const params = [workspace_id, as!, hashed!, keyName(workspace_id)]
      const rows = database.all<{ readonly found: number; readonly key: string | null }>(
        workspace_id,
        sql.contains,
        params
      )
      const { found, key } = (yield* rows)[0]!
      if (key === known) return found > 0
      // Another process has made the key; or what this one knew was undone with its unit.
      if (key === null) keys.delete(workspace_id)
      else keys.set(workspace_id, key)
    }
  })

  const erase = Effect.fnUntraced(function* (workspace_id: string, number: string, fresh: string) {
    yield* database.run(workspace_id, sql.keepKey, [keyName(workspace_id), fresh])
    const hashed = hashOf((yield* keyOf(workspace_id))!, number)
    yield* database.run(workspace_id, sql.hash, [hashed, workspace_id, number])
    yield* database.run(workspace_id, sql.remove, [workspace_id, number, number])
    yield* noteChange(database, workspace_id, blockedNumbers)
  })

  const remove = Effect.fnUntraced(function* (workspace_id: string, number: string) {
    const [as, hashed = as] = formsOf(yield* keyOf(workspace_id), number)
    const removed = yield* database.run(workspace_id, sql.remove, [workspace_id, as!, hashed!])
    if (removed > 0) yield* noteChange(database, workspace_id, blockedNumbers)
    return removed > 0
  })

  const ofNumber = Effect.fnUntraced(function* (workspace_id: string, number: string, page: PageRequest) {
    const forms = formsOf(yield* keyOf(workspace_id), number)
    const [row] = yield* sought<{ readonly number: string }>(database, workspace_id, sql.among, forms)
    return yield* read.page(workspace_id, sql.pageOfNumber, page, row?.number ?? number)
  })

  return {
    add: (workspace_id, numbers, at) => database.unit(workspace_id, add(workspace_id, numbers, at)),
    contains,
    among,
    remove: (workspace_id, number) => database.unit(workspace_id, remove(workspace_id, number)),
    erase: (workspace_id, number, fresh) => database.unit(workspace_id, erase(workspace_id, number, fresh)),
    list: (workspace_id, { phone_number, ...page }) =>
      phone_number === undefined
        ? read.page(workspace_id, sql.page, page)
        : ofNumber(workspace_id, phone_number, page)
  }
}
