import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { needs } from "./Authentication.ts"
import * as Examples from "./Examples.ts"
import { EventStream, operation } from "./Operation.ts"

const follow = HttpApiEndpoint.get("follow", "/events")
  .addSuccess(EventStream)
  .middleware(needs("sessions:read"))
  .annotateContext(
    operation("followWorkspace", {
      summary: "Follow a workspace as it changes",
      description:
        "Server-sent events: `ready` at first, and from then on `call`, `campaign`, `run` and `delivery`, each with the " +
        "record as it now stands, at most a second after it is new or has changed. Changes of one record within a second " +
        "are told as one. Campaigns are told to a credential with `campaigns:read`, deliveries to one with " +
        "`webhooks:read`. A comment is sent every 15 seconds. The stream ends after 15 minutes, and when a reader is too " +
        "slow: connect again, and read again what is shown, since what changed meanwhile is not told. Of older records " +
        "than the newest 100 campaigns, 20 runs, 20 deliveries of each endpoint and 100 calls that wait nothing is told, but " +
        "for calls under way. What must not be missed goes to a webhook.",
      scope: "sessions:read",
      response: `event: ready\ndata: {}\n\nevent: call\ndata: ${JSON.stringify(Examples.call)}\n\n`
    })
  )

export const ChangesGroup = HttpApiGroup.make("events")
  .add(follow)
  .annotateContext(
    OpenApi.annotations({
      title: "Events",
      description: "What changes in a workspace, as it changes. An addition."
    })
  )
