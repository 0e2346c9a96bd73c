import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import type { Page, PageRequest } from "../../../core/model/Page.ts"
import type { Repository } from "../../../core/ports/Repository.ts"
import type { Check } from "./Check.ts"
import {
  makeAgent,
  makeAttempt,
  makeCall,
  makeDelivery,
  makeEntry,
  makeEvent,
  makeImport,
  makeKey,
  makeNumber,
  makeRecipient,
  makeRecording,
  makeRun,
  makeState,
  makeSuite,
  makeTemplate,
  makeWebhook,
  start,
  ws
} from "./Fixtures.ts"

interface Walked {
  /** Adds the nth record of the list. */
  readonly add: (n: number) => Effect.Effect<unknown>
  readonly list: (page: PageRequest) => Effect.Effect<Page<string>>
}

const listed =
  <A>(list: (page: PageRequest) => Effect.Effect<Page<A>>, idOf: (record: A) => string): Walked["list"] =>
  (page) =>
    Effect.map(list(page), ({ data, total }) => ({ data: data.map(idOf), total }))

const idOf = ({ id }: { readonly id: string }) => id

/** Every kind of list. */
const lists: Readonly<Record<string, (repository: Repository["Type"]) => Walked>> = {
  calls: ({ calls }) => ({
    add: (n) => calls.insert(makeCall(n, { created_at: start + Math.floor(n / 2) })),
    list: listed(
      (page) => calls.list(ws, {}, page),
      ({ call_id }) => call_id
    )
  }),
  "calls of an agent": ({ calls }) => ({
    add: (n) => calls.insert(makeCall(100 + n, { agent_id: "agent_2" })),
    list: listed(
      (page) => calls.list(ws, { agent_id: "agent_2" }, page),
      ({ call_id }) => call_id
    )
  }),
  campaigns: ({ campaigns }) => ({
    add: (n) => campaigns.insert(makeState(n)),
    list: listed(
      (page) => campaigns.list(ws, {}, page),
      ({ campaign }) => campaign.id
    )
  }),
  "attempts of a campaign": ({ attempts }) => ({
    add: (n) => attempts.insert(makeAttempt(n, { campaign_id: "camp_1" })),
    list: listed(
      (page) =>
        Effect.zipWith(
          attempts.ofCampaign(ws, "camp_1", {}, page),
          attempts.countOfCampaign(ws, "camp_1", {}),
          (data, total) => ({ data, total })
        ),
      idOf
    )
  }),
  recipients: ({ recipients }) => ({
    add: (n) => recipients.insert([makeRecipient(n)]),
    list: listed((page) => recipients.list(ws, makeRecipient(0).campaign_id, {}, page), idOf)
  }),
  imports: ({ imports }) => ({
    add: (n) => imports.insert(makeImport(n), 1),
    list: listed((page) => imports.list(ws, makeImport(0).campaign_id, page), idOf)
  }),
  agents: ({ agents }) => ({
    add: (n) => agents.insert(makeAgent(n)),
    list: listed((page) => agents.list(ws, {}, page), idOf)
  }),
  "versions of an agent": ({ agents }) => ({
    add: (n) =>
      agents.insertVersion({
        customer_id: ws,
        agent_id: "agent_1",
        version: n,
        published_at: start,
        agent: makeAgent(1)
      }),
    list: listed(
      (page) => agents.versions(ws, "agent_1", page),
      ({ version }) => String(version)
    )
  }),
  ledger: ({ credits }) => ({
    add: (n) => credits.append(ws, [makeEntry(n, 1)]),
    list: listed((page) => credits.list(ws, {}, page), idOf)
  }),
  phoneNumbers: ({ phoneNumbers }) => ({
    add: (n) => phoneNumbers.insert(makeNumber(n)),
    list: listed((page) => phoneNumbers.list(ws, page), idOf)
  }),
  apiKeys: ({ apiKeys }) => ({
    add: (n) => apiKeys.insert(makeKey(n)),
    list: listed((page) => apiKeys.list(ws, page), idOf)
  }),
  webhooks: ({ webhooks }) => ({
    add: (n) => webhooks.insert(makeWebhook(n)),
    list: listed((page) => webhooks.list(ws, page), idOf)
  }),
  deliveries: ({ deliveries }) => ({
    add: (n) => deliveries.append([{ event: makeEvent(n), deliveries: [makeDelivery(n)] }]),
    list: listed((page) => deliveries.list(ws, { webhook_id: makeDelivery(0).webhook_id }, page), idOf)
  }),
  doNotCall: ({ doNotCall }) => ({
    add: (n) => doNotCall.add(ws, [`+1415555${String(n).padStart(4, "0")}`], start + Math.floor(n / 2)),
    list: listed(
      (page) => doNotCall.list(ws, page),
      ({ number }) => number
    )
  }),
  "recordings of a session": ({ recordings }) => ({
    add: (n) => recordings.insert(makeRecording(n, { session_id: "sess_1" })),
    list: listed((page) => recordings.ofSession(ws, "sess_1", page), idOf)
  }),
  suites: ({ suites }) => ({
    add: (n) => suites.insert(makeSuite(n, { name: `suite ${n}` })),
    list: listed((page) => suites.list(ws, {}, page), idOf)
  }),
  runs: ({ runs }) => ({
    add: (n) => runs.insert(makeRun(n)),
    list: listed((page) => runs.list(ws, {}, page), idOf)
  }),
  templates: ({ templates }) => ({
    add: (n) => templates.insert(makeTemplate(n, { name: `template_${n}` })),
    list: listed((page) => templates.list(ws, {}, page), idOf)
  })
}

const count = 11

export const walks = (check: Check) => {
  describe("a walk", () => {
    check(
      "by after, and back by before, meets each record of a list once while others are added",
      (repository) =>
        Effect.gen(function* () {
          for (const [name, walked] of Object.entries(lists)) {
            const { add, list } = walked(repository)
            for (let n = 1; n <= count; n++) yield* add(n)
            const { data: all } = yield* list({ limit: 100, offset: 0 })
            assert.lengthOf(all, count, name)
            const down: Array<string> = []
            for (let n = count + 1; down.length < count; n++) {
              const { data, total } = yield* list({ limit: 3, offset: 0, after: down.at(-1) })
              assert.strictEqual(total, n - 1, name)
              down.push(...data)
              yield* add(n)
            }
            assert.deepStrictEqual(down, all, name)
            const up: Array<string> = [all.at(-1)!]
            while (up.length < count) {
              up.unshift(...(yield* list({ limit: 5, offset: 0, before: up[0] })).data)
            }
            assert.deepStrictEqual(up.slice(-count), all, name)
            const skipped = yield* list({ limit: 2, offset: 2, after: all[1] })
            assert.deepStrictEqual(skipped.data, all.slice(4, 6), name)
            assert.deepStrictEqual(
              (yield* list({ limit: 2, offset: 1, before: all[5] })).data,
              all.slice(2, 4),
              name
            )
            assert.deepStrictEqual((yield* list({ limit: 2, offset: 0, after: all.at(-1) })).data, [], name)
          }
        })
    )
  })
}
