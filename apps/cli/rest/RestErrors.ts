import { Data, Either, Schema } from "effect"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import { CommandFailed } from "../terminal/Failure.ts"
import { printable } from "../terminal/Table.ts"

/** No answer came, or not all of it: the server may or may not have carried out the request. */
export class NotAnswered extends Data.TaggedError("NotAnswered")<{
  readonly message: string
  /** False when the request certainly never reached the server. */
  readonly mayHaveArrived: boolean
}> {}

/** The server refused the request, or answered in a form that Outdial never uses. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly status: number
  readonly message: string
}> {}

export type RestError = NotAnswered | Refused | CommandFailed

const passing = new Set([429, 500, 502, 503, 504])

/** Whether the same request may succeed in a moment. */
export const isOutage = (error: RestError): boolean =>
  error._tag === "NotAnswered" || (error._tag === "Refused" && passing.has(error.status))

const decodeBody = Schema.decodeUnknownEither(
  Schema.parseJson(
    Schema.Union(
      Schema.Struct({ error: Schema.Struct({ code: Schema.String, message: Schema.String }) }),
      Schema.Struct({ detail: Schema.NonEmptyArray(Schema.Struct({ msg: Schema.String })) })
    )
  )
)

const codes: ReadonlyArray<readonly [pattern: RegExp, say: (address: string) => string]> = [
  [/^ECONNREFUSED$/, (address) => `no server answers at ${address}; start it with npm start`],
  [/^(ENOTFOUND|EAI_AGAIN)$/, (address) => `the host of ${address} is not known`],
  [
    /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    (address) => `${address} is out of reach`
  ],
  [
    /^(ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/,
    (address) => `there is no secure connection to ${address}`
  ],
  [/^HPE_/, (address) => `what answers at ${address} does not speak HTTP`]
]

const codeOf = (cause: unknown): string => {
  const code = (cause as { readonly code?: unknown } | null | undefined)?.code
  return typeof code === "string" ? code : ""
}

/** The server has taken too long. */
export const late = (address: string): NotAnswered =>
  new NotAnswered({ message: `the server at ${address} did not answer in time`, mayHaveArrived: true })

/** The error for a request that was not answered. It repeats the address alone, nothing else of the request. */
export const notAnswered = (
  address: string,
  error: HttpClientError.HttpClientError
): NotAnswered | CommandFailed => {
  // The file to send could not be read.
  if (error.cause instanceof CommandFailed) return error.cause
  const code = codeOf(error.cause)
  const known = codes.find(([pattern]) => pattern.test(code))
  if (/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code)) return late(address)
  if (known === undefined)
    return new NotAnswered({ message: `the connection to ${address} was lost`, mayHaveArrived: true })
  const detail = code === "ECONNREFUSED" ? "" : ` (${code})`
  return new NotAnswered({ message: known[1](address) + detail, mayHaveArrived: false })
}

/** The error for an answer in a form that Outdial never uses. */
export const foreign = (address: string, status: number): Refused =>
  new Refused({
    status,
    message: `what answers at ${address} is not Outdial's interface (${status}): is the address right, with its /v0?`
  })

/** When the request may be sent again, unless the message says so already. Source: RFC 9110, 10.2.3. */
const againIn = (message: string, retryAfter: string | undefined): string =>
  retryAfter === undefined || !/^\d{1,9}$/.test(retryAfter) || message.includes("try again in")
    ? ""
    : `; try again in ${retryAfter} seconds`

/**
 * The error for an answer that is no success.
 *
 * @param retryAfter the answer's header of that name
 */
export const refused = (
  address: string,
  status: number,
  text: string,
  retryAfter: string | undefined
): Refused => {
  const said = (message: string) => new Refused({ status, message: printable(message) })
  const body = decodeBody(text)
  if (Either.isLeft(body)) return foreign(address, status)
  if (status === 401) return said("the server does not know this API key (OUTDIAL_API_KEY)")
  if ("detail" in body.right) return said(body.right.detail.map(({ msg }) => msg).join("; "))
  const { code, message } = body.right.error
  const hint = status === 404 && !/\/v\d+$/.test(address) ? `; does ${address} lack its /v0?` : ""
  return said(`${message} (${code})${hint}${againIn(message, retryAfter)}`)
}

/** Adds what may have happened, where the server may have carried out the request. */
export const inDoubt =
  (hint: string) =>
  (error: RestError): RestError =>
    error._tag === "NotAnswered" && error.mayHaveArrived
      ? new NotAnswered({ message: `${error.message}; ${hint}`, mayHaveArrived: true })
      : error
