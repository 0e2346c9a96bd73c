import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import type { Campaign, CampaignState, CampaignStatus } from "../../../../core/model/campaigns/Campaign.ts"
import { changeFromJson, draftFromJson } from "../../../../core/model/campaigns/CampaignBody.ts"
import { emptyCounters, moved } from "../../../../core/model/campaigns/CampaignCounters.ts"
import * as Machine from "../../../../core/model/campaigns/CampaignMachine.ts"
import { recipientsFromJson } from "../../../../core/model/campaigns/RecipientBody.ts"
import { timestampRule } from "../../../../core/model/Codecs.ts"

const now = Date.UTC(2026, 4, 1)

const state = (status: CampaignStatus, recipients = 1, change: Partial<Campaign> = {}): CampaignState => {
  const campaign: Campaign = {
    id: "camp_1",
    customer_id: "ws_1",
    name: "Spring",
    agent_id: "agent_1",
    channel: "voice",
    status,
    status_reason: null,
    template: null,
    from_phone_number_id: "pn_1",
    call_config: null,
    max_concurrency: null,
    recipient_timezone: null,
    skip_public_holidays: false,
    failure_breaker: null,
    calls_per_minute: null,
    scheduled_for: status === "scheduled" ? now + 1 : null,
    started_at: status === "draft" || status === "scheduled" ? null : now - 1,
    completed_at: null,
    metadata: null,
    created_at: now - 2,
    updated_at: now - 2,
    ...change
  }
  return { campaign, counters: moved(emptyCounters("ws_1", "camp_1"), null, "pending", recipients) }
}

const right = <A, E>(either: Either.Either<A, E>): A => Either.getOrThrow(either)
const left = <A, E>(either: Either.Either<A, E>): E => Either.getOrThrow(Either.flip(either))

describe("starting a campaign", () => {
  it.each(["draft", "scheduled", "paused", "failed"] as const)(
    "%s becomes running, due at once",
    (status) => {
      const { campaign, counters } = right(Machine.start(state(status), now))
      assert.deepStrictEqual(
        [campaign.status, campaign.scheduled_for, counters.due_at],
        ["running", null, now]
      )
    }
  )

  it("a running one is left as it is", () => {
    const running = state("running")
    assert.strictEqual(right(Machine.start(running, now)), running)
  })

  it.each(["completed", "cancelled"] as const)("a %s one is refused", (status) => {
    assert.include(left(Machine.start(state(status), now)).reason, status)
  })

  it("one without recipients is refused", () => {
    assert.include(left(Machine.start(state("draft", 0), now)).reason, "no recipient")
  })

  it("resumed, keeps the time of its first start and forgets earlier failures", () => {
    const paused = state("paused", 1, { started_at: 5, status_reason: "failure_rate" })
    const { campaign, counters } = right(
      Machine.start(
        { ...paused, counters: { ...paused.counters, dials: 4, recent: "ffff", failures_in_a_row: 0 } },
        now
      )
    )
    assert.deepStrictEqual([campaign.started_at, campaign.status_reason], [5, null])
    const { dials, failures_in_a_row, recent } = counters
    assert.deepStrictEqual([dials, recent, failures_in_a_row], [4, "", null])
  })
})

describe("changing a campaign", () => {
  it.each([
    ["running", { name: "x", max_concurrency: 3, calls_per_minute: null, call_config: null }, []],
    ["running", { agent_id: "a", metadata: null, name: "x" }, ["agent_id", "metadata"]],
    [
      "running",
      { from_phone_number_id: "p", scheduled_for: null },
      ["from_phone_number_id", "scheduled_for"]
    ],
    ["draft", { agent_id: "a", from_phone_number_id: "p", scheduled_for: now }, []],
    ["draft", { status: "paused" }, ["status"]],
    ["paused", { agent_id: "a" }, []],
    ["completed", { name: "x", metadata: null }, []],
    ["completed", { status: "cancelled", max_concurrency: 1 }, ["status", "max_concurrency"]],
    ["cancelled", { status: "paused" }, ["status"]]
  ] as const)("while %s, %j refuses %j", (status, change, refused) => {
    const edited = Machine.edit(state(status), change, now)
    assert.deepStrictEqual(Either.isLeft(edited) ? edited.left.map(({ path }) => path[0]) : [], [...refused])
  })

  it("pausing stops it, and says why", () => {
    const { campaign, counters } = right(Machine.edit(state("running"), { status: "paused" }, now))
    assert.deepStrictEqual(
      [campaign.status, campaign.status_reason, counters.due_at],
      ["paused", "user", null]
    )
  })

  it.each(["draft", "scheduled", "running", "paused"] as const)(
    "cancelling one that is %s clears it",
    (status) => {
      const { campaign, counters } = right(Machine.edit(state(status), { status: "cancelled" }, now))
      assert.deepStrictEqual(
        [campaign.status, campaign.completed_at, counters.due_at],
        ["cancelled", now, now]
      )
    }
  )

  it("a time schedules it, null takes that back", () => {
    const scheduled = right(Machine.edit(state("draft"), { scheduled_for: now + 9 }, now))
    assert.deepStrictEqual([scheduled.campaign.status, scheduled.counters.due_at], ["scheduled", now + 9])
    const draft = right(Machine.edit(scheduled, { scheduled_for: null }, now))
    assert.deepStrictEqual([draft.campaign.status, draft.counters.due_at], ["draft", null])
    const paused = right(Machine.edit(state("scheduled", 1, { started_at: 1 }), { scheduled_for: null }, now))
    assert.strictEqual(paused.campaign.status, "paused")
  })
})

describe("the end of a campaign", () => {
  it("a running one without a recipient left is completed; one with a recipient left is not", () => {
    assert.strictEqual(Machine.complete(state("running", 0), now)?.campaign.status, "completed")
    assert.isNull(Machine.complete(state("running", 1), now))
    assert.isNull(Machine.complete(state("paused", 0), now))
  })

  it("is taken back when recipients still came in, and only then", () => {
    const { campaign } = Machine.complete(state("running", 0), now)!
    assert.strictEqual(Machine.reopen(campaign, now - 5, now + 5).status, "running")
    assert.strictEqual(Machine.reopen(campaign, now + 1, now + 5).status, "completed")
    assert.strictEqual(Machine.reopen(state("paused").campaign, 0, now).status, "paused")
  })
})

describe("the body of a campaign", () => {
  it("keeps metadata and call_config as they were sent", () => {
    const text =
      '{"name":"A","agent_id":"a","metadata":{"n":1.0,"n":1e400},"call_config":{"max_call_length":60, "x":1}}'
    const draft = right(draftFromJson(text))
    assert.deepStrictEqual(
      [draft.metadata, draft.call_config],
      ['{"n":1.0,"n":1e400}', '{"max_call_length":60, "x":1}']
    )
    assert.deepStrictEqual(right(changeFromJson('{"metadata":null}')), { metadata: null })
    assert.deepStrictEqual(right(changeFromJson("{}")), {})
  })

  it.each([
    ["", ["the body is not valid JSON"]],
    ["[]", ["the body must be a JSON object"]],
    ['{"name":"","agent_id":1}', ["name must have 1 to 200 characters", "must be a string"]],
    ['{"name":"a","agent_id":"a","channel":"sms"}', ["channel must be voice or msg"]],
    ['{"name":"a","agent_id":"a","channel":"msg"}', ["template is required for channel msg"]],
    ['{"name":"a","agent_id":"a","template":{"id":"tmpl_1"}}', ["template is not for channel voice"]],
    [
      '{"name":"a","agent_id":"a","max_concurrency":0}',
      ["max_concurrency must be an integer from 1 to 100000, or null"]
    ],
    [
      '{"name":"a","agent_id":"a","calls_per_minute":"9"}',
      ["calls_per_minute must be an integer from 1 to 60000, or null"]
    ],
    ['{"name":"a","agent_id":"a","scheduled_for":"soon"}', [`scheduled_for ${timestampRule}, or null`]],
    ['{"name":"a","agent_id":"a","surprise":1}', ["is not permitted"]]
  ])("%s breaks %j", (text, messages) => {
    assert.deepStrictEqual(
      left(draftFromJson(text)).map(({ message }) => message),
      messages
    )
  })

  it("a change of status to running is told where to go", () => {
    const [issue] = left(changeFromJson('{"status":"running"}'))
    assert.include(issue!.message, "started by its own operation")
  })
})

describe("the body that adds recipients", () => {
  const one = (more: string) => `{"recipients":[{"phone_number":"+14155550123"${more}}]}`

  it("keeps variables as they were sent, whatever their keys", () => {
    const drafts = right(
      recipientsFromJson(one(',"variables":{"__proto__":1.0,"constructor":"x"},"timezone":"Asia/Tokyo"'))
    )
    assert.deepStrictEqual(drafts, [
      {
        phone_number: "+14155550123",
        timezone: "Asia/Tokyo",
        variables: '{"__proto__":1.0,"constructor":"x"}' as never
      }
    ])
  })

  it.each([
    ['{"recipients":[]}', "1 to 1,000"],
    [`{"recipients":[${Array(1001).fill('{"phone_number":"+14155550123"}').join(",")}]}`, "1 to 1,000"],
    ['{"recipients":[{"phone_number":"4155550123"}]}', "recipients.0.phone_number"],
    ['{"recipients":[{"phone_number":"+1415"}]}', "length"],
    [
      '{"recipients":[{"phone_number":"+14155550123"},{"phone_number":"+14155550123"}]}',
      "repeats that of recipients.0"
    ],
    [one(',"timezone":"CET"'), "region-style"],
    [one(',"variables":{"a":[1]}'), "variables"],
    [one(',"variables":{"a":"\\u0000"}'), "NUL"],
    [one(`,"variables":{${Array.from({ length: 65 }, (_, i) => `"k${i}":1`).join(",")}}`), "64 keys"],
    [one(`,"variables":{"a":"${"x".repeat(30_000)}"}`), "30000 bytes"],
    [one(',"vip":true'), "not permitted"]
  ])("%# is refused by its rule", (text, why) => {
    const error = left(recipientsFromJson(text))
    assert.include(error.message, why)
    assert.notInclude(error.message, "4155550123")
  })
})
