import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, ParseResult, Schema } from "effect"
import { PlaceCallBody } from "../../../../core/model/calls/PlaceCall.ts"
import { conformsTo } from "../../../../core/model/json/Conforms.ts"

const json = FastCheck.json().map((text) => JSON.parse(text) as unknown)

const wanted: Readonly<Record<string, FastCheck.Arbitrary<unknown>>> = {
  agent_id: FastCheck.constantFrom("agent_1", ""),
  to_number: FastCheck.constantFrom("+14155550123", "4155550123"),
  callee_name: FastCheck.constantFrom("Ada", "", "a\u0000", "a".repeat(129)),
  from_phone_number_id: FastCheck.constantFrom("pn_1", ""),
  custom_variables: FastCheck.constantFrom({ name: "Ada", order: 1, paid: true, note: null }, { list: [] }),
  metadata: FastCheck.constantFrom({ order: { lines: [1] } }, [], "order"),
  idempotency_key: FastCheck.constantFrom("key-1", "no key", null),
  call_config: FastCheck.constantFrom(
    { max_call_length: 60, call_retry_config: { retry_count: 1 } },
    { max_call_length: 3601 },
    { more: 1 },
    { idle_timeout_warning: 9, idle_timeout_end: 9 },
    { call_time: { call_start_time: "09:00", call_end_time: "17:00", timezone: "Europe/Paris" } }
  ),
  smart_formatter: FastCheck.constantFrom({}, JSON.parse('{"__proto__":{"a":1}}'))
}

/** Bodies that are nearly valid: some properties left out, some of any value. */
const bodies = FastCheck.record(
  Object.fromEntries(
    Object.entries(wanted).map(([name, values]) => [
      name,
      FastCheck.oneof({ arbitrary: values, weight: 19 }, { arbitrary: json, weight: 1 })
    ])
  ),
  { requiredKeys: ["agent_id"] }
)

const parsed = FastCheck.oneof(
  json,
  // As text, so that each is what JSON.parse answers.
  bodies.map((body) => JSON.parse(JSON.stringify(body)) as unknown)
)

describe("what conforms to a schema", () => {
  it.prop(
    "decodes to itself",
    [parsed],
    ([value]) => {
      if (conformsTo(PlaceCallBody)?.(value) !== true) return
      const decoded = ParseResult.decodeUnknownEither(PlaceCallBody)(value)
      assert.deepStrictEqual<unknown>(Either.getOrNull(decoded), value)
    },
    { fastCheck: { numRuns: 2_000 } }
  )

  const valid = {
    agent_id: "agent_1",
    to_number: "+14155550123",
    callee_name: "Ada",
    custom_variables: { name: "Ada", order: 1, paid: true, note: null },
    metadata: { order: { lines: [1] } },
    idempotency_key: "key-1",
    call_config: { max_call_length: 60, call_retry_config: { retry_count: 1 } },
    smart_formatter: {}
  }

  it("is a whole body that keeps the rules", () => {
    assert.isTrue(conformsTo(PlaceCallBody)?.(valid))
  })

  for (const [field, value] of [
    ["agent_id", 1],
    ["to_number", "4155550123"],
    ["callee_name", "a".repeat(129)],
    ["custom_variables", { list: [] }],
    ["metadata", []],
    ["call_config", { max_call_length: 3_601 }],
    ["call_config", { more: 1 }],
    ["smart_formatter", JSON.parse('{"__proto__":{"a":1}}')],
    ["more", 1]
  ] as const) {
    it(`is no body with ${field} of ${JSON.stringify(value).slice(0, 40)}`, () => {
      assert.isFalse(conformsTo(PlaceCallBody)?.({ ...valid, [field]: value }))
    })
  }

  it("is no body that lacks what is required", () => {
    const { agent_id, ...rest } = valid
    assert.isFalse(conformsTo(PlaceCallBody)?.(rest))
    assert.isTrue(conformsTo(PlaceCallBody)?.({ ...rest, agent_id }))
  })

  it("is not told of schemas that transform, or have arrays", () => {
    assert.isNull(conformsTo(Schema.NumberFromString))
    assert.isNull(conformsTo(Schema.Struct({ list: Schema.Array(Schema.String) })))
  })
})
