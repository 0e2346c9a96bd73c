import { Effect, Layer } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { listOf } from "../../../adapters/sql/Calls.ts"
import { Database, type Param } from "../../../adapters/sql/Database.ts"
import { layer as repository } from "../../../adapters/sql/Repository.ts"
import { layer as sqlite } from "../../../adapters/sql/sqlite/Sqlite.ts"
import { noUsage } from "../../../core/model/workspaces/Usage.ts"
import { platformWide, Repository } from "../../../core/ports/Repository.ts"
import {
  makeAttempt,
  makeCall,
  makeCampaign,
  makeCounters,
  makeDelivery,
  makeEntry,
  makeEvent,
  makeHold,
  makeImport,
  makePlay,
  makeRecipient,
  makeRun,
  makeSession,
  makeState,
  makeSuite,
  makeTemplate,
  page,
  settle,
  ws
} from "../../contracts/repository/Fixtures.ts"
import { temporaryFile } from "./TemporaryFile.ts"

const filters = [
  {},
  { status: "queued" },
  { agent_id: "a" },
  { campaign_id: "c" },
  { created_after: 1, created_before: 2 },
  { status: "failed", created_after: 1 },
  { status: ["failed", "queued", "ringing"] },
  { outcome: "busy" },
  { from_phone_number_id: "pn_1" },
  { to_number: "+14155550123" },
  { to_number: "0123" },
  { to_number: "550123" },
  { idempotency_key: "k" },
  { session_id: "sess_1" },
  { metadata: { order: "17" } },
  { any_metadata: { keys: ["order", "source"], value: "17" } },
  { metadata: { order: "17", source: "web" }, status: ["failed", "queued"], outcome: "busy" },
  { agent_id: "a", status: "queued", campaign_id: "c", created_before: 3 }
] as const

const attemptFilters = [
  {},
  { status: "failed" },
  { outcome: "busy" },
  { created_after: 1, created_before: 2 },
  { channel: "voice" },
  { status: "failed", channel: "voice" },
  { recipient_id: "r" },
  { recipient_id: "r", status: "failed", channel: "voice" }
] as const

const campaignFilters = [
  {},
  { status: "running" },
  { agent_id: "a" },
  { created_after: 1, created_before: 2 },
  { agent_id: "a", status: "running" }
] as const

const runFilters = [
  {},
  { suite_id: "s" },
  { agent_id: "a" },
  { status: "running" },
  { suite_id: "s", status: "running" }
] as const

const ofSuites = ({
  holds,
  plays,
  runs,
  suites
}: Pick<Repository["Type"], "suites" | "runs" | "plays" | "holds">) =>
  Effect.all([
    suites.insert(makeSuite(1)),
    suites.get(ws, "s"),
    suites.nameExists(ws, "n"),
    suites.list(ws, {}, page),
    suites.list(ws, { agent_id: "a" }, page),
    suites.update(makeSuite(1)),
    suites.remove(ws, "s"),
    runs.insert(makeRun(1)),
    runs.get(ws, "r"),
    Effect.forEach(runFilters, (filter) => runs.list(ws, filter, page)),
    runs.update(makeRun(1)),
    runs.overdue(ws, 1),
    runs.nextDeadline(ws),
    plays.insert([makePlay(1)]),
    plays.get(ws, "p"),
    plays.ofRun(ws, "r"),
    plays.behind(ws, "r", 1, 1),
    plays.due(ws, 1, 1),
    plays.nextDue(ws, 1),
    plays.update(makePlay(1)),
    plays.close(ws, "r", "cancelled", 1),
    holds.insert(makeHold(1)),
    holds.expired(ws, 1),
    holds.nextExpiry(ws),
    holds.remove(ws, "h")
  ])

const templateFilters = [
  {},
  { name: "n" },
  { status: "approved" },
  { language: "en" },
  { category: "utility" },
  { name: "n", language: "en" },
  { status: "approved", language: "en", category: "utility" }
] as const

const ofTemplates = ({ templates }: Pick<Repository["Type"], "templates">) =>
  Effect.all([
    templates.insert(makeTemplate(1)),
    templates.get(ws, "t"),
    templates.find(ws, "n", "en"),
    Effect.forEach(templateFilters, (filter) => templates.list(ws, filter, page)),
    templates.update(makeTemplate(1)),
    templates.remove(ws, "t")
  ])

const valueFilters = [
  { sentiment: "positive" },
  { qualification_status: "qualified", answers: { budget: "high" } },
  { variables: { city: "Paris" }, status: "completed" }
] as const

const ofCampaigns = ({
  campaigns,
  imports,
  recipients
}: Pick<Repository["Type"], "campaigns" | "imports" | "recipients">) =>
  Effect.all([
    Effect.forEach(campaignFilters, (filter) => campaigns.list(ws, filter, page)),
    campaigns.insert(makeState(1)),
    campaigns.get(ws, "c"),
    campaigns.update(makeCampaign(1)),
    campaigns.counters(ws, "c"),
    campaigns.saveCounters(makeCounters(1)),
    campaigns.due(ws, "dial", 1, 1),
    campaigns.nextDue(ws, "dial", 1),
    campaigns.countOutcome(ws, "c", 0, "busy", 1),
    campaigns.outcomes(ws, "c", 0, 1, 1),
    recipients.insert([makeRecipient(1), makeRecipient(1, { id: "r" })]),
    recipients.get(ws, "c", "r"),
    recipients.list(ws, "c", {}, page),
    recipients.list(ws, "c", { status: "failed" }, page),
    recipients.list(ws, "c", { phone_number: "+14155550123" }, page),
    recipients.list(ws, "c", { phone_number: "0123" }, page),
    Effect.forEach(valueFilters, (filter) =>
      Effect.forEach([page, { ...page, after: "r" }, { ...page, before: "r" }], (slice) =>
        recipients.list(ws, "c", filter, slice)
      )
    ),
    recipients.index(makeRecipient(1), "review", [["sentiment", "positive"]]),
    recipients.index(makeRecipient(1), "variables", [["variables.city", "Paris"]]),
    recipients.removeOne(ws, "c", "r"),
    recipients.after(ws, "c", "r", 1),
    recipients.pending(ws, "c", null, 1),
    recipients.zones(ws, "c"),
    recipients.open(ws, "c"),
    recipients.update(makeRecipient(1)),
    recipients.heard(ws, "pn_1", "+14155550123", 1, "Yes"),
    recipients.skip(ws, "c", 1, 1),
    imports.insert(makeImport(1), 1),
    imports.renew(makeImport(1), 1),
    imports.overdue(1, 1),
    imports.getOverdue(makeImport(1), 1),
    imports.get(ws, "c", "i"),
    imports.list(ws, "c", page),
    imports.update(makeImport(1))
  ])

const verbs = ({ attempts, calls, credits, deliveries, doNotCall, webhooks, ...rest }: Repository["Type"]) =>
  Effect.all([
    ofCampaigns(rest),
    rest.phoneNumbers.holders("+14155550100"),
    ofSuites(rest),
    ofTemplates(rest),
    Effect.forEach(attemptFilters, (filter) => attempts.ofCampaign(ws, "c", filter, page)),
    Effect.forEach(attemptFilters, (filter) => attempts.countOfCampaign(ws, "c", filter)),
    Effect.forEach(filters, (filter) => calls.list(ws, filter, page)),
    Effect.forEach(filters, (filter) => calls.list(ws, filter, { ...page, after: "call_1" })),
    Effect.forEach(filters, (filter) => calls.list(ws, filter, { ...page, before: "call_1" })),
    Effect.forEach(attemptFilters, (filter) => attempts.ofCampaign(ws, "c", filter, { ...page, after: "a" })),
    Effect.forEach(attemptFilters, (filter) =>
      attempts.ofCampaign(ws, "c", filter, { ...page, before: "a" })
    ),
    calls.insert(makeCall(1, { idempotency_key: "k" })),
    calls.insert(makeCall(2, { idempotency_key: "k" })),
    calls.update(makeCall(1, { version: 1 })),
    calls.get(ws, "call_1"),
    calls.many(ws, ["call_1"]),
    calls.dialable(ws, null, 1, 1),
    calls.dialable(ws, "c", 1, 1),
    calls.overdue(ws, 1, 1),
    calls.live(ws, "", 1),
    calls.countLive(ws),
    calls.countByStatus(ws, ["call_1", "call_2"]),
    calls.nextWaiting(ws, null),
    calls.nextWaiting(ws, "c"),
    calls.nextOverdue(ws),
    attempts.insert(makeAttempt(1)),
    attempts.update(makeAttempt(1)),
    attempts.get(ws, "a"),
    attempts.many(ws, ["a"]),
    attempts.ofCall(ws, "call_1"),
    attempts.spentOn(ws, ["call_1"]),
    attempts.startedSince(ws, null, 0),
    attempts.startedSince(ws, "c", 0),
    attempts.observed(ws, "c", 0, 1),
    attempts.observed(ws, null, 0, 1),
    credits.append(ws, [makeEntry(1, 1)]),
    credits.list(ws, {}, page),
    credits.list(ws, { reference: "r" }, page),
    credits.list(ws, { kind: "top_up" }, page),
    credits.list(ws, { kind: "settle", created_after: 1, created_before: 2 }, page),
    rest.people.calls(ws, "+1", "", 1),
    rest.people.keptCalls(ws, 1, { last_digits: "1", created_at: 1, call_id: "c" }, 1),
    rest.people.recipients(ws, "+1"),
    rest.people.eraseCall(ws, "call_1"),
    rest.people.eraseRecipient(makeRecipient(1)),
    rest.people.eraseEvents(ws, new Set(["call_000001"]), "", 9),
    rest.audit.list(ws, {}, page),
    rest.audit.list(ws, { actor: "a" }, page),
    rest.audit.list(ws, { operation: "o" }, page),
    rest.audit.list(ws, { object_id: "i" }, page),
    rest.usage.count(ws, 1, 2),
    rest.usage.next(ws, 1),
    rest.usage.keep(ws, 0, [{ ...noUsage, campaign_id: "c", agent_id: "a" }]),
    rest.usage.hours(ws, 1, 2),
    rest.usage.kept(ws, 1, 2),
    rest.agents.userOf(ws, "a"),
    rest.campaigns.remove(ws, "c"),
    rest.recipients.many(ws, "c", ["r"]),
    rest.recipients.remove(ws, "c", 1),
    deliveries.append([{ event: makeEvent(1), deliveries: [makeDelivery(1)] }]),
    deliveries.append([{ event: makeEvent(2), deliveries: [makeDelivery(2)] }]),
    deliveries.claim(ws, "whk_000001", Infinity, 1, 1),
    settle(deliveries, makeDelivery(1, { status: "delivered" }), 1),
    deliveries.redeliver(makeDelivery(1, { next_attempt_at: 1 })),
    deliveries.list(ws, { webhook_id: "w" }, page),
    deliveries.list(ws, { webhook_id: "w", status: "dead" }, page),
    deliveries.list(ws, { webhook_id: "w", call_id: "call_1" }, page),
    deliveries.list(ws, { webhook_id: "w", call_id: "call_1", status: "dead" }, page),
    deliveries.nextDue(ws),
    deliveries.bury(ws, "w", 1),
    webhooks.active(ws),
    webhooks.remove(ws, "w"),
    doNotCall.contains(ws, "+1"),
    doNotCall.among(ws, ["+1"]),
    doNotCall.add(ws, ["+1"], 1),
    doNotCall.erase(ws, "+1", "k"),
    doNotCall.remove(ws, "+1"),
    doNotCall.list(ws, page),
    doNotCall.list(ws, { ...page, phone_number: "+1" }),
    rest.recordings.ofSession(ws, "s", page),
    rest.recordings.get(ws, "r"),
    rest.recordings.erase(ws, "r"),
    rest.recordings.kept(1, null, 1),
    rest.recordings.keptOf(ws, 1, null, 1),
    rest.recordings.secret("s"),
    rest.agents.spoken(ws, "a"),
    rest.agents.version(ws, "a", 1),
    rest.agents.versions(ws, "a", page),
    rest.sessions.insert(makeSession(1)),
    rest.sessions.update(makeSession(1)),
    rest.sessions.lookAt(ws, "s", 1),
    rest.sessions.get(ws, "s"),
    rest.sessions.append(ws, "s", { number: 1, body: "" }),
    rest.sessions.slices(ws, "s", 0, 1),
    rest.sessions.post(ws, "s", { id: "e", body: "" }),
    rest.sessions.posted(ws, "s", ""),
    rest.sessions.reviewable(ws, 1, 1),
    rest.sessions.nextReview(ws),
    rest.sessions.erase(ws, "s"),
    rest.sessions.kept(1, null, 1),
    rest.sessions.keptOf(ws, 1, null, 1),
    rest.apiKeys.get("k"),
    rest.apiKeys.list(ws, page),
    rest.phoneNumbers.first(ws),
    rest.phoneNumbers.list(ws, page),
    rest.agents.list(ws, {}, page),
    rest.workspaces.withWork,
    rest.workspaces.setBack(ws, 1)
  ])

/** Every statement of the verbs above, with the steps that SQLite runs it in. */
const plans = Effect.gen(function* () {
  const database = yield* Database
  const seen = new Map<string, ReadonlyArray<Param>>()
  const noting = Database.of({
    ...database,
    all: <Row extends object>(workspace_id: string, sql: string, params: ReadonlyArray<Param>) =>
      Effect.zipRight(
        Effect.sync(() => seen.set(sql, params)),
        database.all<Row>(workspace_id, sql, params)
      ),
    read: (workspace_id, sql, params, made) =>
      Effect.zipRight(
        Effect.sync(() => seen.set(sql, params)),
        database.read(workspace_id, sql, params, made)
      ),
    aside: <Row extends object>(workspace_id: string, sql: string, params: ReadonlyArray<Param>) =>
      Effect.zipRight(
        Effect.sync(() => seen.set(sql, params)),
        database.aside<Row>(workspace_id, sql, params)
      ),
    run: (workspace_id, sql, params) =>
      Effect.zipRight(
        Effect.sync(() => seen.set(sql, params)),
        database.run(workspace_id, sql, params)
      ),
    alone: (workspace_id, sql, params) =>
      Effect.zipRight(
        Effect.sync(() => seen.set(sql, params)),
        database.alone(workspace_id, sql, params)
      )
  })
  yield* Effect.flatMap(Repository, verbs).pipe(
    Effect.provide(Layer.provide(repository, Layer.succeed(Database, noting)))
  )
  return yield* Effect.forEach(seen, ([sql, params]) =>
    Effect.map(
      database.all<{ readonly detail: string }>(platformWide, `explain query plan ${sql}`, params),
      (rows) => ({
        sql,
        steps: rows.map(({ detail }) => detail)
      })
    )
  )
})

const withFile = Layer.unwrapScoped(Effect.map(temporaryFile, (filename) => sqlite({ filename })))

describe("SQL on SQLite", () => {
  it.effect("names the columns that it reads: a column that a later version adds changes no answer", () =>
    Effect.gen(function* () {
      for (const { sql } of yield* plans) assert.notMatch(sql, /(select|returning|,) (\w+\.)?\*/)
    }).pipe(Effect.provide(withFile))
  )

  it.effect("finds in an index whatever it looks for", () =>
    Effect.gen(function* () {
      for (const { sql, steps } of yield* plans) {
        for (const step of steps) {
          if (/^SCAN (w|newest|near|one_\d|merged|CONSTANT ROW|workspaces|queues|endings)\b/.test(step))
            continue
          assert.notMatch(step, /^SCAN/, sql)
        }
      }
    }).pipe(Effect.provide(withFile))
  )

  it.effect("skips to a page in an index alone, and reads its rows by their key", () =>
    Effect.gen(function* () {
      const lists = (yield* plans).filter(
        ({ sql }) => sql.includes("limit ? offset ?") && sql.includes(") in (select")
      )
      assert.isAtLeast(lists.length, filters.length)
      for (const { sql, steps } of lists) {
        assert.match(
          steps[0]!,
          /^SEARCH \w+ USING INDEX \w+ \(((customer_id|campaign_id|list)=\? AND )*((call_)?id=\?|number=\?|agent_id=\? AND version=\?)\)/,
          sql
        )
        // Beside the sort of the page itself there is none: the index has the order.
        // A recipient has few attempts, and few numbers have one end: those are looked for in an index by number.
        const sorts = steps.filter((step) => step.includes("TEMP B-TREE")).length
        assert.isAtMost(
          sorts,
          /recipient_id = \?|phone_number % \?/.test(sql)
            ? 2
            : sql.includes(" union select")
              ? 4
              : sql.includes("merged")
                ? 3
                : 1,
          `${sql}\n${steps}`
        )
      }
      // Filters that no one index holds read the rows that the best one finds; a session has few recordings, a
      // recipient few attempts, a name few languages, a call few deliveries, a number one place on a list.
      const exempt =
        /(agent_id|kind|status|suite_id) = \? and \w|from recordings|recipient_id = |phone_number (=|%) |and number = |idempotency_key = |calls.call_id = |call_id = \? and event_type|name = \? and \w/
      const plain = lists.filter(({ sql }) => !exempt.test(sql))
      assert.isAtLeast(plain.length, 10)
      for (const { sql, steps } of plain) assert.match(steps.join("\n"), /COVERING INDEX/, sql)
      const ofCalls = lists.filter(({ sql }) => sql.includes("call_id = ? and event_type"))
      assert.lengthOf(ofCalls, 2)
      for (const { steps } of ofCalls) {
        assert.match(steps.join("\n"), /INDEX deliveries_by_call \(customer_id=\? AND call_id=\?\)/)
      }
    }).pipe(Effect.provide(withFile))
  )

  it.effect("counts a step of calls in the range of an index that the filter and the order give", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const indexes = [
        [{}, "calls_by_time", ""],
        [{ status: "failed" }, "calls_by_status", " AND status=?"],
        [{ status: ["failed", "queued"] }, "calls_by_status", " AND status=?"],
        [{ outcome: "busy" }, "calls_by_outcome", " AND outcome=?"],
        [{ agent_id: "a" }, "calls_by_agent", " AND agent_id=?"],
        [{ campaign_id: "c" }, "calls_by_campaign", " AND campaign_id=?"],
        [{ from_phone_number_id: "pn_1" }, "calls_by_sender", " AND from_phone_number_id=?"],
        [{ to_number: "0123" }, "calls_by_last_digits", " AND <expr>=?"]
      ] as const
      for (const [filter, index, columns] of indexes) {
        const steps = listOf(ws, filter).texts.steps!
        const range = "AND (created_at,call_id)>(?,?) AND (created_at,call_id)<(?,?)"
        const ofTime = "SEARCH calls USING COVERING INDEX calls_by_time (customer_id=? "
        const found = `SEARCH calls USING COVERING INDEX ${index} (customer_id=?${columns} ${range})`
        const ends = index === "calls_by_status" ? `${ofTime}${range})` : found
        for (const [text, expected] of [
          [steps.between, found],
          [steps.end, ends]
        ] as const) {
          const params = text
            .split("?")
            .slice(1)
            .map(() => "")
          const plan = yield* database.all<{ readonly detail: string }>(
            ws,
            `explain query plan ${text}`,
            params
          )
          assert.deepStrictEqual(
            plan.map(({ detail }) => detail),
            [expected],
            text
          )
        }
      }
    }).pipe(Effect.provide(withFile))
  )

  it.effect("finds a page of a range of times from the place on that is asked for", () =>
    Effect.gen(function* () {
      const pages = (yield* plans).filter(({ sql }) => /created_at \+ 0 (>=|<) \?/.test(sql))
      assert.isAtLeast(pages.length, 6)
      for (const { sql, steps } of pages) {
        const isAfter = sql.includes("created_at + 0 <")
        const place = isAfter ? /created_at,(call_)?id\)<\(\?,\?\)/ : /created_at,(call_)?id\)>\(\?,\?\)/
        assert.match(steps.join("\n"), place, `${sql}\n${steps.join("\n")}`)
      }
    }).pipe(Effect.provide(withFile))
  )

  it.effect("finds due and live calls in an index of their own, in its order", () =>
    Effect.gen(function* () {
      const due = (yield* plans).filter(({ sql }) =>
        /from calls where .*\bphase = '(waiting|live)'/.test(sql)
      )
      assert.strictEqual(due.length, 8)
      for (const { sql, steps } of due) {
        const indexes = sql.includes("'waiting'")
          ? [/INDEX calls_waiting \(customer_id=\? AND campaign_id=\?/]
          : sql.includes("'done'")
            ? [/INDEX calls_under_way \(customer_id=\?/, /INDEX calls_unrecorded \(customer_id=\?/]
            : [/INDEX calls_under_way \(customer_id=\?/]
        const searches = steps.filter((step) => step.includes("INDEX calls"))
        assert.strictEqual(searches.length, indexes.length, sql)
        for (const [i, index] of indexes.entries()) {
          assert.match(searches[i]!, index, sql)
          assert.match(searches[i]!, /due_at[<>]/, sql)
        }
      }
      const sorted = due.filter(({ steps }) => steps.some((step) => step.includes("TEMP B-TREE")))
      assert.strictEqual(sorted.length, 1)
    }).pipe(Effect.provide(withFile))
  )

  it.effect("finds a campaign's attempts by campaign, or by recipient, in their order", () =>
    Effect.gen(function* () {
      const lists = (yield* plans).filter(
        ({ sql }) =>
          sql.includes(" from attempts ") &&
          /campaign_id( \|\| '')? = \?/.test(sql) &&
          !/newest.channel|from attempts a /.test(sql)
      )
      assert.strictEqual(lists.length, 4 * attemptFilters.length + 1)
      for (const { sql, steps } of lists) {
        const search = steps.find((step) => step.includes("customer_id=? AND") && !step.includes(" id=?"))!
        const before = String.raw`\(created_at,id\)<\(\?,\?\)`
        const after = String.raw`\(created_at,id\)>\(\?,\?\)`
        const times = String.raw`created_at>\? AND (created_at<\?|${before})|${after} AND created_at<\?`
        const place = String.raw`( AND (${before}|${after}|${times}))?\)`
        const by = (name: string, columns: string) =>
          new RegExp(`INDEX ${name} \\(customer_id=\\? AND ${columns}=\\?${place}`)
        const index = sql.includes("recipient_id = ?")
          ? by("attempts_recipient", "recipient_id")
          : sql.startsWith("select started_at")
            ? /COVERING INDEX attempts_started \(customer_id=\? AND started_at>\?\)/
            : sql.includes("status = ?")
              ? by("attempts_by_status", "campaign_id=\\? AND status")
              : sql.includes("outcome = ?")
                ? by("attempts_by_outcome", "campaign_id=\\? AND outcome")
                : by("attempts_by_time", "campaign_id")
        assert.match(search, index, `${sql}\n${steps.join("\n")}`)
      }
    }).pipe(Effect.provide(withFile))
  )

  it.effect("counts the newest calls in the order of an index", () =>
    Effect.gen(function* () {
      const counted = (yield* plans).filter(({ sql }) => sql.includes("newest.channel"))
      assert.strictEqual(counted.length, 4)
      for (const { sql, steps } of counted) {
        const index = sql.includes("started_at >= ?")
          ? "attempts_started (customer_id=? AND started_at>?)"
          : "attempts_by_time (customer_id=? AND campaign_id=? AND created_at>?)"
        const found = steps.filter((step) => step.includes(" attempts "))
        assert.deepStrictEqual(found, [`SEARCH attempts USING INDEX ${index}`], steps.join("\n"))
        assert.isFalse(
          steps.some((step) => step.endsWith("FOR ORDER BY")),
          steps.join("\n")
        )
      }
    }).pipe(Effect.provide(withFile))
  )

  it.effect("counts calls that are named by one search for each, however many others there are", () =>
    Effect.gen(function* () {
      const [statuses, ...rest] = (yield* plans).filter(({ sql }) => sql.startsWith("select status, version"))
      assert.deepStrictEqual(rest, [])
      assert.deepStrictEqual(statuses!.steps, [
        "SEARCH calls USING INDEX sqlite_autoindex_calls_1 (customer_id=? AND call_id=?)"
      ])
    }).pipe(Effect.provide(withFile))
  )

  it.effect("tells the zones of pending recipients by one search for each", () =>
    Effect.gen(function* () {
      const [zones, ...rest] = (yield* plans).filter(({ sql }) => sql.startsWith("with recursive queues"))
      assert.deepStrictEqual(rest, [])
      const searches = zones!.steps.filter((step) => step.includes(" recipients "))
      assert.deepStrictEqual(searches, [
        "SEARCH recipients USING COVERING INDEX recipients_pending (list=?)",
        "SEARCH recipients USING COVERING INDEX recipients_pending (list=? AND queue>?)"
      ])
    }).pipe(Effect.provide(withFile))
  )

  it.effect("finds calls by their age by searches for endings of their numbers, in an index", () =>
    Effect.gen(function* () {
      const seen = yield* plans
      const searches = (start: string) => {
        const [found, ...rest] = seen.filter(({ sql }) => sql.startsWith(start))
        assert.deepStrictEqual(rest, [])
        assert.notInclude(found!.steps.join(), "TEMP B-TREE")
        return found!.steps.filter((step) => step.includes(" calls "))
      }
      const by = (columns: string) => `INDEX calls_by_last_digits (customer_id=? AND <expr>${columns})`
      assert.deepStrictEqual(searches("with recursive endings"), [
        `SEARCH calls USING COVERING ${by(">?")}`,
        `SEARCH calls USING COVERING ${by(">?")}`,
        `SEARCH calls USING ${by("=? AND created_at<?")}`
      ])
      assert.deepStrictEqual(searches("select substr(to_number"), [
        `SEARCH calls USING ${by("=? AND created_at<?")}`
      ])
    }).pipe(Effect.provide(withFile))
  )

  it.effect("takes pending recipients and due campaigns from an index, in its order", () =>
    Effect.gen(function* () {
      const seen = yield* plans
      const stepsOf = (text: RegExp) => {
        const found = seen.filter(({ sql }) => text.test(sql))
        assert.strictEqual(found.length, 1, String(text))
        assert.notMatch(found[0]!.steps.join(), /TEMP B-TREE/)
        return found[0]!.steps.join("\n")
      }
      assert.match(stepsOf(/queue = \? order by id/), /recipients_pending \(list=\? AND queue=\?\)/)
      assert.match(
        stepsOf(/from recipients where list = \(select[^)]*\) and id > \? order by id/),
        /\(list=\? AND id>\?\)/
      )
      assert.match(stepsOf(/^update recipients set status = 'skipped'/), /recipients_pending \(list=\?\)/)
      assert.match(
        stepsOf(/tallies\.due_at <= \?/),
        /^SEARCH tallies USING INDEX tallies_due \(customer_id=\? AND work=\? AND due_at<\?\)/
      )
      assert.match(
        stepsOf(/from tallies .* due_at > \?/),
        /tallies_due \(customer_id=\? AND work=\? AND due_at>\?\)/
      )
    }).pipe(Effect.provide(withFile))
  )

  it.effect("takes what is due of test runs from an index, in its order", () =>
    Effect.gen(function* () {
      const seen = yield* plans
      const stepsOf = (text: RegExp) => {
        const found = seen.filter(({ sql }) => text.test(sql))
        assert.strictEqual(found.length, 1, String(text))
        return found[0]!.steps
      }
      const byId =
        "SEARCH play_scenarios USING INDEX sqlite_autoindex_play_scenarios_1 (customer_id=? AND id=?)"
      assert.deepStrictEqual(stepsOf(/from plays .* plays\.due_at <= \?/), [
        "SEARCH plays USING INDEX plays_due (customer_id=? AND due_at<?)",
        byId
      ])
      assert.deepStrictEqual(stepsOf(/from plays .* due_at > \?/), [
        "SEARCH plays USING COVERING INDEX plays_due (customer_id=? AND due_at>?)"
      ])
      assert.deepStrictEqual(stepsOf(/plays\.run_id = \? order by plays\.position/), [
        "SEARCH plays USING INDEX plays_run (customer_id=? AND run_id=?)",
        byId
      ])
      assert.match(
        stepsOf(/^update plays .* and run_id = \?/).join(),
        /plays_run \(customer_id=\? AND run_id=\?\)/
      )
      assert.deepStrictEqual(stepsOf(/from runs .* deadline_at <= \?/), [
        "SEARCH runs USING INDEX runs_deadline (customer_id=? AND deadline_at<?)",
        "SEARCH run_subjects USING INDEX sqlite_autoindex_run_subjects_1 (customer_id=? AND run_id=?)"
      ])
      assert.deepStrictEqual(stepsOf(/^select deadline_at from runs/), [
        "SEARCH runs USING INDEX runs_deadline (customer_id=?)"
      ])
      assert.deepStrictEqual(stepsOf(/from holds .* expires_at <= \?/), [
        "SEARCH holds USING INDEX holds_expiry (customer_id=? AND expires_at<?)"
      ])
      assert.deepStrictEqual(stepsOf(/^select expires_at from holds/), [
        "SEARCH holds USING COVERING INDEX holds_expiry (customer_id=?)"
      ])
    }).pipe(Effect.provide(withFile))
  )

  it.effect("changes a play and a run without touching what is played and tested", () =>
    Effect.gen(function* () {
      const updates = (yield* plans).filter(({ sql }) => /^update (plays|runs) /.test(sql))
      assert.strictEqual(updates.length, 4)
      for (const { sql } of updates) {
        assert.notMatch(sql, /scenario|judges|agent|position|run_index|created_at|play_|run_subjects/)
      }
      const tables = yield* Effect.flatMap(Database, (database) =>
        database.all<{ readonly name: string }>(
          platformWide,
          "select m.name || '.' || c.name as name from sqlite_master m, pragma_table_info(m.name) c " +
            "where m.type = 'table' and m.name in ('plays', 'runs', 'play_scenarios', 'run_subjects') " +
            "and c.name in ('scenario', 'agent', 'judges') order by 1",
          []
        )
      )
      assert.deepStrictEqual(
        tables.map(({ name }) => name),
        ["play_scenarios.scenario", "run_subjects.agent", "run_subjects.judges"]
      )
    }).pipe(Effect.provide(withFile))
  )
})
