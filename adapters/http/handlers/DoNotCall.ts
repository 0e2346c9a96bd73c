import { Effect, Stream } from "effect"
import { DoNotCallList } from "../../../core/usecases/DoNotCallList.ts"
import { Api } from "../contract/Api.ts"
import * as Imported from "./Imported.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"
import { withFile } from "./Upload.ts"

export const layer = Operations.group(
  Api,
  "do_not_call",
  Effect.fnUntraced(function* (handlers) {
    const list = yield* DoNotCallList
    return handlers
      .handle("list", ({ urlParams }) =>
        Json.inWorkspace((id) => Effect.map(list.list(id, urlParams), (page) => Json.page(urlParams, page)))
      )
      .handle("add", ({ payload }) =>
        Json.inWorkspace((id) => Effect.map(list.add(id, payload.phone_numbers), (added) => ({ added })))
      )
      .handle("remove", ({ path: { phone_number } }) =>
        Json.inWorkspace((id) =>
          Effect.as(list.remove(id, phone_number), { phone_number, deleted: true as const })
        )
      )
      .handleRaw("import", ({ request }) =>
        Json.inWorkspace((id) =>
          withFile(request, id, ({ file }) => list.upload(id, file)).pipe(
            Effect.map(({ errors, ...counts }) =>
              Json.streamed(
                Stream.encodeText(Stream.fromIteratorSucceed(Imported.withErrors(counts, errors), 1))
              )
            )
          )
        )
      )
  })
)
