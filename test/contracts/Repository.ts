import { describe } from "@effect/vitest"
import type { Layer } from "effect"
import type { Repository } from "../../core/ports/Repository.ts"
import { answerRows } from "./repository/Answers.ts"
import { attemptRows } from "./repository/Attempts.ts"
import { callBatchRows } from "./repository/CallBatches.ts"
import { callRows } from "./repository/Calls.ts"
import { campaignRows } from "./repository/Campaigns.ts"
import { checkWith } from "./repository/Check.ts"
import { deliveryRows } from "./repository/Deliveries.ts"
import { importRows } from "./repository/Imports.ts"
import { peopleRows } from "./repository/People.ts"
import { playRows } from "./repository/Plays.ts"
import { recipientRows } from "./repository/Recipients.ts"
import { recordingRows } from "./repository/Recordings.ts"
import { runRows } from "./repository/Runs.ts"
import { sessionRows } from "./repository/Sessions.ts"
import { holdRows, suiteRows } from "./repository/Suites.ts"
import { templateRows } from "./repository/Templates.ts"
import { units } from "./repository/Units.ts"
import { auditRows, usageRows } from "./repository/Usage.ts"
import { walks } from "./repository/Walks.ts"
import { tenants } from "./repository/Workspaces.ts"

/** What every Repository does. `layer` makes a fresh, empty store each time that it is built. */
export const repositoryContract = (name: string, layer: Layer.Layer<Repository, unknown>): void => {
  describe(`${name}`, () => {
    const check = checkWith(layer)
    units(check)
    tenants(check)
    callRows(check)
    callBatchRows(check)
    answerRows(check)
    attemptRows(check)
    campaignRows(check)
    recipientRows(check)
    recordingRows(check)
    sessionRows(check)
    importRows(check)
    suiteRows(check)
    runRows(check)
    playRows(check)
    holdRows(check)
    deliveryRows(check)
    templateRows(check)
    peopleRows(check)
    usageRows(check)
    auditRows(check)
    walks(check)
  })
}
