import { Effect, Either, Schema } from "effect"
import { firstOf } from "../../../core/model/InvalidInput.ts"
import { Template } from "../../../core/model/templates/Template.ts"
import { templateFromJson } from "../../../core/model/templates/TemplateBody.ts"
import { Templates } from "../../../core/usecases/Templates.ts"
import { Api } from "../contract/Api.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"
import * as Registry from "./Registry.ts"

const encode = Schema.encodeSync(Template)

export const layer = Operations.group(
  Api,
  "message_templates",
  Effect.fnUntraced(function* (handlers) {
    const templates = yield* Templates
    return handlers
      .handleRaw("create", ({ request }) =>
        Json.inWorkspace((id) =>
          Json.text(request).pipe(
            Effect.flatMap((text) => Either.mapLeft(templateFromJson(text), firstOf)),
            Effect.flatMap((draft) => templates.create(id, draft)),
            Effect.map((template) => Json.json(JSON.stringify(encode(template)))),
            Effect.catchTags(Registry.failures)
          )
        )
      )
      .handle("list", ({ urlParams }) =>
        Json.inWorkspace((id) =>
          Effect.map(templates.list(id, urlParams, urlParams), (page) => Json.page(urlParams, page))
        )
      )
      .handle("get", ({ path }) => Json.inWorkspace((id) => templates.get(id, path.template_id)))
      .handle("remove", ({ path }) =>
        Json.inWorkspace((id) =>
          templates
            .remove(id, path.template_id)
            .pipe(Effect.as(Json.deleted(path.template_id)), Effect.catchTags(Registry.failures))
        )
      )
  })
)
