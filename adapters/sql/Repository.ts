import { Effect, Layer } from "effect"
import { Repository } from "../../core/ports/Repository.ts"
import { agents } from "./Agents.ts"
import { apiKeys } from "./ApiKeys.ts"
import { answers } from "./Answers.ts"
import { attempts } from "./Attempts.ts"
import { callBatches } from "./CallBatches.ts"
import { audit } from "./Audit.ts"
import { calls } from "./Calls.ts"
import { campaigns } from "./Campaigns.ts"
import { credits } from "./Credits.ts"
import { Database } from "./Database.ts"
import { deliveries } from "./Deliveries.ts"
import { doNotCall } from "./DoNotCall.ts"
import { holds } from "./Holds.ts"
import { imports } from "./Imports.ts"
import { outdated } from "./Migrations.ts"
import { people } from "./People.ts"
import { phoneNumbers } from "./PhoneNumbers.ts"
import { plays } from "./Plays.ts"
import { recipients } from "./Recipients.ts"
import { recordings } from "./Recordings.ts"
import { runs } from "./Runs.ts"
import { sessions } from "./Sessions.ts"
import { suites } from "./Suites.ts"
import { templates } from "./Templates.ts"
import { usage } from "./Usage.ts"
import { webhooks } from "./Webhooks.ts"
import { workspaces } from "./Workspaces.ts"

/** The Repository on a SQL database, which `Sqlite.layer` or `Postgres.layer` supplies. */
export const layer: Layer.Layer<Repository, never, Database> = Layer.effect(
  Repository,
  Effect.map(Database, (database) =>
    Repository.of({
      transaction: database.transaction,
      outdated: outdated(database),
      workspaces: workspaces(database),
      apiKeys: apiKeys(database),
      credits: credits(database),
      phoneNumbers: phoneNumbers(database),
      agents: agents(database),
      answers: answers(database),
      calls: calls(database),
      callBatches: callBatches(database),
      attempts: attempts(database),
      campaigns: campaigns(database),
      recipients: recipients(database),
      imports: imports(database),
      suites: suites(database),
      runs: runs(database),
      plays: plays(database),
      holds: holds(database),
      recordings: recordings(database),
      sessions: sessions(database),
      webhooks: webhooks(database),
      deliveries: deliveries(database),
      doNotCall: doNotCall(database),
      templates: templates(database),
      people: people(database),
      usage: usage(database),
      audit: audit(database)
    })
  )
)
