import type { Call, PlaceCall } from "./contract/Types.ts"
import { type Operations, operations } from "./contract/Operations.ts"
import { allName, invoke, type Operation, parse, streamName } from "./Operation.ts"
import { OutdialError } from "./OutdialError.ts"
import { type Page, pages } from "./Pages.ts"
import type { ClientOptions, RequestOptions } from "./request/Options.ts"
import { makeTransport, type Transport } from "./Transport.ts"

/** The operations of the REST interface, by group. */
export interface OutdialClient extends Operations {}

type Method = (...args: ReadonlyArray<unknown>) => unknown

/** 128 bits by chance. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    ""
  )

/** Pages are as long as they may be, unless told. */
const pageLength = 100

const methodsOf = (send: Transport, name: string, operation: Operation): Record<string, Method> => {
  const { count, has } = operation
  const method: Method = (...args) => invoke(send, operation, args)
  if (has("page")) {
    const all: Method = (...args) =>
      pages((after) => {
        const paged = [...args]
        paged[count] = { limit: pageLength, ...(args[count] as object | undefined), after }
        return invoke(send, operation, paged) as Promise<Page<unknown>>
      })
    return { [name]: method, [allName(name)]: all }
  }
  if (!has("text")) return { [name]: method }
  return {
    [name]: method,
    [streamName(name)]: (...args) => invoke(send, operation, args, { answer: "stream" })
  }
}

const idOf = ({ details }: OutdialError): unknown =>
  typeof details === "object" && details !== null ? (details as { readonly call_id?: unknown }).call_id : null

/**
 * Places a call under a key, so that however often it is sent it is dialled once. A refusal for the key's sake that
 * comes after a lost try is that try's success: the call that has the key is read. Where that fails, for want of the
 * scope `sessions:read` for instance, the refusal is the answer, with its `details.call_id`.
 */
const makePlace =
  (send: Transport, get: Operation, place: Operation, withKeys: boolean) =>
  (body: PlaceCall, options?: RequestOptions) => {
    const key = body.idempotency_key ?? (withKeys ? newKey() : undefined)
    const recover = async (refusal: OutdialError): Promise<unknown> => {
      const id = idOf(refusal)
      if (refusal.status !== 409 || typeof id !== "string") throw refusal
      try {
        return await invoke(send, get, [id, options])
      } catch (error) {
        throw error instanceof OutdialError ? refusal : error
      }
    }
    return invoke(send, place, [{ ...body, idempotency_key: key }, options], {
      isRepeatable: key !== undefined,
      recover
    }) as Promise<Call>
  }

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/**
 * A client of the REST interface at `baseUrl`. Each operation is a method of its group, which takes the path's
 * parameters, the body or the file, the query, and how this one request is to be sent; all answer promises, which
 * are rejected with an `OutdialError`, or with the reason of the signal that ended them.
 *
 * Requests are sent again after 429 and when no connection was made; after lost answers, time-outs, 502, 503 and 504
 * only those that do no harm twice: GET, DELETE, publishing, the do-not-call list, and calls that have an
 * idempotency key. Source: `adapters/http/contract`.
 *
 * @throws {TypeError} when `baseUrl` is no http address, or the credential is missing
 */
export const createClient = (options: ClientOptions): OutdialClient => {
  if (!isAddress(options.baseUrl)) throw new TypeError("baseUrl must be an http or https address")
  if (!options.apiKey && !options.token) throw new TypeError("apiKey or token is missing")
  const send = makeTransport(options)
  const client: Record<string, Record<string, unknown>> = {}
  for (const [group, entries] of Object.entries(operations)) {
    const methods: Array<Record<string, unknown>> = Object.entries(entries).map(([name, entry]) =>
      methodsOf(send, name, parse(entry))
    )
    client[group] = Object.assign({}, ...methods)
  }
  const { get, place } = operations.calls
  client["calls"]!["place"] = makePlace(send, parse(get), parse(place), options.idempotencyKeys !== false)
  return client as unknown as OutdialClient
}
