import { Buffer } from "node:buffer"
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import type * as HttpServerError from "@effect/platform/HttpServerError"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { Effect, Option, Scope } from "effect"
import { InvalidInput } from "../../../core/model/InvalidInput.ts"
import { TablesBusy } from "../../../core/ports/TableReader.ts"
import type { Upload } from "../../../core/usecases/Imports.ts"
import * as Shares from "../../shared/Shares.ts"
import { BodyRefused } from "../contract/Errors.ts"
import * as Multipart from "./Multipart.ts"

/** Source: contract, "Limits", import file size. */
export const maxFileBytes = 5 * 1024 * 1024

/** With what a form may have around its file. */
const maxBodyBytes = maxFileBytes + 64 * 1024

const invalid = (reason: string) => Effect.fail(new InvalidInput({ reason, field: "file" }))

const notAForm = invalid("the body must be multipart/form-data, with one part named file")
const malformed = invalid("the multipart body is malformed, or ends early")
const noFile = invalid("the form has no part named file")
const notAlone = invalid("the form must have one part alone, the file")

const tooLarge = Effect.fail(
  new BodyRefused({ status: 413, message: `the file must have at most ${maxFileBytes} bytes (5 MB)` })
)

const isTooLarge = ({ cause }: HttpServerError.RequestError) =>
  cause instanceof BodyRefused && cause.status === 413

/** Bytes of files that a process may hold for all workspaces, and for one: three files of the largest size. */
const room = Shares.make({ total: 64 * 1024 * 1024, each: 16 * 1024 * 1024 })

/** How long a file may wait for room, before any of it is read. */
const patience = "10 seconds"

const plainName = "file"

/** A file's name as any store can hold it: without folders, control characters and more than 255 characters. */
export const sanitised = (name: string | null): string => {
  const base = (name ?? "").split(/[/\\]/).at(-1)!
  const shown = base
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "")
    .trim()
  return shown === "" ? plainName : shown.slice(0, 255).replace(/[\ud800-\udbff]$/, "")
}

/** Bytes that a body may have by its own account, as far as they are taken. */
const bytesOf = (declared: string | undefined) => {
  const bytes = Number(declared ?? maxBodyBytes)
  return bytes <= maxBodyBytes ? bytes : 0
}

/**
 * The one file of a form, at most 5 MB, which no other part goes with. What cannot be read of the body otherwise
 * is answered where all requests are. Source: contract, "import".
 */
const fileOf = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  workspace_id: string
) {
  const { "content-encoding": encoding, "content-length": length, "content-type": type } = request.headers
  const boundary = Multipart.boundaryOf(type)
  if (boundary === null || (encoding !== undefined && encoding !== "identity")) return yield* notAForm
  yield* Effect.timeoutFail(room(workspace_id, bytesOf(length)), {
    duration: patience,
    onTimeout: () => new TablesBusy()
  })
  const body = yield* request.arrayBuffer.pipe(
    HttpIncomingMessage.withMaxBodySize(Option.some(maxBodyBytes)),
    Effect.catchIf(isTooLarge, () => tooLarge),
    Effect.catchTag("RequestError", Effect.die)
  )
  const parts = Multipart.parse(Buffer.from(body), boundary, 2)
  if (parts === null) return yield* malformed
  if (parts.length > 1) return yield* notAlone
  const [part] = parts
  if (part?.name !== "file") return yield* noFile
  if (part.content.length > maxFileBytes) return yield* tooLarge
  return { filename: sanitised(part.filename), file: part.content } satisfies Upload
})

/** Uses the file of a form; its bytes are held until then, and not until the request has been answered. */
export const withFile = <A, E, R>(
  request: HttpServerRequest.HttpServerRequest,
  workspace_id: string,
  use: (upload: Upload) => Effect.Effect<A, E, R>
) =>
  Effect.flatMap(Effect.scope, (answer) =>
    fileOf(request, workspace_id).pipe(
      Effect.flatMap((upload) => Effect.provideService(use(upload), Scope.Scope, answer)),
      Effect.scoped
    )
  )
