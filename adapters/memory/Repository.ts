import { doNotCall } from "./DoNotCall.ts"
import { Layer } from "effect"
import { Repository } from "../../core/ports/Repository.ts"
import { answers } from "./Answers.ts"
import { attempts } from "./Attempts.ts"
import { callBatches } from "./CallBatches.ts"
import { audit } from "./Audit.ts"
import { calls } from "./Calls.ts"
import { campaigns, imports } from "./Campaigns.ts"
import { people } from "./People.ts"
import { recipients } from "./Recipients.ts"
import { recordings } from "./Recordings.ts"
import { sessions } from "./Sessions.ts"
import { makeStore } from "./Store.ts"
import { holds, plays, runs, suites } from "./Suites.ts"
import { templates } from "./Templates.ts"
import { usage } from "./Usage.ts"
import { deliveries, webhooks } from "./Webhooks.ts"
import { agents, apiKeys, credits, phoneNumbers, workspaces } from "./Workspaces.ts"

/**
 * The Repository in memory, for simulation and embedding: the same rules as on SQL, nothing outlives the
 * process. Verbs cost a search in an ordered index; lists with a filter look at every row of the workspace, or
 * of the campaign.
 */
export const layer: Layer.Layer<Repository> = Layer.sync(Repository, () => {
  const store = makeStore()
  return Repository.of({
    transaction: store.undo.transaction,
    outdated: null,
    workspaces: workspaces(store),
    apiKeys: apiKeys(store),
    credits: credits(store),
    phoneNumbers: phoneNumbers(store),
    agents: agents(store),
    answers: answers(store),
    calls: calls(store),
    callBatches: callBatches(store),
    attempts: attempts(store),
    campaigns: campaigns(store),
    recipients: recipients(store),
    imports: imports(store),
    suites: suites(store),
    runs: runs(store),
    plays: plays(store),
    holds: holds(store),
    recordings: recordings(store),
    sessions: sessions(store),
    webhooks: webhooks(store),
    deliveries: deliveries(store),
    doNotCall: doNotCall(store),
    templates: templates(store),
    people: people(store),
    usage: usage(store),
    audit: audit(store)
  })
})
