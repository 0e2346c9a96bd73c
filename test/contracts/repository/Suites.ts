import { Effect, Exit } from "effect"
import { assert, describe } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import type { Suite } from "../../../core/model/suites/Suite.ts"
import type { Check } from "./Check.ts"
import { makeHold, makeSuite, other, page, start, ws } from "./Fixtures.ts"

const endOfTime = 8_640_000_000_000_000
const awkward = `O'Hara "?" -- $1 \\ \n 𝒳👩‍👩‍👧 ; drop table suites`

const full = makeSuite(1, {
  name: awkward,
  scenarios: [
    { label: awkward, instructions: awkward.repeat(200), runs: 100, max_turns: 1 },
    { label: "__proto__", instructions: "b", runs: 1, max_turns: 100 },
    { label: awkward, instructions: "a", runs: 1, max_turns: 1 }
  ],
  config: {
    judges: ["__proto__", awkward, "constructor"],
    variables: JSON.parse(`{"__proto__":"a","constructor":"b","2":"","1":"${"é".repeat(9_000)}"}`)
  },
  updated_at: endOfTime
})

const ids = (suites: ReadonlyArray<Suite>) => suites.map(({ id }) => Number(id.slice(6)))

export const suiteRows = (check: Check) =>
  describe("suites", () => {
    check("come back as they were stored, to their workspace alone", ({ suites }) =>
      Effect.gen(function* () {
        assert.isTrue(yield* suites.insert(full))
        assertSome(yield* suites.get(ws, full.id), full)
        assert.deepStrictEqual(yield* suites.list(ws, {}, page), { data: [full], total: 1 })
        const [read] = (yield* suites.list(ws, {}, page)).data
        assert.strictEqual(JSON.stringify(read!.config), JSON.stringify(full.config))
        assert.isTrue(Object.hasOwn(read!.config.variables, "__proto__"))
        assertNone(yield* suites.get(other, full.id))
        assertNone(yield* suites.get(ws, "suite_000002"))
        assert.deepStrictEqual(yield* suites.list(other, {}, page), { data: [], total: 0 })
        assert.isTrue(yield* suites.insert(makeSuite(1, { customer_id: other })))
        assertSome(yield* suites.get(ws, full.id), full)
        assertSome(yield* suites.get(other, full.id), makeSuite(1, { customer_id: other }))
      })
    )

    check("have a name once in a workspace: a second one is not stored", ({ suites }) =>
      Effect.gen(function* () {
        const twin = (n: number, over: Partial<Suite> = {}) => makeSuite(n, { name: full.name, ...over })
        assert.isFalse(yield* suites.nameExists(ws, full.name))
        assert.isTrue(yield* suites.insert(full))
        assert.isFalse(yield* suites.insert(twin(2)))
        assert.isTrue(yield* suites.nameExists(ws, full.name))
        assert.isFalse(yield* suites.nameExists(other, full.name))
        assert.isFalse(yield* suites.nameExists(ws, full.name.toUpperCase()))
        assert.isFalse(yield* suites.nameExists(ws, ""))
        assert.isTrue(yield* suites.insert(twin(3, { customer_id: other })))
        assert.isTrue(yield* suites.insert(twin(4, { name: `${full.name} ` })))
        assert.isTrue(yield* suites.insert(twin(5, { name: full.name.toUpperCase() })))
        assert.deepStrictEqual(ids((yield* suites.list(ws, {}, page)).data), [5, 4, 1])
        assert.isTrue(yield* suites.remove(ws, full.id))
        assert.isFalse(yield* suites.nameExists(ws, full.name))
        assert.isTrue(yield* suites.insert(twin(2)))
      })
    )

    check("die when an id is stored a second time, and keep the first", ({ suites }) =>
      Effect.gen(function* () {
        yield* suites.insert(full)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(suites.insert(makeSuite(1)))))
        assert.deepStrictEqual(yield* suites.list(ws, {}, page), { data: [full], total: 1 })
        assert.isFalse(yield* suites.nameExists(ws, makeSuite(1).name))
      })
    )

    check("are changed in name, scenarios and config, all else stays", ({ suites }) =>
      Effect.gen(function* () {
        yield* suites.insert(makeSuite(1))
        yield* suites.insert(makeSuite(2))
        const { config, name, scenarios, updated_at } = full
        const changed = makeSuite(1, { config, name, scenarios, updated_at })
        const elsewhere = { agent_id: "agent_9", created_by_user_id: "key_9", created_at: 7 }
        assert.isTrue(yield* suites.update({ ...changed, ...elsewhere }))
        assertSome(yield* suites.get(ws, full.id), changed)
        // Its own name is no obstacle.
        assert.isTrue(yield* suites.update({ ...changed, scenarios: [] }))
        assertSome(yield* suites.get(ws, full.id), { ...changed, scenarios: [] })
        assert.isFalse(yield* suites.nameExists(ws, makeSuite(1).name))
        assertSome(yield* suites.get(ws, makeSuite(2).id), makeSuite(2))
        assert.isFalse(yield* suites.update(makeSuite(1, { customer_id: other })))
        assert.isFalse(yield* suites.update(makeSuite(3)))
        assert.deepStrictEqual(ids((yield* suites.list(ws, {}, page)).data), [2, 1])
        assert.strictEqual((yield* suites.list(other, {}, page)).total, 0)
      })
    )

    check("keep their name from each other, and the unit goes on", ({ suites, transaction }) =>
      Effect.gen(function* () {
        yield* suites.insert(makeSuite(1))
        yield* suites.insert(makeSuite(2))
        yield* suites.insert(makeSuite(1, { customer_id: other, name: "Elsewhere" }))
        const answers = yield* transaction(
          ws,
          Effect.all([
            suites.update(makeSuite(2, { name: makeSuite(1).name, scenarios: [] })),
            suites.insert(makeSuite(3, { name: makeSuite(1).name })),
            suites.update(makeSuite(2, { name: "Elsewhere" })),
            suites.insert(makeSuite(4, { name: makeSuite(2).name })),
            suites.update(makeSuite(1, { name: "Elsewhere", scenarios: [] }))
          ])
        )
        assert.deepStrictEqual(answers, [false, false, true, true, false])
        assert.deepStrictEqual(yield* suites.list(ws, {}, page), {
          data: [
            makeSuite(4, { name: makeSuite(2).name }),
            makeSuite(2, { name: "Elsewhere" }),
            makeSuite(1)
          ],
          total: 3
        })
      })
    )

    check("let one of fifty that race for a name have it", ({ suites, transaction }) =>
      Effect.gen(function* () {
        const insert = (n: number) => suites.insert(makeSuite(n, { name: "Wanted" }))
        const stored = yield* Effect.forEach(
          Array.from({ length: 50 }, (_, n) => n),
          (n) => (n % 2 === 0 ? insert(n) : transaction(ws, insert(n))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(stored.filter(Boolean).length, 1)
        assert.deepStrictEqual(ids((yield* suites.list(ws, {}, page)).data), [stored.indexOf(true)])
      })
    )

    check("are listed newest first, page by page, by agent", ({ suites }) =>
      Effect.gen(function* () {
        const suite = (n: number) => makeSuite(n, { agent_id: `agent_${n % 3}`, created_at: start })
        for (let k = 0; k < 30; k++) yield* suites.insert(suite((k * 7) % 30))
        yield* suites.insert(makeSuite(40, { customer_id: other }))
        const cases = [
          [{}, () => true],
          [{ agent_id: undefined }, () => true],
          [{ agent_id: "agent_2" }, (n: number) => n % 3 === 2],
          [{ agent_id: "agent_9" }, () => false]
        ] as const
        for (const [filter, admits] of cases) {
          const expected = Array.from({ length: 30 }, (_, n) => 29 - n).filter(admits)
          const pages = yield* Effect.forEach([0, 7, 14, 21, 28, 35], (offset) =>
            suites.list(ws, filter, { limit: 7, offset })
          )
          assert.deepStrictEqual(
            pages.flatMap(({ data }) => data),
            expected.map(suite)
          )
          for (const { total } of pages) assert.strictEqual(total, expected.length)
        }
      })
    )

    check("are removed once, by their workspace only", ({ suites }) =>
      Effect.gen(function* () {
        yield* suites.insert(full)
        assert.isFalse(yield* suites.remove(other, full.id))
        assertSome(yield* suites.get(ws, full.id), full)
        assert.isTrue(yield* suites.remove(ws, full.id))
        assert.isFalse(yield* suites.remove(ws, full.id))
        assertNone(yield* suites.get(ws, full.id))
        assert.isFalse(yield* suites.update(full))
        assert.deepStrictEqual(yield* suites.list(ws, {}, page), { data: [], total: 0 })
      })
    )

    check("are as before when a unit fails, and names that it took free again", ({ suites, transaction }) =>
      Effect.gen(function* () {
        yield* suites.insert(full)
        yield* suites.insert(makeSuite(2))
        const exit = yield* Effect.exit(
          transaction(
            ws,
            Effect.gen(function* () {
              assert.isTrue(yield* suites.remove(ws, makeSuite(2).id))
              assert.isTrue(yield* suites.insert(makeSuite(3, { name: makeSuite(2).name })))
              assert.isTrue(yield* suites.update({ ...full, name: "Taken", scenarios: [] }))
              assert.isTrue(yield* suites.nameExists(ws, "Taken"))
              return yield* Effect.fail("no")
            })
          )
        )
        assert.deepStrictEqual(exit, Exit.fail("no"))
        assert.deepStrictEqual(yield* suites.list(ws, {}, page), { data: [makeSuite(2), full], total: 2 })
        assert.isFalse(yield* suites.nameExists(ws, "Taken"))
        assert.isTrue(yield* suites.nameExists(ws, full.name))
      })
    )
  })

export const holdRows = (check: Check) =>
  describe("holds", () => {
    check("expire in their order, inclusively, in their workspace alone", ({ holds }) =>
      Effect.gen(function* () {
        assertNone(yield* holds.nextExpiry(ws))
        assert.deepStrictEqual(yield* holds.expired(ws, Infinity), [])
        const at = [50, 20, 90, 20, 10].map((expires_at, n) => makeHold(n, { expires_at, amount: n }))
        for (const hold of at) yield* holds.insert(hold)
        yield* holds.insert(makeHold(9, { customer_id: other, expires_at: 5, amount: 3_000_000_000 }))
        assertSome(yield* holds.nextExpiry(ws), 10)
        assertSome(yield* holds.nextExpiry(other), 5)
        assert.deepStrictEqual(yield* holds.expired(ws, 9), [])
        assert.deepStrictEqual(yield* holds.expired(ws, 20), [at[4]!, at[1]!, at[3]!])
        assert.deepStrictEqual(
          yield* holds.expired(ws, Infinity),
          [4, 1, 3, 0, 2].map((n) => at[n]!)
        )
        assert.deepStrictEqual(yield* holds.expired(other, 5), [
          makeHold(9, { customer_id: other, expires_at: 5, amount: 3_000_000_000 })
        ])
        assert.isTrue(Exit.isFailure(yield* Effect.exit(holds.insert(makeHold(4)))))
        assertSome(yield* holds.nextExpiry(ws), 10)
      })
    )

    check("are removed once: of fifty racers one removes a hold", ({ holds, transaction }) =>
      Effect.gen(function* () {
        yield* holds.insert(makeHold(1))
        yield* holds.insert(makeHold(2))
        assert.isFalse(yield* holds.remove(other, makeHold(1).id))
        assert.isFalse(yield* holds.remove(ws, makeHold(3).id))
        const removed = yield* Effect.replicateEffect(transaction(ws, holds.remove(ws, makeHold(1).id)), 50, {
          concurrency: "unbounded"
        })
        assert.strictEqual(removed.filter(Boolean).length, 1)
        assert.deepStrictEqual(yield* holds.expired(ws, Infinity), [makeHold(2)])
        assertSome(yield* holds.nextExpiry(ws), makeHold(2).expires_at)
        assert.isTrue(yield* holds.remove(ws, makeHold(2).id))
        assertNone(yield* holds.nextExpiry(ws))
      })
    )

    check("are as before when a unit fails", ({ holds, transaction }) =>
      Effect.gen(function* () {
        yield* holds.insert(makeHold(1))
        yield* Effect.exit(
          transaction(
            ws,
            Effect.all([holds.remove(ws, makeHold(1).id), holds.insert(makeHold(2)), Effect.fail("no")])
          )
        )
        assert.deepStrictEqual(yield* holds.expired(ws, Infinity), [makeHold(1)])
      })
    )
  })
