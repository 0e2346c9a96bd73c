import { Effect } from "effect"
import { assert, describe } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import { hour } from "../../../core/model/Codecs.ts"
import type { AuditEntry } from "../../../core/model/workspaces/Audit.ts"
import { noUsage, type UsageCount } from "../../../core/model/workspaces/Usage.ts"
import type { AuditFilter } from "../../../core/ports/AuditRows.ts"
import { idsFrom } from "../../../core/ports/Ids.ts"
import type { Check } from "./Check.ts"
import { makeAttempt, makeCall, makeEntry, makeRun, makeSession, other, page, ws } from "./Fixtures.ts"

const at = Date.UTC(2026, 2, 2, 9)
const day = Date.UTC(2026, 2, 2)

const sorted = <A extends UsageCount>(counts: ReadonlyArray<A>) =>
  counts.toSorted((a, b) => (`${a.campaign_id} ${a.agent_id}` < `${b.campaign_id} ${b.agent_id}` ? -1 : 1))

const entry = (n: number, over: Partial<AuditEntry> = {}): AuditEntry => ({
  id: `aud_${n}`,
  customer_id: ws,
  actor_kind: "api_key",
  actor: "key_1",
  operation: "updateCampaign",
  object_id: null,
  created_at: at,
  ...over
})

export const auditRows = (check: Check) =>
  describe("audit", () => {
    check(
      "is listed newest first, by actor, operation and object, for its workspace alone; of one id the first stays",
      ({ audit }) =>
        Effect.gen(function* () {
          const [first, second] = [entry(1, { object_id: "camp_1" }), entry(2, { actor: "key_2" })]
          const third = entry(3, { operation: "createAgent", actor_kind: "bearer" })
          for (const each of [first, second, third, entry(4, { customer_id: other })])
            yield* audit.append(each)
          yield* audit.append({ ...first, object_id: "camp_2" })
          const list = (filter: AuditFilter) => Effect.map(audit.list(ws, filter, page), ({ data }) => data)
          assert.deepStrictEqual(yield* list({}), [third, second, first])
          assert.deepStrictEqual(yield* list({ actor: "key_1" }), [third, first])
          assert.deepStrictEqual(yield* list({ operation: "createAgent" }), [third])
          assert.deepStrictEqual(yield* list({ object_id: "camp_1" }), [first])
          assert.deepStrictEqual(yield* list({ actor: "key_2", object_id: "camp_1" }), [])
        })
    )
  })

export const usageRows = (check: Check) =>
  describe("usage", () => {
    check("is counted from attempts, conversations and charges, by campaign and agent", (repository) =>
      Effect.gen(function* () {
        const { attempts, calls, credits, runs, sessions, usage } = repository
        yield* calls.insert(makeCall(1, { agent_id: "a", campaign_id: "c" }))
        yield* calls.insert(makeCall(2, { agent_id: "b", channel: "msg" }))
        yield* calls.insert(makeCall(3, { agent_id: "a", customer_id: other }))
        const attempt = { started_at: at + 1, call_id: "call_000001", campaign_id: "c", session_id: "sess_1" }
        yield* attempts.insert(
          makeAttempt(1, { ...attempt, outcome: "answered", duration_seconds: 61.5, started_at: at })
        )
        yield* attempts.insert(makeAttempt(2, { ...attempt, outcome: "busy", session_id: "sess_2" }))
        yield* attempts.insert(makeAttempt(3, { ...attempt, started_at: at + hour, session_id: "sess_3" }))
        yield* attempts.insert(
          makeAttempt(4, { call_id: "call_000002", campaign_id: null, channel: "msg", started_at: at + 5 })
        )
        yield* attempts.insert(
          makeAttempt(5, { call_id: "call_000003", customer_id: other, started_at: at + 5 })
        )
        yield* sessions.insert(makeSession(1, { session_id: "sess_1", agent_id: "a", turns: 7 }))
        yield* runs.insert(makeRun(1, { agent_id: "b" }))
        const entry = (n: number, when: number, of: Parameters<typeof makeEntry>[2]) =>
          makeEntry(n, n === 1 ? 100 : -n, { id: `${idsFrom("led", when)}${n}`, created_at: when, ...of })
        yield* credits.append(ws, [
          entry(1, at, { kind: "top_up" }),
          entry(2, at, { kind: "settle", reference: "call_000001" }),
          entry(3, at, { kind: "hold", reference: "call_000001" }),
          entry(4, at, { kind: "test", reference: makeRun(1).id }),
          entry(5, at, { kind: "generation", reference: "suite_gone" }),
          entry(6, at + hour, { kind: "settle", reference: "call_000001" })
        ])
        const counted = yield* usage.count(ws, at, at + hour)
        assert.deepStrictEqual(sorted(counted), [
          { ...noUsage, campaign_id: "", agent_id: "", credits: 5 },
          { ...noUsage, campaign_id: "", agent_id: "b", attempts: 1, messages: 1, credits: 4 },
          {
            campaign_id: "c",
            agent_id: "a",
            attempts: 2,
            reached: 1,
            seconds: 61.5,
            messages: 0,
            turns: 7,
            credits: 2
          }
        ])
        assert.deepStrictEqual(yield* usage.count(ws, 0, at), [])
        assertSome(yield* usage.next(ws, 0), at)
        assertSome(yield* usage.next(ws, at + 6), at + hour)
        assertNone(yield* usage.next(ws, at + 2 * hour))
        const list = (filter: Parameters<typeof credits.list>[1]) =>
          Effect.map(credits.list(ws, filter, page), ({ data }) => data.map(({ amount }) => amount))
        assert.deepStrictEqual(yield* list({ kind: "settle" }), [-6, -2])
        assert.deepStrictEqual(yield* list({ created_after: at + 1 }), [-6])
        assert.deepStrictEqual(yield* list({ kind: "settle", created_before: at + hour }), [-2])
      })
    )

    check("that is kept is summed by day, campaign and agent, for its workspace alone", ({ usage }) =>
      Effect.gen(function* () {
        const used = {
          campaign_id: "c",
          agent_id: "a",
          attempts: 2,
          reached: 1,
          seconds: 0.5,
          messages: 0,
          turns: 3,
          credits: 4
        }
        yield* usage.keep(ws, at, [used, { ...used, agent_id: "" }])
        yield* usage.keep(ws, at + hour, [used])
        yield* usage.keep(ws, at + 2 * hour, [])
        yield* usage.keep(ws, at + 24 * hour, [used])
        yield* usage.keep(other, at, [used])
        assert.deepStrictEqual(yield* usage.hours(ws, at, at + 3 * hour), [at, at + hour, at + 2 * hour])
        const twice = { ...used, attempts: 4, reached: 2, seconds: 1, turns: 6, credits: 8 }
        assert.deepStrictEqual(sorted(yield* usage.kept(ws, at, at + 3 * hour)), [
          { day, ...used, agent_id: "" },
          { day, ...twice }
        ])
        assert.lengthOf(yield* usage.kept(ws, at, at + 25 * hour), 3)
        assert.lengthOf(yield* usage.kept(other, at, at + hour), 1)
      })
    )
  })
