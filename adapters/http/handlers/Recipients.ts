import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { Effect, Stream } from "effect"
import { toJson } from "../../../core/model/campaigns/Recipient.ts"
import { recipientChangeFromJson, recipientsFromJson } from "../../../core/model/campaigns/RecipientBody.ts"
import { Imports } from "../../../core/usecases/Imports.ts"
import { Recipients } from "../../../core/usecases/Recipients.ts"
import { Api } from "../contract/Api.ts"
import { CurrentPrincipal } from "../contract/Authentication.ts"
import * as Exchange from "../contract/RequestContext.ts"
import { byPrefix } from "../contract/Values.ts"
import { attached } from "./Csv.ts"
import * as Imported from "./Imported.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"
import * as Results from "./Results.ts"
import * as Spool from "./Spool.ts"
import { withFile } from "./Upload.ts"

/** A thousand recipients have much to say. */
const maxBodyBytes = 5 * 1024 * 1024

/** The path below which the server has the interface: what the route begins with. */
const basePathOf = (request: HttpServerRequest.HttpServerRequest): string => {
  const route = Exchange.of(request)?.route ?? ""
  return route.slice(0, route.lastIndexOf("/campaigns/"))
}

export const layer = Operations.group(
  Api,
  "recipients",
  Effect.fnUntraced(function* (handlers) {
    const recipients = yield* Recipients
    const imports = yield* Imports
    const spooled = Spool.make()
    return handlers
      .handle("list", ({ path, urlParams }) =>
        Json.inWorkspace((id) =>
          Effect.map(
            recipients.list(
              id,
              path.campaign_id,
              {
                ...urlParams,
                answers: byPrefix(urlParams, "answers"),
                variables: byPrefix(urlParams, "variables")
              },
              urlParams
            ),
            (page) => Json.textPage(urlParams, page, toJson)
          )
        )
      )
      .handleRaw("add", ({ path, request }) =>
        Json.inWorkspace((id) =>
          Json.longText(request, maxBodyBytes).pipe(
            Effect.flatMap(recipientsFromJson),
            Effect.flatMap((drafts) => recipients.add(id, path.campaign_id, drafts)),
            Effect.map((added) => Json.json(`{"recipients":[${added.map(toJson).join(",")}]}`))
          )
        )
      )
      .handle("get", ({ path }) =>
        Json.inWorkspace((id) =>
          Effect.map(recipients.get(id, path.campaign_id, path.recipient_id), (found) =>
            Json.json(toJson(found))
          )
        )
      )
      .handleRaw("update", ({ path, request }) =>
        Json.inWorkspace((id) =>
          Json.text(request).pipe(
            Effect.flatMap(recipientChangeFromJson),
            Effect.flatMap((change) => recipients.change(id, path.campaign_id, path.recipient_id, change)),
            Effect.map((changed) => Json.json(toJson(changed)))
          )
        )
      )
      .handle("remove", ({ path }) =>
        Json.inWorkspace((id) =>
          Effect.as(
            recipients.remove(id, path.campaign_id, path.recipient_id),
            Json.deleted(path.recipient_id)
          )
        )
      )
      .handle("retry", ({ path }) =>
        Json.inWorkspace((id) =>
          Effect.map(recipients.retry(id, path.campaign_id, path.recipient_id), (again) =>
            Json.json(toJson(again))
          )
        )
      )
      .handleRaw("import", ({ path, request }) =>
        Json.inWorkspace((id) =>
          withFile(request, id, (file) => imports.upload(id, path.campaign_id, file)).pipe(
            Effect.map((parts) =>
              Json.streamed(spooled(Stream.encodeText(Imported.texts(parts, basePathOf(request)))))
            )
          )
        )
      )
      .handle("imports", ({ path, request, urlParams }) =>
        Json.inWorkspace((id) =>
          Effect.map(imports.list(id, path.campaign_id, urlParams), ({ data, total }) =>
            Json.page(urlParams, {
              data: data.map((record) => Imported.linked(record, basePathOf(request))),
              total
            })
          )
        )
      )
      .handle("getImport", ({ path, request }) =>
        Json.inWorkspace((id) =>
          Effect.map(imports.get(id, path.campaign_id, path.import_id), (record) =>
            Imported.linked(record, basePathOf(request))
          )
        )
      )
      .handle("importErrors", ({ path: { campaign_id, import_id } }) =>
        Json.inWorkspace((id) =>
          Effect.map(imports.errors(id, campaign_id, import_id), (errors) =>
            attached(Imported.errorLines(errors), `${import_id}-errors.csv`)
          )
        )
      )
      .handle("results", ({ path: { campaign_id } }) =>
        Effect.flatMap(CurrentPrincipal, ({ scopes, workspace_id }) =>
          Effect.map(
            Results.lines(
              recipients.all(workspace_id, campaign_id),
              recipients.results(workspace_id, campaign_id),
              scopes.has("recipients:export")
            ),
            (lines) => attached(lines, `${campaign_id}-results.csv`)
          )
        )
      )
  })
)
