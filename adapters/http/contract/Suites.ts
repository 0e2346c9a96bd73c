import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { AgentNotFound } from "../../../core/model/agents/AgentErrors.ts"
import { SuiteRecord } from "../../../core/model/suites/Suite.ts"
import { CreateSuiteBody, GenerateSuiteBody, UpdateSuiteBody } from "../../../core/model/suites/SuiteBody.ts"
import { SuiteNameTaken } from "../../../core/model/suites/SuiteErrors.ts"
import { needs } from "./Authentication.ts"
import * as Errors from "./Errors.ts"
import { deleted, pageOf } from "./Examples.ts"
import { JsonBody } from "./JsonBody.ts"
import { Deleted, Id, operation } from "./Operation.ts"
import { PageOf } from "./Paging.ts"
import * as Examples from "./SuiteExamples.ts"
import { SuiteQuery } from "./Queries.ts"

const Path = Schema.Struct({ suite_id: Id("The test suite's id") })

const generate = HttpApiEndpoint.post("generate", "/agent-test-suites/generate")
  .setPayload(GenerateSuiteBody)
  .addSuccess(SuiteRecord)
  .addError(Errors.InsufficientCredits)
  .addError(Errors.NotFound)
  .addError(Errors.TooManyRequests)
  .addError(Errors.BadGateway)
  .addError(Errors.GatewayTimeout)
  .middleware(JsonBody)
  .middleware(needs("sessions:write"))
  .annotateContext(
    operation("generateTestSuite", {
      summary: "Generate a test suite",
      description:
        "Has persona scenarios made from the agent's prompt and the judges' criteria, and stores them as a suite, " +
        "which can be changed like any other. `count` is 5 by default, `judges` are the five known ones, `name` is " +
        "the agent's with ` — generated` behind it; a name that is taken is numbered. The answer may take a " +
        "minute. Credits are charged for each scenario that was made, and for nothing when none was.",
      scope: "sessions:write",
      addition: false,
      request: Examples.request,
      response: Examples.suite,
      failures: { 404: new AgentNotFound({ agent_id: "" }) },
      errors: {
        400: "A property breaks its rule, is missing or is not permitted; a whole `count` outside 1 to 100 is clamped instead",
        402: "The workspace has fewer credits than the scenarios asked for would cost",
        404: "`agent_id` names no agent of the workspace",
        429: "Scenario generation is rate-limited; it may be asked for again after Retry-After seconds",
        502: "The generator returned no usable scenarios",
        503: "The test runner is unreachable",
        504: "Scenario generation timed out"
      }
    })
  )

const create = HttpApiEndpoint.post("create", "/agent-test-suites")
  .setPayload(CreateSuiteBody)
  .addSuccess(SuiteRecord)
  .addError(Errors.InvalidRequest)
  .addError(Errors.NotFound)
  .addError(Errors.Conflict)
  .middleware(JsonBody)
  .middleware(needs("sessions:write"))
  .annotateContext(
    operation("createTestSuite", {
      summary: "Make a test suite by hand",
      description:
        "Stores scenarios that were made elsewhere as a suite, which can be changed and run like any other. Without " +
        "`config` it has the five known judges, and each placeholder of the agent's prompt with an empty string. " +
        "The body may have 5 MB. It costs nothing.",
      scope: "sessions:write",
      request: Examples.byHand,
      response: Examples.suite,
      failures: { 404: new AgentNotFound({ agent_id: "" }), 409: new SuiteNameTaken() },
      errors: {
        404: "`agent_id` names no agent of the workspace",
        409: "The workspace has a test suite of this name already"
      }
    })
  )

const list = HttpApiEndpoint.get("list", "/agent-test-suites")
  .setUrlParams(SuiteQuery)
  .addSuccess(PageOf("TestSuitePage", SuiteRecord))
  .middleware(needs("sessions:read"))
  .annotateContext(
    operation("listTestSuites", {
      summary: "List test suites",
      description: "The workspace's test suites, newest first.",
      scope: "sessions:read",
      addition: false,
      response: pageOf(Examples.suite)
    })
  )

const get = HttpApiEndpoint.get("get", "/agent-test-suites/:suite_id")
  .setPath(Path)
  .addSuccess(SuiteRecord)
  .addError(Errors.NotFound)
  .middleware(needs("sessions:read"))
  .annotateContext(
    operation("getTestSuite", {
      summary: "Read a test suite",
      description: "The suite as it stands now.",
      scope: "sessions:read",
      response: Examples.suite
    })
  )

const update = HttpApiEndpoint.patch("update", "/agent-test-suites/:suite_id")
  .setPath(Path)
  .setPayload(UpdateSuiteBody)
  .addSuccess(SuiteRecord)
  .addError(Errors.InvalidRequest)
  .addError(Errors.NotFound)
  .addError(Errors.Conflict)
  .middleware(JsonBody)
  .middleware(needs("sessions:write"))
  .annotateContext(
    operation("updateTestSuite", {
      summary: "Change a test suite",
      description:
        "Replaces what is given: the name, all scenarios, or judges and variables together. The variables fill in " +
        "the placeholders of the agent's prompt. The body may have 5 MB. Runs that have begun go on as they were.",
      scope: "sessions:write",
      request: Examples.change,
      response: Examples.changed,
      failures: { 409: new SuiteNameTaken() },
      errors: { 409: "The workspace has another test suite of this name" }
    })
  )

const remove = HttpApiEndpoint.del("remove", "/agent-test-suites/:suite_id")
  .setPath(Path)
  .addSuccess(Deleted)
  .addError(Errors.NotFound)
  .middleware(needs("sessions:write"))
  .annotateContext(
    operation("removeTestSuite", {
      summary: "Remove a test suite",
      description: "Its runs stay, and those under way go on.",
      scope: "sessions:write",
      response: deleted(Examples.suite.id)
    })
  )

export const SuitesGroup = HttpApiGroup.make("agent_test_suites")
  .add(generate)
  .add(create)
  .add(list)
  .add(get)
  .add(update)
  .add(remove)
  .annotateContext(
    OpenApi.annotations({
      title: "Agent test suites",
      description: "Personas that put an agent to the test, and the judges that read what was said."
    })
  )
