import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect, Stream } from "effect"
import { toJson } from "../../../core/model/campaigns/Recipient.ts"
import { recipientsFromJson } from "../../../core/model/campaigns/RecipientBody.ts"
import { Imports } from "../../../core/usecases/Imports.ts"
import { Recipients } from "../../../core/usecases/Recipients.ts"
import { Api } from "../contract/Api.ts"
import * as Imported from "./Imported.ts"
import * as Json from "./Json.ts"
import * as Results from "./Results.ts"
import * as Spool from "./Spool.ts"
import { withFile } from "./Upload.ts"

/** A thousand recipients have much to say. */
const maxBodyBytes = 5 * 1024 * 1024

export const layer = HttpApiBuilder.group(
  Api,
  "recipients",
  Effect.fnUntraced(function* (handlers) {
    const recipients = yield* Recipients
    const imports = yield* Imports
    const spooled = Spool.make()
    return handlers
      .handle("list", ({ path, urlParams }) =>
        Json.inWorkspace((id) =>
          Effect.map(recipients.list(id, path.campaign_id, urlParams, urlParams), (page) =>
            Json.textPage(urlParams, page, toJson)
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
      .handleRaw("import", ({ path, request }) =>
        Json.inWorkspace((id) =>
          withFile(request, id, (file) => imports.upload(id, path.campaign_id, file)).pipe(
            Effect.map((parts) => Json.streamed(spooled(Stream.encodeText(Imported.texts(parts)))))
          )
        )
      )
      .handle("imports", ({ path, urlParams }) =>
        Json.inWorkspace((id) =>
          Effect.map(imports.list(id, path.campaign_id, urlParams), (page) => Json.page(urlParams, page))
        )
      )
      .handle("getImport", ({ path }) =>
        Json.inWorkspace((id) => imports.get(id, path.campaign_id, path.import_id))
      )
      .handle("results", ({ path: { campaign_id } }) =>
        Json.inWorkspace((id) =>
          Effect.map(Results.lines(recipients.all(id, campaign_id)), (lines) =>
            Results.attached(lines, `${campaign_id}-results.csv`)
          )
        )
      )
  })
)
