import { Effect, Schema } from "effect"
import { Recordings } from "../../../core/usecases/Recordings.ts"
import { Api } from "../contract/Api.ts"
import { Id } from "../contract/Operation.ts"
import { Paging, query } from "../contract/Paging.ts"
import * as Validation from "../contract/Validation.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"

const session = Validation.parameters("path", Schema.Struct({ session_id: Id("The session's id") }))
const paging = Validation.parameters("query", query(Paging))

export const layer = Operations.group(
  Api,
  "recordings",
  Effect.fnUntraced(function* (handlers) {
    const recordings = yield* Recordings
    return handlers
      .handle("list", ({ path, request, urlParams }) =>
        Json.inWorkspace((id) =>
          Effect.gen(function* () {
            const { session_id } = yield* session(path)
            const page = yield* paging(urlParams)
            return Json.page(page, yield* recordings.ofSession(id, session_id, page, Json.originOf(request)))
          })
        )
      )
      .handle("remove", ({ path }) => Json.inWorkspace((id) => recordings.remove(id, path.recording_id)))
  })
)
