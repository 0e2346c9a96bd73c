import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Identifier } from "../../../core/model/Codecs.ts"
import { RunRecord, RunSummary } from "../../../core/model/suites/Run.ts"
import { RunEnded, SuiteNotFound } from "../../../core/model/suites/SuiteErrors.ts"
import { mostPlays } from "../../../core/usecases/Runs.ts"
import { needs } from "./Authentication.ts"
import * as Errors from "./Errors.ts"
import { pageOf } from "./Examples.ts"
import { JsonBody } from "./JsonBody.ts"
import { body, Id, operation } from "./Operation.ts"
import { PageOf } from "./Paging.ts"
import { RunQuery } from "./Queries.ts"
import * as Examples from "./SuiteExamples.ts"

const Path = Schema.Struct({ run_id: Id("The test run's id") })

const NewTestRun = body("NewTestRun", { suite_id: Identifier("suite_id") })

const start = HttpApiEndpoint.post("start", "/agent-test-runs")
  .setPayload(NewTestRun)
  .addSuccess(RunSummary)
  .addError(Errors.InvalidRequest)
  .addError(Errors.NotFound)
  .middleware(JsonBody)
  .middleware(needs("sessions:write"))
  .annotateContext(
    operation("startTestRun", {
      summary: "Run a test suite",
      description:
        "Queues a run of the suite with the agent as it is now: each scenario is played as often as its `runs` " +
        "says, agent and persona taking turns, and then the judges read what was said. Each turn costs credits; " +
        "a run fails when there are none left.",
      scope: "sessions:write",
      request: Examples.start,
      response: Examples.queued,
      failures: { 404: new SuiteNotFound({ suite_id: "" }) },
      errors: {
        400: `\`suite_id\` is missing or no id; or the suite has no scenarios, or more than ${mostPlays} plays of them`,
        404: "`suite_id` names no test suite of the workspace"
      }
    })
  )

const list = HttpApiEndpoint.get("list", "/agent-test-runs")
  .setUrlParams(RunQuery)
  .addSuccess(PageOf("TestRunPage", RunSummary))
  .middleware(needs("sessions:read"))
  .annotateContext(
    operation("listTestRuns", {
      summary: "List test runs",
      description: "The workspace's test runs, newest first, without what was said in them.",
      scope: "sessions:read",
      addition: false,
      response: pageOf(Examples.completed)
    })
  )

const get = HttpApiEndpoint.get("get", "/agent-test-runs/:run_id")
  .setPath(Path)
  .addSuccess(RunRecord)
  .addError(Errors.NotFound)
  .middleware(needs("sessions:read"))
  .annotateContext(
    operation("getTestRun", {
      summary: "Read a test run",
      description:
        "The run as it stands now, with every play of a scenario: what was said, and how each judge sees it. A " +
        "play that is under way has no `status` yet.",
      scope: "sessions:read",
      response: Examples.detail
    })
  )

const cancel = HttpApiEndpoint.post("cancel", "/agent-test-runs/:run_id/cancel")
  .setPath(Path)
  .addSuccess(RunSummary)
  .addError(Errors.NotFound)
  .addError(Errors.Conflict)
  .middleware(needs("sessions:write"))
  .annotateContext(
    operation("cancelTestRun", {
      summary: "Cancel a test run",
      description:
        "What is being played ends before its next turn. Plays that were not finished count as errored; those " +
        "that were keep their verdicts.",
      scope: "sessions:write",
      response: Examples.cancelled,
      failures: { 409: new RunEnded({ run_id: "" }) },
      errors: { 409: "The test run has ended already" }
    })
  )

export const RunsGroup = HttpApiGroup.make("agent_test_runs")
  .add(start)
  .add(list)
  .add(get)
  .add(cancel)
  .annotateContext(
    OpenApi.annotations({
      title: "Agent test runs",
      description: "What came of playing a test suite. Starting, reading and cancelling runs are additions."
    })
  )
