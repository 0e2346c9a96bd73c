import { assert, describe } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import { Effect, Option } from "effect"
import { draftOf } from "../../../core/model/agents/Agent.ts"
import type { Check } from "./Check.ts"
import {
  makeAgent,
  makeAttempt,
  makeCall,
  makeCounters,
  makeDelivery,
  makeEntry,
  makeEvent,
  makeHold,
  makeKey,
  makeNumber,
  makePlay,
  makeRun,
  makeState,
  makeSuite,
  makeWebhook,
  makeWorkspace,
  other,
  page,
  settle,
  start,
  ws
} from "./Fixtures.ts"

export const tenants = (check: Check) => {
  describe("workspaces", () => {
    check("are stored, updated and listed newest first", ({ workspaces }) =>
      Effect.gen(function* () {
        const first = makeWorkspace()
        const second = makeWorkspace({ id: other, allowed_countries: [], allow_costly_destinations: true })
        yield* workspaces.insert(first)
        yield* workspaces.insert(second)
        assertSome(yield* workspaces.get(ws), first)
        assertNone(yield* workspaces.get("ws_c"))
        assert.deepStrictEqual(yield* workspaces.list(page), { data: [second, first], total: 2 })
        assert.deepStrictEqual(yield* workspaces.list({ limit: 1, offset: 1 }), { data: [first], total: 2 })
        const changed = makeWorkspace({ name: "B", calls_per_second: 9, updated_at: start + 1 })
        yield* workspaces.update(changed)
        assertSome(yield* workspaces.get(ws), changed)
        assertSome(yield* workspaces.get(other), second)
        yield* workspaces.update({ ...second, indexed_metadata_keys: [] })
        assert.deepStrictEqual(yield* workspaces.indexedKeys(ws), first.indexed_metadata_keys)
        assert.deepStrictEqual(yield* workspaces.indexedKeys(other), [])
        assert.deepStrictEqual(yield* workspaces.indexedKeys("ws_c"), [])
      })
    )

    check(
      "follow a clock that was set back: what it stored before is due as long after it as before",
      (repository) =>
        Effect.gen(function* () {
          const { attempts, calls, campaigns, deliveries, plays, webhooks, workspaces } = repository
          const now = start
          const ahead = start + 3_600_000
          yield* workspaces.insert(makeWorkspace())
          yield* calls.insert(makeCall(1, { updated_at: ahead, due_at: ahead }))
          yield* calls.insert(
            makeCall(2, { updated_at: ahead, due_at: ahead + 60, scheduled_for: ahead + 60 })
          )
          yield* calls.insert(makeCall(3, { updated_at: ahead, due_at: ahead - 60, scheduled_for: 7 }))
          yield* calls.insert(makeCall(4, { updated_at: now, due_at: ahead, scheduled_for: ahead }))
          yield* calls.insert(makeCall(5, { updated_at: ahead, due_at: ahead + 9, phase: "live" }))
          yield* calls.insert(makeCall(6, { updated_at: ahead, due_at: null, phase: "done" }))
          yield* calls.insert(makeCall(7, { updated_at: ahead, due_at: ahead, customer_id: other }))
          yield* attempts.insert(makeAttempt(1, { started_at: ahead, answered_at: ahead + 5 }))
          yield* attempts.insert(makeAttempt(2, { started_at: ahead, completed_at: ahead }))
          const dialling = makeState(1, {}, { work: "dial", due_at: ahead })
          const scheduled = makeState(2, { status: "scheduled" }, { work: "tend", due_at: ahead })
          const cancelled = makeState(3, { status: "cancelled" }, { work: "tend", due_at: ahead })
          for (const state of [dialling, scheduled, cancelled]) yield* campaigns.insert(state)
          yield* webhooks.insert(makeWebhook(1))
          yield* deliveries.append([
            {
              event: makeEvent(1, { created_at: ahead }),
              deliveries: [makeDelivery(1, { created_at: ahead, updated_at: ahead })]
            }
          ])
          yield* plays.insert([makePlay(1, { updated_at: ahead, due_at: ahead + 5 })])

          assert.isTrue(yield* workspaces.setBack(ws, now))
          const due = (n: number, of = ws) =>
            Effect.map(calls.get(of, `call_00000${n}`), (found) => {
              const { due_at, scheduled_for, updated_at, version } = Option.getOrThrow(found)
              return [due_at, scheduled_for, updated_at, version]
            })
          assert.deepStrictEqual(yield* due(1), [now, null, now, 1])
          assert.deepStrictEqual(yield* due(2), [now + 60, now + 60, now, 1])
          assert.deepStrictEqual(yield* due(3), [now, 7, now, 1])
          assert.deepStrictEqual(yield* due(4), [ahead, ahead, now, 0])
          assert.deepStrictEqual(yield* due(5), [now + 9, null, now, 1])
          assert.deepStrictEqual(yield* due(6), [null, null, ahead, 0])
          assert.deepStrictEqual(yield* due(7, other), [ahead, null, ahead, 0])
          const begun = yield* attempts.ofCall(ws, "call_000001")
          assert.deepStrictEqual(
            begun.map(({ answered_at, started_at }) => [started_at, answered_at]),
            [
              [now, now],
              [ahead, null]
            ]
          )
          const counters = yield* Effect.forEach([dialling, scheduled, cancelled], ({ campaign }) =>
            campaigns.counters(ws, campaign.id)
          )
          assert.deepStrictEqual(
            counters.map((found) => Option.getOrThrow(found).due_at),
            [now, ahead, now]
          )
          assertSome(yield* deliveries.nextDue(ws), now)
          assertSome(yield* plays.nextDue(ws, -1), now + 5)
          assert.isFalse(yield* workspaces.setBack(ws, now))
        })
    )

    check("have work while a test run or a play of it is open, or credits are held", (repository) =>
      Effect.gen(function* () {
        const { holds, plays, runs, workspaces } = repository
        for (const id of ["ws_a", "ws_b", "ws_c", "ws_d", "ws_e"])
          yield* workspaces.insert(makeWorkspace({ id }))
        yield* runs.insert(makeRun(1))
        yield* runs.insert(makeRun(2, { customer_id: "ws_b", status: "running" }))
        yield* runs.insert(makeRun(3, { customer_id: "ws_c", status: "completed" }))
        yield* plays.insert([makePlay(3, { customer_id: "ws_c", open: false, status: "pass" })])
        yield* plays.insert([makePlay(4, { customer_id: "ws_d" })])
        yield* holds.insert(makeHold(5, { customer_id: "ws_e" }))
        assert.deepStrictEqual(yield* workspaces.withWork, ["ws_a", "ws_b", "ws_d", "ws_e"])
        yield* runs.update(makeRun(1, { status: "cancelled" }))
        yield* holds.remove("ws_e", makeHold(5).id)
        assert.deepStrictEqual(yield* workspaces.withWork, ["ws_b", "ws_d"])
        yield* plays.close("ws_d", "run_000001", "cancelled", start)
        yield* runs.update(makeRun(2, { customer_id: "ws_b", status: "failed" }))
        assert.deepStrictEqual(yield* workspaces.withWork, [])
      })
    )

    check("have work while a call is not done, a campaign is due or a delivery is pending", (repository) =>
      Effect.gen(function* () {
        const { calls, campaigns, deliveries, workspaces } = repository
        for (const id of ["ws_a", "ws_b", "ws_c", "ws_d", "ws_e", "ws_f"])
          yield* workspaces.insert(makeWorkspace({ id }))
        assert.deepStrictEqual(yield* workspaces.withWork, [])
        yield* calls.insert(makeCall(1))
        yield* calls.insert(makeCall(2, { customer_id: "ws_b", phase: "live" }))
        yield* calls.insert(makeCall(3, { customer_id: "ws_c", phase: "done", due_at: null }))
        yield* deliveries.append([
          {
            event: makeEvent(4, { customer_id: "ws_d" }),
            deliveries: [makeDelivery(4, { customer_id: "ws_d" })]
          }
        ])
        yield* campaigns.insert(makeState(5, { customer_id: "ws_e" }, { due_at: start }))
        yield* campaigns.insert(makeState(6, { customer_id: "ws_f" }, { pending: 3 }))
        assert.sameMembers([...(yield* workspaces.withWork)], ["ws_a", "ws_b", "ws_d", "ws_e"])
        yield* campaigns.saveCounters(makeCounters(5, { customer_id: "ws_e", due_at: null }))
        yield* calls.update(makeCall(1, { phase: "done", due_at: null, version: 1 }))
        yield* settle(deliveries, makeDelivery(4, { customer_id: "ws_d", status: "delivered" }), start)
        assert.deepStrictEqual(yield* workspaces.withWork, ["ws_b"])
      })
    )
  })

  describe("apiKeys", () => {
    check("are found by their id alone, listed and revoked by their workspace only", ({ apiKeys }) =>
      Effect.gen(function* () {
        yield* apiKeys.insert(makeKey(1))
        yield* apiKeys.insert(makeKey(2, { scopes: [] }))
        assertSome(yield* apiKeys.get("key_000001"), makeKey(1))
        assertNone(yield* apiKeys.get("key_000009"))
        assert.deepStrictEqual((yield* apiKeys.list(ws, page)).data, [makeKey(2, { scopes: [] }), makeKey(1)])
        assert.deepStrictEqual(yield* apiKeys.list(other, page), { data: [], total: 0 })
        assert.isFalse(yield* apiKeys.revoke(other, "key_000001", start + 5))
        assert.isTrue(yield* apiKeys.revoke(ws, "key_000001", start + 5))
        assert.isFalse(yield* apiKeys.revoke(ws, "key_000001", start + 6))
        assert.isFalse(yield* apiKeys.revoke(ws, "key_000009", start + 6))
        const revoked = makeKey(1, { revoked_at: start + 5 })
        assertSome(yield* apiKeys.find(ws, "key_000001"), revoked)
        assertNone(yield* apiKeys.find(other, "key_000001"))
        assertSome(yield* apiKeys.get("key_000001"), revoked)
        assert.deepStrictEqual((yield* apiKeys.list(ws, { limit: 1, offset: 1 })).data, [revoked])
      })
    )
  })

  describe("the secret of tools", () => {
    check("is kept for each workspace, with the one before it", ({ workspaces }) =>
      Effect.gen(function* () {
        assertNone(yield* workspaces.toolSecret(ws))
        const first = { secret: "whsec_YQ==", previous_secret: null, previous_secret_until: null }
        yield* workspaces.keepToolSecret(ws, first)
        assertSome(yield* workspaces.toolSecret(ws), first)
        assertNone(yield* workspaces.toolSecret(other))
        for (const [fresh, before] of [["Yg", "YQ"] as const, ["Yw", "Yg"] as const]) {
          const rotated = {
            secret: `whsec_${fresh}==`,
            previous_secret: `whsec_${before}==`,
            previous_secret_until: start + 9
          }
          yield* workspaces.keepToolSecret(ws, rotated)
          assertSome(yield* workspaces.toolSecret(ws), rotated)
        }
      })
    )
  })

  describe("the use and the end of apiKeys", () => {
    check("are changed by their workspace only, and a use is noted unless a later one is", ({ apiKeys }) =>
      Effect.gen(function* () {
        const key = makeKey(1)
        yield* apiKeys.insert(key)
        yield* apiKeys.used(other, key.id, start + 5)
        yield* apiKeys.update({ ...key, customer_id: other, name: "theirs" })
        assertSome(yield* apiKeys.get(key.id), key)
        yield* apiKeys.used(ws, key.id, start + 5)
        yield* apiKeys.used(ws, key.id, start + 3)
        yield* apiKeys.update({ ...key, name: "mine", expires_at: start + 9, scopes: [], digest: "" })
        const changed = makeKey(1, { name: "mine", expires_at: start + 9, last_used_at: start + 5 })
        assertSome(yield* apiKeys.get(key.id), changed)
        assertSome(yield* apiKeys.find(ws, key.id), changed)
      })
    )
  })

  describe("credits", () => {
    check("sum up, entry by entry, to the balance", ({ credits }) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* credits.balance(ws), 0)
        assert.isTrue(yield* credits.append(ws, [makeEntry(1, 10)]))
        assert.isTrue(
          yield* credits.append(ws, [
            makeEntry(2, -7, { reference: "call_1" }),
            makeEntry(3, 2, { reference: "call_2" })
          ])
        )
        assert.isTrue(yield* credits.append(ws, []))
        assert.strictEqual(yield* credits.balance(ws), 5)
        assert.strictEqual(yield* credits.balance(other), 0)
        const { data, total } = yield* credits.list(ws, {}, page)
        assert.deepStrictEqual(
          data.map(({ amount }) => amount),
          [2, -7, 10]
        )
        assert.strictEqual(total, 3)
        assert.deepStrictEqual(yield* credits.list(ws, { reference: "call_1" }, page), {
          data: [makeEntry(2, -7, { reference: "call_1" })],
          total: 1
        })
        assert.deepStrictEqual(yield* credits.list(other, {}, page), { data: [], total: 0 })
      })
    )

    check("add no entry when the sum of them would take the balance below zero", ({ credits }) =>
      Effect.gen(function* () {
        assert.isFalse(yield* credits.append(ws, [makeEntry(1, -1)]))
        yield* credits.append(ws, [makeEntry(1, 3)])
        assert.isFalse(yield* credits.append(ws, [makeEntry(2, -3), makeEntry(3, -1)]))
        assert.isTrue(yield* credits.append(ws, [makeEntry(4, -4), makeEntry(5, 1)]))
        assert.strictEqual(yield* credits.balance(ws), 0)
        assert.strictEqual((yield* credits.list(ws, {}, page)).total, 3)
      })
    )

    check("are never overdrawn by a hundred racing movements", ({ credits, transaction }) =>
      Effect.gen(function* () {
        yield* credits.append(ws, [makeEntry(0, 30)])
        const took = yield* Effect.forEach(
          Array.from({ length: 100 }, (_, n) => n + 1),
          (n) => {
            const take = credits.append(ws, [makeEntry(n, -1)])
            return n % 2 === 0 ? take : transaction(ws, take)
          },
          { concurrency: "unbounded" }
        )
        assert.strictEqual(took.filter(Boolean).length, 30)
        assert.strictEqual(yield* credits.balance(ws), 0)
        assert.strictEqual((yield* credits.list(ws, {}, page)).total, 31)
      })
    )
  })

  describe("agents that are deleted", () => {
    check("go with their versions, and are told to be used while something names them", (repository) =>
      Effect.gen(function* () {
        const { agents, calls, campaigns, suites } = repository
        const { id } = makeAgent(1)
        yield* agents.insert(makeAgent(1))
        yield* agents.insert(makeAgent(1, { customer_id: other }))
        const version = {
          customer_id: ws,
          agent_id: id,
          version: 1,
          published_at: start,
          agent: draftOf(makeAgent(1))
        }
        yield* agents.insertVersion(version)
        yield* calls.insert(makeCall(1, { agent_id: id, phase: "done", due_at: null }))
        yield* calls.insert(makeCall(2, { agent_id: id, customer_id: other }))
        yield* campaigns.insert(makeState(1, { agent_id: id, status: "completed" }))
        assertNone(yield* agents.userOf(ws, id))
        yield* suites.insert(makeSuite(1, { agent_id: id }))
        assertSome(yield* agents.userOf(ws, id), { user: "suite_id", id: makeSuite(1).id })
        yield* calls.insert(makeCall(3, { agent_id: id, phase: "live" }))
        assertSome(yield* agents.userOf(ws, id), { user: "call_id", id: "call_000003" })
        yield* campaigns.insert(makeState(2, { agent_id: id, status: "draft" }))
        assertSome(yield* agents.userOf(ws, id), { user: "campaign_id", id: makeState(2).campaign.id })
        assert.isTrue(yield* agents.remove(ws, id))
        assert.isFalse(yield* agents.remove(ws, id))
        assertNone(yield* agents.get(ws, id))
        assertNone(yield* agents.version(ws, id, 1))
        assertSome(yield* agents.get(other, id), makeAgent(1, { customer_id: other }))
      })
    )
  })

  describe("phoneNumbers", () => {
    check("are unique in their workspace; the oldest is the first", ({ phoneNumbers }) =>
      Effect.gen(function* () {
        assertNone(yield* phoneNumbers.first(ws))
        assert.isTrue(yield* phoneNumbers.insert(makeNumber(1)))
        assert.isTrue(yield* phoneNumbers.insert(makeNumber(2)))
        assert.isFalse(yield* phoneNumbers.insert(makeNumber(3, { number: makeNumber(1).number })))
        assert.isTrue(
          yield* phoneNumbers.insert(makeNumber(4, { number: makeNumber(1).number, customer_id: other }))
        )
        assertSome(yield* phoneNumbers.first(ws), makeNumber(1))
        assert.deepStrictEqual(yield* phoneNumbers.list(ws, page), {
          data: [makeNumber(2), makeNumber(1)],
          total: 2
        })
        assertSome(yield* phoneNumbers.get(ws, "pn_000002"), makeNumber(2))
        assertNone(yield* phoneNumbers.get(other, "pn_000002"))
        assert.isFalse(yield* phoneNumbers.remove(other, "pn_000001"))
        assert.isTrue(yield* phoneNumbers.remove(ws, "pn_000001"))
        assert.isFalse(yield* phoneNumbers.remove(ws, "pn_000001"))
        assertSome(yield* phoneNumbers.first(ws), makeNumber(2))
        assert.isTrue(yield* phoneNumbers.insert(makeNumber(5, { number: makeNumber(1).number })))
      })
    )

    check("keep all but their label when they are updated", ({ phoneNumbers }) =>
      Effect.gen(function* () {
        yield* phoneNumbers.insert(makeNumber(1))
        yield* phoneNumbers.update(makeNumber(1, { label: "theirs", customer_id: other }))
        assertSome(yield* phoneNumbers.get(ws, "pn_000001"), makeNumber(1))
        yield* phoneNumbers.update(makeNumber(1, { label: null, number: "+1", created_at: 0 }))
        assertSome(yield* phoneNumbers.get(ws, "pn_000001"), makeNumber(1, { label: null }))
      })
    )

    check("have holders in as many workspaces as have the number", ({ phoneNumbers }) =>
      Effect.gen(function* () {
        const { number } = makeNumber(1)
        const mine = makeNumber(1)
        const theirs = makeNumber(4, { number, customer_id: other })
        assert.deepStrictEqual(yield* phoneNumbers.holders(number), [])
        for (const each of [mine, makeNumber(2), theirs, makeNumber(5, { customer_id: other })]) {
          yield* phoneNumbers.insert(each)
        }
        assert.sameDeepMembers([...(yield* phoneNumbers.holders(number))], [mine, theirs])
        assert.deepStrictEqual(yield* phoneNumbers.holders(makeNumber(2).number), [makeNumber(2)])
        for (const near of [number.slice(0, -1), `${number}0`, number.slice(1), ""]) {
          assert.deepStrictEqual(yield* phoneNumbers.holders(near), [])
        }
        yield* phoneNumbers.remove(ws, mine.id)
        assert.deepStrictEqual(yield* phoneNumbers.holders(number), [theirs])
      })
    )
  })

  describe("agents", () => {
    check("are stored, updated, and listed by whether they are published", ({ agents }) =>
      Effect.gen(function* () {
        const [a, b] = [makeAgent(1), makeAgent(2, { published: false, channel: "msg" })]
        yield* agents.insert(a)
        yield* agents.insert(b)
        assertSome(yield* agents.get(ws, a.id), a)
        assertNone(yield* agents.get(other, a.id))
        assert.deepStrictEqual(yield* agents.list(ws, {}, page), { data: [b, a], total: 2 })
        assert.deepStrictEqual(yield* agents.list(ws, { published: true }, page), { data: [a], total: 1 })
        assert.deepStrictEqual(yield* agents.list(other, {}, page), { data: [], total: 0 })
        const changed = { ...b, published: true, prompt: "New", updated_at: start + 9 }
        yield* agents.update(changed)
        yield* agents.update({ ...a, customer_id: other, name: "Stolen" })
        assert.deepStrictEqual(yield* agents.list(ws, { published: true }, page), {
          data: [changed, a],
          total: 2
        })
      })
    )
  })

  describe("webhooks", () => {
    check("are stored, updated, listed, and removed with their deliveries", (repository) =>
      Effect.gen(function* () {
        const { deliveries, webhooks } = repository
        const disabled = makeWebhook(2, { status: "disabled", disabled_reason: "gone", event_types: [] })
        yield* webhooks.insert(makeWebhook(1))
        yield* webhooks.insert(disabled)
        assertSome(yield* webhooks.get(ws, "whk_000001"), makeWebhook(1))
        assertNone(yield* webhooks.get(other, "whk_000001"))
        assert.deepStrictEqual(yield* webhooks.list(ws, page), { data: [disabled, makeWebhook(1)], total: 2 })
        assert.deepStrictEqual(yield* webhooks.list(other, page), { data: [], total: 0 })
        assert.deepStrictEqual(yield* webhooks.active(ws), [makeWebhook(1)])
        assert.deepStrictEqual(yield* webhooks.active(other), [])
        const rotated = makeWebhook(1, {
          secret: "whsec_bmV3",
          previous_secret: "whsec_c2VjcmV0",
          previous_secret_until: start
        })
        yield* webhooks.update(rotated)
        yield* webhooks.update({ ...disabled, customer_id: other, status: "active" })
        assert.deepStrictEqual(yield* webhooks.active(ws), [rotated])

        yield* deliveries.append([
          {
            event: makeEvent(1),
            deliveries: [
              makeDelivery(1),
              makeDelivery(2, { event_id: "evt_000001", webhook_id: "whk_000002" })
            ]
          }
        ])
        assert.isFalse(yield* webhooks.remove(other, "whk_000001"))
        assert.isTrue(Option.isSome(yield* deliveries.get(ws, "dlv_000001")))
        assert.isTrue(yield* webhooks.remove(ws, "whk_000001"))
        assert.isFalse(yield* webhooks.remove(ws, "whk_000001"))
        assertNone(yield* deliveries.get(ws, "dlv_000001"))
        assert.isTrue(Option.isSome(yield* deliveries.get(ws, "dlv_000002")))
      })
    )
  })

  describe("doNotCall", () => {
    check("keeps numbers once, by workspace, newest first", ({ doNotCall }) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* doNotCall.add(ws, ["+331", "+332", "+331"], start), 2)
        assert.strictEqual(yield* doNotCall.add(ws, ["+332", "+333"], start + 1), 1)
        assert.strictEqual(yield* doNotCall.add(ws, [], start + 1), 0)
        assert.isTrue(yield* doNotCall.contains(ws, "+331"))
        assert.isFalse(yield* doNotCall.contains(other, "+331"))
        assert.isFalse(yield* doNotCall.remove(other, "+331"))
        assert.deepStrictEqual(yield* doNotCall.list(ws, page), {
          data: [
            { number: "+333", created_at: start + 1 },
            { number: "+332", created_at: start },
            { number: "+331", created_at: start }
          ],
          total: 3
        })
        assert.deepStrictEqual(yield* doNotCall.list(other, page), { data: [], total: 0 })
        const sought = (phone_number: string) => doNotCall.list(ws, { ...page, phone_number })
        assert.deepStrictEqual(yield* sought("+332"), {
          data: [{ number: "+332", created_at: start }],
          total: 1
        })
        assert.deepStrictEqual(yield* sought("+33"), { data: [], total: 0 })
        assert.isTrue(yield* doNotCall.remove(ws, "+331"))
        assert.isFalse(yield* doNotCall.remove(ws, "+331"))
        assert.isFalse(yield* doNotCall.contains(ws, "+331"))
      })
    )

    check(
      "keeps the number of an erased person as a hash that still finds it",
      ({ doNotCall, transaction }) =>
        Effect.gen(function* () {
          const number = "+14155550123"
          yield* doNotCall.add(ws, [number, "+332"], start)
          assert.isTrue(yield* doNotCall.contains(ws, number))
          const undone = Effect.zipRight(doNotCall.erase(ws, number, "lost"), Effect.fail("no"))
          yield* Effect.flip(transaction(ws, undone))
          assert.isTrue(yield* doNotCall.contains(ws, number))
          for (const fresh of ["key", "another key"]) yield* doNotCall.erase(ws, number, fresh)
          yield* doNotCall.erase(ws, "+339", "key")
          const { data } = yield* doNotCall.list(ws, page)
          const [hashed] = data.filter((entry) => entry.number !== "+332")
          // HMAC-SHA-256 of the number, as openssl has it.
          const expected = "hmac-sha256:Ij9yNOz77j8Z1rlxTcXKU5P79m29RaHLI9yeWKMPNdI"
          assert.deepStrictEqual(hashed, { number: expected, created_at: start })
          assert.lengthOf(data, 2)
          assert.isTrue(yield* doNotCall.contains(ws, number))
          assert.isTrue(yield* doNotCall.contains(ws, "+332"))
          assert.isFalse(yield* doNotCall.contains(ws, "+339"))
          assert.isFalse(yield* doNotCall.contains(other, number))
          assert.deepStrictEqual(yield* doNotCall.among(ws, ["+331", number]), new Set([number]))
          assert.strictEqual(yield* doNotCall.add(ws, [number, "+333"], start + 1), 1)
          assert.deepStrictEqual(yield* doNotCall.list(ws, { ...page, phone_number: number }), {
            data: [hashed!],
            total: 1
          })
          assert.isTrue(yield* doNotCall.remove(ws, number))
          assert.isFalse(yield* doNotCall.contains(ws, number))
          assert.isFalse(yield* doNotCall.remove(ws, number))
        })
    )

    check("tells which of many numbers it has, whatever their number", ({ doNotCall }) =>
      Effect.gen(function* () {
        const numbers = Array.from({ length: 1_234 }, (_, n) => `+33${n}`)
        const listed = numbers.filter((_, n) => n % 7 === 0)
        yield* doNotCall.add(ws, listed, start)
        yield* doNotCall.add(other, numbers, start)
        assert.deepStrictEqual([...(yield* doNotCall.among(ws, numbers))].sort(), listed.toSorted())
        assert.deepStrictEqual(yield* doNotCall.among(ws, ["+337", "+338", "+337"]), new Set(["+337"]))
        assert.deepStrictEqual(yield* doNotCall.among(ws, []), new Set())
        assert.deepStrictEqual(yield* doNotCall.among("ws_c", numbers), new Set())
      })
    )
  })
}
