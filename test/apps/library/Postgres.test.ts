import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeOutdial } from "../../../apps/library/main.ts"
import { freshDatabase } from "../../adapters/sql/PostgresServer.ts"
import { onServer } from "../../adapters/sql/PostgresSuite.ts"

const settings = { OUTDIAL_SIMULATED_SPEED: "Infinity" }

onServer("the library on PostgreSQL", (running) => {
  it.live("ends a call, leaves no connection open, and reads the call when it is opened again", () =>
    Effect.gen(function* () {
      const { name, url } = yield* freshDatabase(running())
      const connections = Effect.map(
        running().sql<{ readonly open: number }>(
          `select count(*)::int as open from pg_stat_activity where datname = '${name}'`
        ),
        ([row]) => row!.open
      )
      // The server's side of a connection ends a moment after ours.
      const allClosed = Effect.timeout(
        Effect.repeat(connections, { until: (open) => open === 0 }),
        "5 seconds"
      )
      const outdial = yield* Effect.promise(() => makeOutdial({ store: url, settings }))
      const ended = yield* Effect.promise(async () => {
        const { id } = await outdial.workspaces.create({ name: "Acme" })
        const agent = await outdial.agents.create(id, { name: "Agent", prompt: "Call {{name}}" })
        await outdial.agents.update(id, agent.id, { published: true })
        await outdial.numbers.add(id, { number: "+14155550100" })
        await outdial.credits.topUp(id, 100)
        const events = outdial.events({ event_types: ["recording_completed"] })
        const draft = { agent_id: agent.id, to_number: "+14155550123", metadata: { order: 1 } }
        const { call_id } = await outdial.calls.place(id, draft)
        await events.next()
        return await outdial.calls.get(id, call_id)
      })
      assert.deepStrictEqual([ended.status, ended.outcome], ["completed", "answered"])
      assert.isAbove(yield* connections, 0)
      yield* Effect.promise(() => outdial.dispose())
      yield* allClosed

      const again = yield* Effect.promise(() => makeOutdial({ store: url, settings }))
      const { call_id, customer_id } = ended
      const read = yield* Effect.promise(() => again.calls.get(customer_id, call_id))
      yield* Effect.promise(() => again.dispose())
      assert.deepStrictEqual(read, ended)
      yield* allClosed
    })
  )
})
