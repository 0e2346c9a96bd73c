import { Effect, Either } from "effect"
import { toRecord } from "../../../core/model/calls/Attempt.ts"
import { type CampaignState, toJson } from "../../../core/model/campaigns/Campaign.ts"
import { changeFromJson, draftFromJson } from "../../../core/model/campaigns/CampaignBody.ts"
import { firstOf } from "../../../core/model/InvalidInput.ts"
import { sliced } from "../../../core/model/Page.ts"
import { Campaigns } from "../../../core/usecases/Campaigns.ts"
import { Api } from "../contract/Api.ts"
import * as Validation from "../contract/Validation.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"

/** A campaign's record, with what was supplied as JSON byte for byte. */
const record = (state: CampaignState) => Json.json(toJson(state))

export const layer = Operations.group(
  Api,
  "campaigns",
  Effect.fnUntraced(function* (handlers) {
    const campaigns = yield* Campaigns

    /** What is wrong with a change, in its form or for the campaign's state, is told in one shape. */
    const change = (workspace_id: string, campaign_id: string, text: string) =>
      Either.match(changeFromJson(text), {
        onLeft: (issues) => Effect.fail(Validation.failed(text, issues)),
        onRight: (wanted) =>
          Effect.catchTag(
            campaigns.update(workspace_id, campaign_id, wanted),
            "ChangeRefused",
            ({ issues }) => Effect.fail(Validation.failed(text, issues))
          )
      })

    return handlers
      .handleRaw("create", ({ request }) =>
        Json.inWorkspace((id) =>
          Json.text(request).pipe(
            Effect.flatMap((text) => Either.mapLeft(draftFromJson(text), firstOf)),
            Effect.flatMap((draft) => campaigns.create(id, draft)),
            Effect.map(record)
          )
        )
      )
      .handle("list", ({ urlParams }) =>
        Json.inWorkspace((id) =>
          Effect.map(campaigns.list(id, urlParams, urlParams), (page) =>
            Json.textPage(urlParams, page, toJson)
          )
        )
      )
      .handle("get", ({ path }) =>
        Json.inWorkspace((id) => Effect.map(campaigns.get(id, path.campaign_id), record))
      )
      .handleRaw("update", ({ path, request }) =>
        Json.inWorkspace((id) =>
          Validation.text(request).pipe(
            Effect.flatMap((text) => change(id, path.campaign_id, text)),
            Effect.map(record)
          )
        )
      )
      .handle("start", ({ path }) =>
        Json.inWorkspace((id) => Effect.map(campaigns.start(id, path.campaign_id), record))
      )
      .handle("remove", ({ path }) =>
        Json.inWorkspace((id) =>
          Effect.as(campaigns.remove(id, path.campaign_id), Json.deleted(path.campaign_id))
        )
      )
      .handle("attempts", ({ path, urlParams }) =>
        Json.inWorkspace((id) => {
          const { filter, page } = sliced(urlParams)
          return Effect.map(campaigns.attempts(id, path.campaign_id, filter, page), ({ data, total }) =>
            Json.page(page, { data: data.map(toRecord), total })
          )
        })
      )
      .handle("progress", ({ path, urlParams }) =>
        Json.inWorkspace((id) => campaigns.progress(id, path.campaign_id, urlParams))
      )
  })
)
