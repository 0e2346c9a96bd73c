import { errorOf, OutdialError } from "./OutdialError.ts"
import type { ClientOptions, RequestOptions, Token } from "./request/Options.ts"
import { aftermathOf, delayOf, longestMs, sleep } from "./Retry.ts"

/** A request as it is sent, as often as it takes. */
export interface Request {
  readonly method: string
  /** Below the base, with its query. */
  readonly path: string
  /** JSON text, or a form. */
  readonly body: string | FormData | null
  /** It does no harm when the server acts on it twice. */
  readonly isRepeatable: boolean
  readonly timeoutMs: number | null
  readonly answer: "json" | "text" | "stream"
  /** What a refusal means after a try that the server may have carried out. */
  readonly recover: ((refusal: OutdialError) => Promise<unknown>) | null
}

const credentialOf = async (
  apiKey: string | undefined,
  token: Token | undefined
): Promise<Record<string, string>> => {
  if (apiKey !== undefined) return { "x-api-key": apiKey }
  return { authorization: `Bearer ${typeof token === "function" ? await token() : token}` }
}

const isRedirect = ({ status, type }: Response): boolean =>
  type === "opaqueredirect" || (status >= 300 && status < 400)

const invalid = (response: Response, message: string) =>
  new OutdialError({
    status: response.status,
    code: "invalid_answer",
    message,
    requestId: response.headers.get("x-request-id") ?? undefined
  })

const parsed = (response: Response, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid(response, "the answer is not JSON: it does not come from the interface, or broke off")
  }
}

const read = async (response: Response, answer: Request["answer"]): Promise<unknown> => {
  if (isRedirect(response)) {
    throw invalid(response, "the server answered with a redirect, which is not followed with a credential")
  }
  if (!response.ok) throw errorOf(response, await response.text())
  if (answer === "stream") return response.body
  const text = await response.text()
  return answer === "text" ? text : parsed(response, text)
}

/** Sends requests to a server, with repetitions and deadlines; promises are rejected with an `OutdialError`. */
export const makeTransport = (client: ClientOptions) => {
  const base = client.baseUrl.replace(/\/+$/, "")
  const { apiKey, retry = {}, token } = client

  const headersOf = async (
    { body }: Request,
    { idempotencyKey }: RequestOptions
  ): Promise<Record<string, string>> => ({
    accept: "application/json",
    ...(await credentialOf(apiKey, token)),
    ...(typeof body === "string" && { "content-type": "application/json" }),
    ...(idempotencyKey !== undefined && { "idempotency-key": `"${idempotencyKey}"` })
  })

  const once = async (request: Request, timeoutMs: number, options: RequestOptions) => {
    const { signal } = options
    const headers = await headersOf(request, options)
    signal?.throwIfAborted()
    const controller = new AbortController()
    const stop = () => controller.abort(signal?.reason)
    let late = false
    const timer = setTimeout(
      () => {
        late = true
        controller.abort()
      },
      Math.min(timeoutMs, longestMs)
    )
    signal?.addEventListener("abort", stop, { once: true })
    let isStreaming = false
    try {
      const fetch = client.fetch ?? globalThis.fetch
      const response = await fetch(base + request.path, {
        method: request.method,
        headers,
        body: request.body,
        signal: controller.signal,
        redirect: "manual"
      })
      const answer = await read(response, request.answer)
      isStreaming = request.answer === "stream"
      return answer
    } catch (cause) {
      if (cause instanceof OutdialError) throw cause
      signal?.throwIfAborted()
      if (late) {
        throw new OutdialError({ code: "timeout", message: `no answer within ${timeoutMs} ms`, cause })
      }
      throw new OutdialError({ code: "network_error", message: "no answer came from the server", cause })
    } finally {
      clearTimeout(timer)
      if (!isStreaming) signal?.removeEventListener("abort", stop)
    }
  }

  return async (request: Request, options: RequestOptions = {}): Promise<unknown> => {
    const retries = options.retries ?? retry.retries ?? 3
    const timeoutMs = options.timeoutMs ?? request.timeoutMs ?? client.timeoutMs ?? 30_000
    const isRepeatable = request.isRepeatable || options.idempotencyKey !== undefined
    let isUnsure = false
    for (let failures = 1; ; failures++) {
      try {
        return await once(request, timeoutMs, options)
      } catch (error) {
        if (!(error instanceof OutdialError)) throw error
        const aftermath = aftermathOf(error)
        if (aftermath === "final" && isUnsure && request.recover !== null) return request.recover(error)
        if (aftermath === "unknown") isUnsure = true
        const mayRepeat = aftermath === "untouched" || (aftermath === "unknown" && isRepeatable)
        const delay = delayOf(failures, error.retryAfter, retry, Math.random())
        if (!mayRepeat || failures > retries || delay === null) throw error
        await sleep(delay, options.signal)
      }
    }
  }
}

export type Transport = ReturnType<typeof makeTransport>
