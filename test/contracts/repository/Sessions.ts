import { assert, describe } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import { Effect } from "effect"
import { draftOf } from "../../../core/model/agents/Agent.ts"
import type { Check } from "./Check.ts"
import { makeAgent, makeSession, other, page, start, ws } from "./Fixtures.ts"

export const sessionRows = (check: Check) => {
  describe("versions of agents", () => {
    const agent = makeAgent(1, { version: 1, unpublished_changes: true, prompt: "the draft" })
    const version = (n: number, prompt: string) => ({
      customer_id: ws,
      agent_id: agent.id,
      version: n,
      published_at: start + n,
      agent: draftOf({ ...agent, prompt })
    })

    check("are kept, listed newest first, and read by their workspace alone", ({ agents }) =>
      Effect.gen(function* () {
        const [first, second] = [version(1, "the first"), version(2, "the second")]
        yield* agents.insertVersion(first)
        yield* agents.insertVersion(second)
        assertSome(yield* agents.version(ws, agent.id, 1), first)
        assertNone(yield* agents.version(ws, agent.id, 3))
        assertNone(yield* agents.version(other, agent.id, 1))
        assert.deepStrictEqual(yield* agents.versions(ws, agent.id, page), {
          data: [second, first],
          total: 2
        })
        assert.deepStrictEqual(yield* agents.versions(ws, agent.id, { limit: 1, offset: 1 }), {
          data: [first],
          total: 2
        })
        assert.strictEqual((yield* agents.versions(other, agent.id, page)).total, 0)
      })
    )

    check("are what calls meet, where the agent has changed since", ({ agents }) =>
      Effect.gen(function* () {
        yield* agents.insert(agent)
        yield* agents.insertVersion(version(1, "the first"))
        assertSome(yield* agents.get(ws, agent.id), agent)
        assertSome(yield* agents.spoken(ws, agent.id), { ...agent, prompt: "the first" })
        yield* agents.update({ ...agent, unpublished_changes: false })
        assertSome(yield* agents.spoken(ws, agent.id), { ...agent, unpublished_changes: false })
        assertNone(yield* agents.spoken(other, agent.id))
      })
    )
  })

  describe("sessions", () => {
    check("come back as they were stored, once, to their workspace alone", ({ sessions }) =>
      Effect.gen(function* () {
        const session = makeSession(1)
        assert.isTrue(yield* sessions.insert(session))
        assert.isFalse(yield* sessions.insert({ ...session, model: "another" }))
        assertSome(yield* sessions.get(ws, session.session_id), session)
        assertNone(yield* sessions.get(other, session.session_id))
      })
    )

    check("are changed by a process that knows their version", ({ sessions }) =>
      Effect.gen(function* () {
        const session = makeSession(1)
        yield* sessions.insert(session)
        yield* sessions.charge(ws, session.session_id, 3)
        yield* sessions.charge(ws, session.session_id, 2)
        yield* sessions.charge(other, session.session_id, 9)
        const over = {
          ...session,
          status: "over" as const,
          reason: "idle_timeout" as const,
          ended_at: start + 9,
          turns: 7,
          settings: { ...session.settings, line: { ...session.settings.line, reportsPlayout: false } },
          first_token_ms: { median: 300, worst: 900 },
          review: {
            summary: "S",
            sentiment: null,
            qualification_status: "unknown" as const,
            answers: { a: 1 }
          },
          version: session.version + 1
        }
        assert.isTrue(yield* sessions.update(over))
        assert.isFalse(yield* sessions.update({ ...over, model: "late" }))
        assertSome(yield* sessions.get(ws, session.session_id), { ...over, credits: 5 })
      })
    )

    check("have a journal of numbered slices, each written once", ({ sessions }) =>
      Effect.gen(function* () {
        const append = (number: number, body: string, of = "sess_000001") =>
          sessions.append(ws, of, { number, body })
        for (let n = 1; n <= 11; n++) assert.isTrue(yield* append(n, `[${n}]`))
        assert.isFalse(yield* append(3, "[again]"))
        assert.isTrue(yield* append(1, "[other]", "sess_000002"))
        const slices = yield* sessions.slices(ws, "sess_000001", 0, 100)
        assert.deepStrictEqual(
          slices.map(({ body, number }) => [number, body]),
          Array.from({ length: 11 }, (_, i) => [i + 1, `[${i + 1}]`])
        )
        assert.deepStrictEqual(yield* sessions.slices(ws, "sess_000001", 2, 1), [{ number: 3, body: "[3]" }])
        assert.deepStrictEqual(yield* sessions.slices(other, "sess_000001", 0, 9), [])
      })
    )

    check("are told what was posted to them, in its order", ({ sessions }) =>
      Effect.gen(function* () {
        yield* sessions.post(ws, "sess_000001", { id: "evt_2", body: "second" })
        yield* sessions.post(ws, "sess_000001", { id: "evt_1", body: "first" })
        yield* sessions.post(ws, "sess_000002", { id: "evt_3", body: "other" })
        assert.deepStrictEqual(yield* sessions.posted(ws, "sess_000001", ""), [
          { id: "evt_1", body: "first" },
          { id: "evt_2", body: "second" }
        ])
        assert.deepStrictEqual(yield* sessions.posted(ws, "sess_000001", "evt_1"), [
          { id: "evt_2", body: "second" }
        ])
        assert.deepStrictEqual(yield* sessions.posted(other, "sess_000001", ""), [])
      })
    )

    check(
      "are reviewed when they are due, earliest first, and keep a workspace at work until then",
      (repository) =>
        Effect.gen(function* () {
          const { sessions, workspaces } = repository
          const due = (n: number, review_due_at: number | null, customer_id = ws) =>
            makeSession(n, { review_due_at, review_status: "due", customer_id })
          const [late, early] = [due(1, start + 5), due(2, start + 1)]
          for (const each of [late, early, due(3, null), due(4, start, other)]) yield* sessions.insert(each)
          assert.deepStrictEqual(yield* sessions.reviewable(ws, start + 5, 9), [early, late])
          assert.deepStrictEqual(yield* sessions.reviewable(ws, start + 4, 9), [early])
          assert.deepStrictEqual(yield* sessions.reviewable(ws, start + 5, 1), [early])
          assertSome(yield* sessions.nextReview(ws), start + 1)
          for (const each of [early, late]) {
            yield* sessions.update({ ...each, review_due_at: null, version: each.version + 1 })
          }
          assertNone(yield* sessions.nextReview(ws))
          assert.deepStrictEqual(yield* workspaces.withWork, [])
        })
    )

    check("are looked at earlier while they are not over, by who holds another version too", ({ sessions }) =>
      Effect.gen(function* () {
        const open = makeSession(1, { status: "open", review_due_at: start + 9 })
        const over = makeSession(2, { status: "over", review_due_at: start + 9 })
        const none = makeSession(3, { status: "open", review_due_at: null })
        for (const each of [open, over, none]) yield* sessions.insert(each)
        const stored = { ...open, review_due_at: start + 5 }
        for (const at of [start + 5, start + 7]) {
          for (const { session_id } of [open, over, none]) yield* sessions.lookAt(ws, session_id, at)
          yield* sessions.lookAt(other, open.session_id, start)
        }
        assert.deepStrictEqual(yield* sessions.reviewable(ws, start + 9, 9), [stored, over])
        assert.isTrue(yield* sessions.update({ ...open, version: open.version + 1 }))
      })
    )

    check("are found by the time of their end in all workspaces, until they are erased", ({ sessions }) =>
      Effect.gen(function* () {
        const ended = (n: number, customer_id: string, ended_at: number | null) =>
          makeSession(n, { customer_id, ended_at })
        const placeOf = ({ customer_id, ended_at, session_id }: ReturnType<typeof ended>) => ({
          ended_at: ended_at!,
          customer_id,
          session_id
        })
        const open = ended(1, ws, null)
        const rows = [ended(4, other, start), ended(2, ws, start + 1), ended(3, ws, start + 1)]
        for (const each of [open, ...rows.toReversed()]) yield* sessions.insert(each)
        const last = { ...open, ended_at: start + 5, version: open.version + 1 }
        yield* sessions.update(last)
        const all = [...rows, last].map(placeOf)
        assert.deepStrictEqual(yield* sessions.kept(start + 5, null, 9), all)
        assert.deepStrictEqual(yield* sessions.kept(Number.MAX_SAFE_INTEGER, null, 2), all.slice(0, 2))
        assert.deepStrictEqual(yield* sessions.kept(start + 4, null, 9), all.slice(0, 3))
        assert.deepStrictEqual(yield* sessions.kept(start + 5, all[1]!, 1), all.slice(2, 3))
        const own = all.filter(({ customer_id }) => customer_id === ws)
        assert.deepStrictEqual(yield* sessions.keptOf(ws, start + 5, null, 9), own)
        assert.deepStrictEqual(yield* sessions.keptOf(ws, start + 5, own[0]!, 1), own.slice(1, 2))
        assert.deepStrictEqual(yield* sessions.keptOf(ws, start - 1, null, 9), [])
        yield* sessions.erase(ws, rows[1]!.session_id)
        assert.deepStrictEqual(yield* sessions.kept(start + 5, null, 9), all.toSpliced(1, 1))
      })
    )

    check("are erased with all that was said, and the record stays", ({ sessions }) =>
      Effect.gen(function* () {
        const session = makeSession(1, {
          review_status: "done",
          review: { summary: "S", sentiment: null, qualification_status: "unknown", answers: {} }
        })
        yield* sessions.insert(session)
        yield* sessions.append(ws, session.session_id, { number: 1, body: "[]" })
        yield* sessions.append(ws, "sess_000002", { number: 1, body: "[2]" })
        yield* sessions.post(ws, session.session_id, { id: "evt_1", body: "first" })
        yield* sessions.erase(other, session.session_id)
        assertSome(yield* sessions.get(ws, session.session_id), session)
        yield* sessions.erase(ws, session.session_id)
        const erased = {
          ...session,
          variables: null,
          review: null,
          review_status: "none" as const,
          version: 2
        }
        assertSome(yield* sessions.get(ws, session.session_id), erased)
        assert.isFalse(yield* sessions.update({ ...session, version: 2 }))
        assert.deepStrictEqual(yield* sessions.slices(ws, session.session_id, 0, 9), [])
        assert.deepStrictEqual(yield* sessions.posted(ws, session.session_id, ""), [])
        assert.strictEqual((yield* sessions.slices(ws, "sess_000002", 0, 9)).length, 1)
      })
    )
  })
}
