import { Effect, Either, Schema } from "effect"
import { firstOf } from "../../../core/model/InvalidInput.ts"
import { type Body, reader } from "../../../core/model/json/Body.ts"
import { type Suite, SuiteRecord } from "../../../core/model/suites/Suite.ts"
import { CreateSuiteBody, type UpdateSuite, UpdateSuiteBody } from "../../../core/model/suites/SuiteBody.ts"
import { Suites } from "../../../core/usecases/Suites.ts"
import { Api } from "../contract/Api.ts"
import { CurrentPrincipal } from "../contract/Authentication.ts"
import * as Generation from "./Generation.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"

/** A hundred scenarios have much to say. */
const maxBodyBytes = 5 * 1024 * 1024

const encode = Schema.encodeSync(SuiteRecord)

/** A suite's record. Its variables pass no codec: one may be named `__proto__`. */
const textOf = (suite: Suite) => JSON.stringify({ ...encode(suite), config: suite.config })

const record = (suite: Suite) => Json.json(textOf(suite))

const { text: read } = reader(UpdateSuiteBody, {})

const { text: readNew } = reader(CreateSuiteBody, {})

/** What a body says, with its variables as they were sent, `__proto__` too. */
const asSent = <Sent extends Pick<UpdateSuite, "config">>({ fields, parsed }: Body<Sent>): Sent => {
  if (fields.config === undefined) return fields
  const { variables } = (parsed as Required<Sent>).config!
  return { ...fields, config: { ...fields.config, variables } }
}

export const layer = Operations.group(
  Api,
  "agent_test_suites",
  Effect.fnUntraced(function* (handlers) {
    const suites = yield* Suites
    return handlers
      .handle("generate", ({ payload }) =>
        Effect.flatMap(CurrentPrincipal, ({ subject, workspace_id }) =>
          suites
            .generate(workspace_id, payload, subject)
            .pipe(Effect.map(record), Effect.catchTags(Generation.failures))
        )
      )
      .handleRaw("create", ({ request }) =>
        Effect.flatMap(CurrentPrincipal, ({ subject, workspace_id }) =>
          Json.longText(request, maxBodyBytes).pipe(
            Effect.flatMap((text) => Either.mapBoth(readNew(text), { onLeft: firstOf, onRight: asSent })),
            Effect.flatMap((draft) => suites.create(workspace_id, draft, subject)),
            Effect.map(record)
          )
        )
      )
      .handle("list", ({ urlParams }) =>
        Json.inWorkspace((id) =>
          Effect.map(suites.list(id, urlParams, urlParams), (page) => Json.textPage(urlParams, page, textOf))
        )
      )
      .handle("get", ({ path }) =>
        Json.inWorkspace((id) => Effect.map(suites.get(id, path.suite_id), record))
      )
      .handleRaw("update", ({ path, request }) =>
        Json.inWorkspace((id) =>
          Json.longText(request, maxBodyBytes).pipe(
            Effect.flatMap((text) => Either.mapBoth(read(text), { onLeft: firstOf, onRight: asSent })),
            Effect.flatMap((change) => suites.update(id, path.suite_id, change)),
            Effect.map(record)
          )
        )
      )
      .handle("remove", ({ path }) =>
        Json.inWorkspace((id) => Effect.as(suites.remove(id, path.suite_id), Json.deleted(path.suite_id)))
      )
  })
)
