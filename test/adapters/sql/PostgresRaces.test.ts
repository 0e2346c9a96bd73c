import { Cause, Context, Effect, Exit, Fiber, Layer, Option, Queue, Ref } from "effect"
import { assert, it } from "@effect/vitest"
import { assertSome } from "@effect/vitest/utils"
import { Repository, StoreUnavailable } from "../../../core/ports/Repository.ts"
import {
  makeCall,
  makeCounters,
  makeDelivery,
  makeEntry,
  makeEvent,
  makeRecipient,
  makeState,
  makeSuite,
  makeWebhook,
  other,
  page,
  settle,
  start,
  ws
} from "../../contracts/repository/Fixtures.ts"
import { freshDatabase, onUrl } from "./PostgresServer.ts"
import { onServer } from "./PostgresSuite.ts"

const racers = Array.from({ length: 100 }, (_, n) => n)

onServer("two processes on one PostgreSQL database", (running) => {
  const one = (url: string) =>
    Effect.map(Layer.build(onUrl(url)), (context) => Context.get(context, Repository))
  const two = Effect.gen(function* () {
    const { url } = yield* freshDatabase(running())
    return [yield* one(url), yield* one(url)] as const
  })
  type Two = Effect.Effect.Success<typeof two>

  /** Every racer in one of the two, all at once. */
  const race = <A, E>(both: Two, run: (repository: Repository["Type"], n: number) => Effect.Effect<A, E>) =>
    Effect.forEach(racers, (n) => run(both[n % 2 === 0 ? 0 : 1], n), { concurrency: "unbounded" })

  it.scoped("store one of a hundred calls of one idempotency key, and name it to all others", () =>
    Effect.gen(function* () {
      const both = yield* two
      const answers = yield* race(both, ({ calls }, n) =>
        calls.insert(makeCall(n, { idempotency_key: "order-1" }))
      )
      const stored = answers.flatMap((answer, n) => (Option.isNone(answer) ? [makeCall(n).call_id] : []))
      assert.lengthOf(stored, 1)
      for (const named of Option.reduceCompact(answers, [] as Array<string>, (all, id) => [...all, id])) {
        assert.strictEqual(named, stored[0])
      }
      assert.strictEqual((yield* both[0].calls.list(ws, {}, page)).total, 1)
    })
  )

  it.scoped("never overdraw a balance", () =>
    Effect.gen(function* () {
      const both = yield* two
      yield* both[0].credits.append(ws, [makeEntry(1_000, 100)])
      const taken = yield* race(both, ({ credits }, n) => credits.append(ws, [makeEntry(n, -3)]))
      assert.strictEqual(taken.filter((done) => done).length, 33)
      assert.strictEqual(yield* both[1].credits.balance(ws), 1)
      assert.strictEqual((yield* both[0].credits.list(ws, {}, page)).total, 34)
    })
  )

  it.scoped("lose no count of a counters that units read and save", () =>
    Effect.gen(function* () {
      const both = yield* two
      yield* both[0].campaigns.insert(makeState(1))
      yield* race(both, ({ campaigns, transaction }) =>
        transaction(
          ws,
          Effect.gen(function* () {
            const counters = Option.getOrThrow(yield* campaigns.counters(ws, "camp_000001"))
            yield* Effect.yieldNow()
            yield* campaigns.saveCounters({ ...counters, attempts: counters.attempts + 1 })
          })
        )
      )
      assertSome(yield* both[1].campaigns.counters(ws, "camp_000001"), makeCounters(1, { attempts: 100 }))
    })
  )

  it.scoped("give a suite name to one of a hundred, be it a new one or renamed", () =>
    Effect.gen(function* () {
      const both = yield* two
      for (const n of racers) if (n % 3 === 0) yield* both[0].suites.insert(makeSuite(n))
      const named = yield* race(both, ({ suites }, n) => {
        const suite = makeSuite(n, { name: "Wanted" })
        return n % 3 === 0 ? suites.update(suite) : suites.insert(suite)
      })
      assert.strictEqual(named.filter((did) => did).length, 1)
    })
  )

  it.scoped("open the recipients of a hundred campaigns of as many workspaces at once", () =>
    Effect.gen(function* () {
      const both = yield* two
      const recipient = (n: number) => makeRecipient(n, { customer_id: `ws_${n}`, campaign_id: `camp_${n}` })
      const answers = yield* race(both, ({ recipients }, n) => recipients.insert([recipient(n)]))
      for (const answer of answers) assert.deepStrictEqual(answer, [null])
      for (const n of racers) {
        const { data } = yield* both[0].recipients.list(`ws_${n}`, `camp_${n}`, {}, page)
        assert.deepStrictEqual(data, [recipient(n)])
      }
    })
  )

  it.scoped("deliver the events of one lane one after the other, each once, while more are appended", () =>
    Effect.gen(function* () {
      const both = yield* two
      yield* both[0].webhooks.insert(makeWebhook(1))
      const delivered: Array<string> = []
      let underWay = 0
      const appended = yield* Effect.fork(
        race(both, ({ deliveries }, n) =>
          deliveries.append([{ event: makeEvent(n), deliveries: [makeDelivery(n)] }])
        )
      )
      const follow = Effect.fnUntraced(function* ({ deliveries }: Repository["Type"], now: number) {
        const claims = yield* deliveries.claim(ws, "whk_000001", start + now, start + 1e9, 9)
        for (const claim of claims) {
          let head = Option.some(claim)
          while (Option.isSome(head)) {
            underWay += 1
            assert.strictEqual(underWay, 1)
            delivered.push(head.value.delivery.id)
            yield* Effect.yieldNow()
            underWay -= 1
            head = yield* settle(deliveries, { ...head.value.delivery, status: "delivered" }, start + 1e9)
          }
        }
      })
      const deliver = (repository: Repository["Type"]) =>
        Effect.repeat(follow(repository, 1_000), { until: () => delivered.length === racers.length })
      yield* Effect.all(both.map(deliver), { concurrency: "unbounded" })
      yield* Fiber.join(appended)
      assert.strictEqual(new Set(delivered).size, racers.length)
    })
  )

  it.scoped("run units across workspaces, whichever they name and touch first", () =>
    Effect.gen(function* () {
      const both = yield* two
      yield* both[0].credits.append(ws, [makeEntry(1_000, 10_000)])
      yield* both[0].credits.append(other, [makeEntry(1_000, 10_000, { customer_id: other })])
      const move = ({ credits, transaction }: Repository["Type"], n: number) => {
        const [from, to] = n % 4 < 2 ? [ws, other] : [other, ws]
        return transaction(
          n % 3 === 0 ? [from, to] : [to, from],
          Effect.zipRight(
            credits.append(from, [makeEntry(n, -n, { customer_id: from })]),
            credits.append(to, [makeEntry(n, n, { customer_id: to })])
          )
        )
      }
      const moved = yield* race(both, move)
      assert.isTrue(moved.every((did) => did))
      const balances = yield* Effect.all([both[0].credits.balance(ws), both[1].credits.balance(other)])
      const out = racers.filter((n) => n % 4 < 2).reduce((sum, n) => sum + n, 0)
      const back = racers.filter((n) => n % 4 >= 2).reduce((sum, n) => sum + n, 0)
      assert.deepStrictEqual(balances, [10_000 - out + back, 10_000 + out - back])
    })
  )

  for (const mode of ["immediate", "fast"] as const) {
    it.scoped(
      `lose no unit that was answered, and keep none by half, when the server is stopped (${mode})`,
      () =>
        Effect.gen(function* () {
          const both = yield* two
          const answered = yield* Queue.unbounded<number>()
          const numbers = yield* Ref.make(0)
          const refused: Array<unknown> = []
          const write = ({ calls, transaction }: Repository["Type"]) =>
            Effect.gen(function* () {
              const n = yield* Ref.getAndUpdate(numbers, (last) => last + 2)
              const pair = Effect.zipRight(calls.insert(makeCall(n)), calls.insert(makeCall(n + 1)))
              const exit = yield* Effect.exit(transaction(ws, pair))
              if (Exit.isSuccess(exit)) yield* Queue.offer(answered, n)
              else refused.push(Cause.squash(exit.cause))
            })
          const writers = yield* Effect.forEach(Array.from({ length: 16 }), (_, n) =>
            Effect.fork(Effect.forever(write(both[n % 2 === 0 ? 0 : 1])))
          )
          const before = yield* Queue.takeN(answered, 200)
          yield* running().stop(mode)
          yield* running().start
          const through = yield* Queue.takeN(answered, 400)
          yield* Fiber.interruptAll(writers)
          const after = yield* Queue.takeAll(answered)

          assert.isNotEmpty(refused)
          for (const error of refused) assert.instanceOf(error, StoreUnavailable)
          const reader = both[0].calls
          for (const n of [...before, ...through, ...after]) {
            assertSome(yield* reader.get(ws, makeCall(n).call_id), makeCall(n))
          }
          for (let n = 0; n < (yield* Ref.get(numbers)); n += 2) {
            const [left, right] = [
              yield* reader.get(ws, makeCall(n).call_id),
              yield* reader.get(ws, makeCall(n + 1).call_id)
            ]
            assert.strictEqual(Option.isSome(left), Option.isSome(right))
          }
        })
    )
  }
})
