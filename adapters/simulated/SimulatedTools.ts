import { Effect, Layer } from "effect"
import { span } from "../../core/engine/Span.ts"
import { ToolFailed, type ToolRequest, ToolRunner } from "../../core/ports/ToolRunner.ts"
import { httpUrl } from "../shared/UrlForm.ts"

/** How tools answer. */
export type Answer = (request: ToolRequest) => Effect.Effect<string, ToolFailed>

const done: Answer = () => Effect.succeed(`{"ok":true}`)

/** Tools that are answered within the process. No address is called, so any http or https URL is accepted. */
export const layer = (answer: Answer = done): Layer.Layer<ToolRunner> =>
  Layer.succeed(ToolRunner, {
    run: (request) => Effect.suspend(() => answer(request)).pipe(span("ToolRunner.run")),
    vet: (url) =>
      Effect.mapError(
        Effect.asVoid(httpUrl(url)),
        (reason) => new ToolFailed({ reason: "refused", message: reason })
      )
  })
