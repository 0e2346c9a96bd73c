import { Cause, Effect, Exit, FiberId, Option, Runtime, Scope, Stream } from "effect"
import * as Cookies from "@effect/platform/Cookies"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { byteLength } from "../../../core/model/json/RawJson.ts"

const headersOf = ({ cookies, headers }: HttpServerResponse.HttpServerResponse): Headers => {
  const sent = new Headers(headers as Record<string, string>)
  for (const cookie of Cookies.toSetCookieHeaders(cookies)) sent.append("set-cookie", cookie)
  return sent
}

export interface ReadableOptions {
  readonly runtime: Runtime.Runtime<never>
  /** How long a client may leave what is there unread. */
  readonly stallMillis: number
  /** What the body is made in; it ends with it. */
  readonly scope: Scope.CloseableScope
}

/**
 * A body that is made as the client reads it. It breaks off when making it fails, which is logged, or when the
 * client has read nothing for `stallMillis`.
 */
const readable = (
  body: Stream.Stream<Uint8Array, unknown>,
  { runtime, scope, stallMillis }: ReadableOptions
): ReadableStream<Uint8Array> => {
  const run = Runtime.runPromiseExit(runtime)
  const pulling = run(Scope.extend(Stream.toPull(body), scope))
  let stalled: ReturnType<typeof setTimeout> | undefined
  let ended = false
  const end = (exit: Exit.Exit<unknown, unknown>) => {
    if (ended) return
    ended = true
    clearTimeout(stalled)
    void run(Scope.close(scope, exit))
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      clearTimeout(stalled)
      const pieces = await run(Effect.flatten(await pulling))
      if (ended) return
      if (Exit.isSuccess(pieces)) {
        for (const piece of pieces.value) controller.enqueue(piece)
        stalled = setTimeout(() => {
          end(Exit.interrupt(FiberId.none))
          controller.error(new Error("the answer was not read in time"))
        }, stallMillis)
        return
      }
      const failure = Cause.failureOption(pieces.cause)
      if (Option.isSome(failure) && Option.isOption(failure.value) && Option.isNone(failure.value)) {
        end(Exit.void)
        return controller.close()
      }
      end(pieces)
      if (!Cause.isInterruptedOnly(pieces.cause)) {
        await run(Effect.logError("a response broke off", pieces.cause))
      }
      controller.error(new Error("the answer broke off"))
    },
    cancel: () => end(Exit.interrupt(FiberId.none))
  })
}

/** The answer as a web-standard response. A streamed one goes on in its scope, which ends with it. */
export const toResponse = (
  answer: HttpServerResponse.HttpServerResponse,
  withoutBody: boolean,
  options: ReadableOptions
): Response => {
  const headers = headersOf(answer)
  const { body, status } = answer
  const whole = (payload: string | Uint8Array<ArrayBuffer>) => {
    headers.set("content-length", String(typeof payload === "string" ? byteLength(payload) : payload.length))
    return new Response(withoutBody ? null : payload, { status, headers })
  }
  switch (body._tag) {
    case "Empty":
      return status === 204 || status === 304 || status === 499
        ? new Response(null, { status, headers })
        : whole("")
    case "Uint8Array":
      return whole(body.body as Uint8Array<ArrayBuffer>)
    case "Raw":
      return typeof body.body === "string"
        ? whole(body.body)
        : new Response(withoutBody ? null : (body.body as ConstructorParameters<typeof Response>[0]), {
            status,
            headers
          })
    case "FormData":
      return new Response(withoutBody ? null : body.formData, { status, headers })
    case "Stream":
      return new Response(withoutBody ? null : readable(body.stream, options), { status, headers })
  }
}

/** Whether the request's scope has to outlive the answer's head. */
export const isStreamed = ({ body }: HttpServerResponse.HttpServerResponse): boolean => body._tag === "Stream"
