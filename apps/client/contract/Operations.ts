// Written by apps/client/generator/main.ts from adapters/http/contract.

import type { AgentTestRuns } from "./AgentTestRuns.ts"
import type { AgentTestSuites } from "./AgentTestSuites.ts"
import type { Agents } from "./Agents.ts"
import type { Calls } from "./Calls.ts"
import type { Campaigns } from "./Campaigns.ts"
import type { Credits } from "./Credits.ts"
import type { DoNotCall } from "./DoNotCall.ts"
import type { MessageTemplates } from "./MessageTemplates.ts"
import type { PhoneNumbers } from "./PhoneNumbers.ts"
import type { Recipients } from "./Recipients.ts"
import type { Recordings } from "./Recordings.ts"
import type { Simulations } from "./Simulations.ts"
import type { Webhooks } from "./Webhooks.ts"

/** The operations of the interface, by group. */
export interface Operations {
  readonly calls: Calls
  readonly campaigns: Campaigns
  readonly recipients: Recipients
  readonly simulations: Simulations
  readonly doNotCall: DoNotCall
  readonly agentTestSuites: AgentTestSuites
  readonly agentTestRuns: AgentTestRuns
  readonly agents: Agents
  readonly phoneNumbers: PhoneNumbers
  readonly recordings: Recordings
  readonly messageTemplates: MessageTemplates
  readonly webhooks: Webhooks
  readonly credits: Credits
}

/**
 * Method, path, and what goes with them: a JSON body, a file or a query; an answer that is a page or text,
 * that is slow to come, or that tells by which property what is gone.
 */
export const operations = {
  calls: {
    place: "POST /calls body",
    list: "GET /calls query page",
    get: "GET /calls/{call_id}",
    cancel: "POST /calls/{call_id}/cancel"
  },
  campaigns: {
    create: "POST /campaigns body",
    list: "GET /campaigns query page",
    get: "GET /campaigns/{campaign_id}",
    update: "PATCH /campaigns/{campaign_id} body",
    start: "POST /campaigns/{campaign_id}/start",
    attempts: "GET /campaigns/{campaign_id}/attempts query page",
    progress: "GET /campaigns/{campaign_id}/progress query"
  },
  recipients: {
    list: "GET /campaigns/{campaign_id}/recipients query page",
    add: "POST /campaigns/{campaign_id}/recipients body",
    import: "POST /campaigns/{campaign_id}/recipients/import file",
    imports: "GET /campaigns/{campaign_id}/imports query page",
    getImport: "GET /campaigns/{campaign_id}/imports/{import_id}",
    importErrors: "GET /campaigns/{campaign_id}/imports/{import_id}/errors.csv text",
    results: "GET /campaigns/{campaign_id}/results.csv text"
  },
  simulations: {
    simulate: "POST /campaigns/{campaign_id}/simulations body slow"
  },
  doNotCall: {
    list: "GET /do-not-call query page",
    add: "POST /do-not-call body",
    remove: "DELETE /do-not-call/{phone_number} gone:phone_number",
    import: "POST /do-not-call/import file"
  },
  agentTestSuites: {
    generate: "POST /agent-test-suites/generate body slow",
    list: "GET /agent-test-suites query page",
    get: "GET /agent-test-suites/{suite_id}",
    update: "PATCH /agent-test-suites/{suite_id} body",
    remove: "DELETE /agent-test-suites/{suite_id} gone:id"
  },
  agentTestRuns: {
    start: "POST /agent-test-runs body",
    list: "GET /agent-test-runs query page",
    get: "GET /agent-test-runs/{run_id}",
    cancel: "POST /agent-test-runs/{run_id}/cancel"
  },
  agents: {
    create: "POST /agents body",
    list: "GET /agents query page",
    get: "GET /agents/{agent_id}",
    update: "PATCH /agents/{agent_id} body",
    publish: "POST /agents/{agent_id}/publish",
    unpublish: "POST /agents/{agent_id}/unpublish"
  },
  phoneNumbers: {
    add: "POST /phone-numbers body",
    list: "GET /phone-numbers query page",
    available: "GET /phone-numbers/available query slow",
    get: "GET /phone-numbers/{phone_number_id}",
    remove: "DELETE /phone-numbers/{phone_number_id} gone:id"
  },
  recordings: {
    list: "GET /sessions/{session_id}/recordings query page",
    remove: "DELETE /recordings/{recording_id}"
  },
  messageTemplates: {
    create: "POST /msg/templates body slow",
    list: "GET /msg/templates query page",
    get: "GET /msg/templates/{template_id}",
    remove: "DELETE /msg/templates/{template_id} slow gone:id"
  },
  webhooks: {
    create: "POST /webhooks body",
    list: "GET /webhooks query page",
    update: "PATCH /webhooks/{webhook_id} body",
    remove: "DELETE /webhooks/{webhook_id} gone:id",
    rotate: "POST /webhooks/{webhook_id}/rotate",
    deliveries: "GET /webhooks/{webhook_id}/deliveries query page",
    redeliver: "POST /webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver"
  },
  credits: {
    balance: "GET /credits",
    ledger: "GET /credits/ledger query page"
  }
} as const
