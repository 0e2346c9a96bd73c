import { assert, describe, it } from "@effect/vitest"
import * as Records from "../../../apps/library/promises/Records.ts"
import * as Campaign from "../../../core/model/campaigns/Campaign.ts"
import * as Recipient from "../../../core/model/campaigns/Recipient.ts"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import { makeCampaign, makeCounters, makeRecipient } from "../../contracts/repository/Fixtures.ts"

/** Written out for promises and for the REST interface apart, since an import answers with very many. */
describe("records of promises", () => {
  it("are those of the REST interface", () => {
    const template = RawJson('{"id":"tmpl_1","variables":{"body":{"1":"name"}}}')
    for (const campaign of [makeCampaign(1), makeCampaign(2, { template, metadata: RawJson('{"a":[1]}') })]) {
      const state = { campaign, counters: makeCounters(1) }
      assert.deepStrictEqual(Records.campaign(state), JSON.parse(Campaign.toJson(state)))
    }
    const told = {
      outcome: RawJson('{"outcome":"answered"}'),
      last_customer_message_at: 1_000,
      last_customer_message: "Yes, \u{1f600}",
      timezone: "Europe/Paris"
    }
    for (const recipient of [makeRecipient(1), makeRecipient(2, told)]) {
      assert.deepStrictEqual(Records.recipient(recipient), JSON.parse(Recipient.toJson(recipient)))
    }
  })
})
