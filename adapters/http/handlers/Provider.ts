import { Effect } from "effect"
import { ApiError, type Code } from "../contract/Coded.ts"
import * as Exchange from "../contract/RequestContext.ts"

/** What a client is told when a provider failed. Its own words are for the operator, and stay in the log. */
export const failed =
  (event: string, status: number, code: Code, message: string) =>
  ({ _tag: failure, message: reason }: { readonly _tag: string; readonly message: string }) =>
    Exchange.withRequest((request) => {
      const { request_id, workspace_id } = Exchange.of(request) ?? {}
      return Effect.zipRight(
        Effect.annotateLogs(Effect.logWarning(event), { failure, reason, request_id, workspace_id }),
        Effect.fail(new ApiError({ status, code, message }))
      )
    })
