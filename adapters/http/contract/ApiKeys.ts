import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Scope } from "../../../core/model/workspaces/Principal.ts"
import { ApiKeyRecord } from "../../../core/model/workspaces/Workspace.ts"
import { needs } from "./Authentication.ts"
import * as Errors from "./Errors.ts"
import { pageOf } from "./Examples.ts"
import { JsonBody } from "./JsonBody.ts"
import { body, Id, operation } from "./Operation.ts"
import { PageOf, PageQuery } from "./Paging.ts"
import * as Examples from "./WorkspaceExamples.ts"

const { expires_at, name } = ApiKeyRecord.fields

export const NewApiKey = body("NewApiKey", {
  name,
  scopes: Schema.Array(Scope),
  expires_at: Schema.optionalWith(expires_at, { default: () => null })
})

export const ApiKeyChange = body("ApiKeyChange", {
  name: Schema.optional(name),
  expires_at: Schema.optional(expires_at)
})

const MadeApiKey = Schema.Struct({
  ...ApiKeyRecord.fields,
  key: Schema.String.annotations({
    description: "The key itself. It is shown this once: only its digest is kept"
  })
}).annotations({ identifier: "MadeApiKey" })

const Path = Schema.Struct({
  key_id: Id("The key's id: what stands between `od_live_` and the next underscore")
})

const create = HttpApiEndpoint.post("create", "/api-keys")
  .setPayload(NewApiKey)
  .addSuccess(MadeApiKey)
  .middleware(JsonBody)
  .middleware(needs("keys:write"))
  .annotateContext(
    operation("createApiKey", {
      summary: "Make an API key",
      description:
        "Makes a key of this workspace. It may do no more than the credential that makes it: a scope that this one " +
        "lacks is answered with 403. From `expires_at` on the key opens nothing; null, the default: it does not expire.",
      scope: "keys:write",
      request: Examples.newKey,
      response: Examples.madeKey
    })
  )

const list = HttpApiEndpoint.get("list", "/api-keys")
  .setUrlParams(PageQuery)
  .addSuccess(PageOf("ApiKeyPage", ApiKeyRecord))
  .middleware(needs("keys:write"))
  .annotateContext(
    operation("listApiKeys", {
      summary: "List API keys",
      description:
        "The workspace's keys, in the order of their ids, those that are revoked or expired among them. `last_used_at` is exact to " +
        "the minute.",
      scope: "keys:write",
      response: pageOf(Examples.apiKey)
    })
  )

const update = HttpApiEndpoint.patch("update", "/api-keys/:key_id")
  .setPath(Path)
  .setPayload(ApiKeyChange)
  .addSuccess(ApiKeyRecord)
  .addError(Errors.NotFound)
  .middleware(JsonBody)
  .middleware(needs("keys:write"))
  .annotateContext(
    operation("updateApiKey", {
      summary: "Change an API key",
      description:
        "Changes the name of a key that is not revoked, or when it expires. A moment that is past ends it at once.",
      scope: "keys:write",
      request: { expires_at: Examples.newKey.expires_at },
      response: Examples.apiKey
    })
  )

const revoke = HttpApiEndpoint.post("revoke", "/api-keys/:key_id/revoke")
  .setPath(Path)
  .addSuccess(ApiKeyRecord)
  .addError(Errors.NotFound)
  .middleware(needs("keys:write"))
  .annotateContext(
    operation("revokeApiKey", {
      summary: "Revoke an API key",
      description: "Ends the key for good, at once. It may be the key that the request is made with.",
      scope: "keys:write",
      response: { ...Examples.apiKey, revoked_at: "2026-03-03T08:00:00.000Z" }
    })
  )

export const ApiKeysGroup = HttpApiGroup.make("api_keys")
  .add(create)
  .add(list)
  .add(update)
  .add(revoke)
  .annotateContext(
    OpenApi.annotations({
      title: "API keys",
      description:
        "The credentials of a workspace: made, listed with their last use, expired and revoked. An addition."
    })
  )
