import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import type { Agent } from "../../../../core/model/agents/Agent.ts"
import { standardTalk } from "../../../../core/model/agents/Talk.ts"
import type { Call } from "../../../../core/model/calls/Call.ts"
import * as Machine from "../../../../core/model/calls/CallMachine.ts"
import { decide, type DialFacts, dialRequest } from "../../../../core/model/calls/DialDecision.ts"
import * as PlaceCall from "../../../../core/model/calls/PlaceCall.ts"
import type { RawJson } from "../../../../core/model/json/RawJson.ts"

const noon = Date.UTC(2026, 0, 5, 12)

const call = (to_number = "+14155550123", config: object = {}): Call =>
  Machine.place(
    PlaceCall.make({
      agent_id: "agent_1",
      to_number,
      custom_variables: '{"name":"Ada"}' as RawJson,
      call_config: JSON.stringify(config) as RawJson
    }),
    {
      call_id: "call_1",
      channel: "voice",
      workspace_id: "ws_1",
      from_number: "+14155550100",
      from_phone_number_id: "pn_1",
      price_per_minute: 1,
      campaign_id: null,
      recipient_id: null
    },
    noon
  )

const agent: Agent = {
  id: "agent_1",
  customer_id: "ws_1",
  name: "A",
  channel: "voice",
  prompt: "Call {{name}} of {{company}}",
  first_message: "Hello {{name}}",
  voice: "default",
  language: "en-US",
  published: true,
  version: 1,
  unpublished_changes: false,
  ...standardTalk,
  idle_timeout_warning: 10,
  idle_timeout_end: 30,
  max_call_length: 600,
  created_at: noon,
  updated_at: noon
}

const facts: DialFacts = {
  workspace: {
    id: "ws_1",
    name: "W",
    max_concurrency: 1,
    calls_per_second: 1,
    allowed_countries: [],
    indexed_metadata_keys: [],
    recording_retention_days: null,
    transcript_retention_days: null,
    call_retention_days: null,
    allow_costly_destinations: false,
    created_at: noon,
    updated_at: noon
  },
  agent: Option.some(agent),
  caller_id_exists: true,
  do_not_call: false,
  message: null
}

const outside = { call_time: { call_start_time: "13:00", call_end_time: "14:00", timezone: "UTC" } }

describe("what is decided at dial time", () => {
  it("dials a published voice agent", () => {
    assert.strictEqual(decide(call(), facts, noon)._tag, "Dial")
  })

  it.each([
    ["agent_not_found", { ...facts, agent: Option.none() }],
    ["agent_not_voice", { ...facts, agent: Option.some({ ...agent, channel: "msg" as const }) }],
    ["agent_not_published", { ...facts, agent: Option.some({ ...agent, published: false }) }],
    ["phone_number_not_found", { ...facts, caller_id_exists: false }],
    ["do_not_call", { ...facts, do_not_call: true }],
    ["destination_blocked", { ...facts, workspace: { ...facts.workspace, allowed_countries: ["FR"] } }]
  ] as const)("refuses: %s", (sub_status, given) => {
    assert.deepStrictEqual(decide(call(), given, noon), { _tag: "Refuse", sub_status })
  })

  it("refuses satellite numbers", () => {
    assert.deepStrictEqual(decide(call("+881612345678"), facts, noon), {
      _tag: "Refuse",
      sub_status: "destination_blocked"
    })
  })

  it("outside its window a call waits for the opening, whatever else is wrong", () => {
    assert.deepStrictEqual(decide(call("+14155550123", outside), { ...facts, agent: Option.none() }, noon), {
      _tag: "Wait",
      until: noon + 3_600_000
    })
  })

  it("the carrier gets the prompt with its variables, unknown ones empty, and the call's own limits first", () => {
    const placed = call("+14155550123", { max_call_length: 60, idle_timeout_end: 20 })
    const { attempt } = Machine.intend(
      { call: placed, attempt: null },
      { attempt_id: "att_1", session_id: "sess_1", agent_version: 1 },
      0,
      noon
    )
    const request = dialRequest(placed, attempt!, agent)
    assert.strictEqual(request.agent.prompt, "Call Ada of ")
    assert.strictEqual(request.agent.first_message, "Hello Ada")
    assert.deepStrictEqual(
      [request.key, request.idle_timeout_warning, request.idle_timeout_end, request.max_call_length],
      ["att_1", 10, 20, 60]
    )
  })
})
