import { Either, ParseResult, Schema } from "effect"
import { isoOrNull, isoTimestamp, Timestamp } from "../Codecs.ts"
import { firstOf, InvalidInput } from "../InvalidInput.ts"
import { issuesOf } from "../Issues.ts"
import { elements, RawJson, topLevel } from "../json/RawJson.ts"
import { CallStatus } from "./Call.ts"
import { PlaceCallBody } from "./PlaceCall.ts"

/** Calls of one batch at most, and those that one transaction accepts. */
export const mostCalls = 1_000
export const together = 100

const scheduled_for = Schema.optional(
  Schema.NullOr(Timestamp).annotations({
    description: "When the calls are due, within their calling windows; by default at once"
  })
)

/** The body of `POST /call-batches`, as it is described: what is wrong with one call refuses that call alone. */
export const CallBatchBody = Schema.Struct({
  calls: Schema.Array(PlaceCallBody).pipe(Schema.minItems(1), Schema.maxItems(mostCalls)),
  scheduled_for
}).annotations({ identifier: "NewCallBatch", parseOptions: { onExcessProperty: "error", errors: "all" } })

const Envelope = Schema.Struct({
  calls: Schema.Array(Schema.Unknown).annotations({ message: () => "calls must be an array" }),
  scheduled_for
}).annotations({ parseOptions: { onExcessProperty: "error", errors: "all" } })

/** What a client wants to have placed: each call as it was sent. */
export interface CallBatchRequest {
  readonly calls: ReadonlyArray<RawJson>
  readonly scheduled_for: number | null
}

const decode = ParseResult.decodeUnknownEither(Envelope)
const invalid = (reason: string, field: string | null = null) =>
  Either.left(new InvalidInput({ reason, field }))

const checked = (
  value: unknown,
  callsOf: (calls: ReadonlyArray<unknown>) => ReadonlyArray<RawJson>
): Either.Either<CallBatchRequest, InvalidInput> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return invalid("the body must be a JSON object")
  }
  const decoded = decode(value)
  if (Either.isLeft(decoded)) {
    return Either.left(firstOf(issuesOf(new ParseResult.ParseError({ issue: decoded.left }))))
  }
  const { calls, scheduled_for = null } = decoded.right
  return calls.length === 0 || calls.length > mostCalls
    ? invalid(`calls must have 1 to ${mostCalls} elements`, "calls")
    : Either.right({ calls: callsOf(calls), scheduled_for })
}

/** Reads the text of a body. The calls in it are read when they are placed. */
export const fromJson = (text: string): Either.Either<CallBatchRequest, InvalidInput> =>
  Either.flatMap(
    Either.try({
      try: () => JSON.parse(text) as unknown,
      catch: () => new InvalidInput({ reason: "the body is not valid JSON", field: null })
    }),
    (value) => checked(value, () => elements(topLevel(text).get("calls") ?? "[]"))
  )

/** The same of a body that is a value. */
export const fromValue = (body: unknown): Either.Either<CallBatchRequest, InvalidInput> =>
  Either.getOrElse(
    Either.try(() => checked(body, (calls) => calls.map((call) => RawJson(JSON.stringify(call) ?? "null")))),
    () => invalid("the input cannot be written as JSON")
  )

export const BatchStatus = Schema.Literal("accepting", "accepted", "cancelled")

export const ItemError = Schema.Struct({
  code: Schema.Literal("invalid_request", "insufficient_credits", "not_found", "conflict"),
  message: Schema.String
})

/** What became of one call of a batch. */
export const BatchItem = Schema.Struct({
  index: Schema.Int.annotations({ description: "Its place in `calls`, from 0" }),
  status: Schema.Literal("created", "duplicate", "refused"),
  call_id: Schema.NullOr(Schema.String).annotations({
    description: "The call; of a duplicate, the call that has its `idempotency_key`; null when refused"
  }),
  error: Schema.NullOr(ItemError).annotations({ description: "Why the call was refused" })
}).annotations({ identifier: "CallBatchItem" })
export type BatchItem = typeof BatchItem.Type

export const CallBatchRecord = Schema.Struct({
  id: Schema.String,
  customer_id: Schema.String,
  status: BatchStatus.annotations({
    description: "`accepting` while calls are being accepted, or when that was broken off"
  }),
  scheduled_for: Schema.NullOr(Timestamp),
  counts: Schema.Struct({
    total: Schema.Int,
    created: Schema.Int,
    duplicate: Schema.Int,
    refused: Schema.Int
  }),
  statuses: Schema.Struct(
    Object.fromEntries(CallStatus.literals.map((status) => [status, Schema.Int])) as Record<
      CallStatus,
      typeof Schema.Int
    >
  ).annotations({ description: "How many of the calls that were created stand so now" }),
  items: Schema.Array(BatchItem).annotations({ description: "In the order of `calls`, as far as accepted" }),
  created_at: Timestamp,
  cancelled_at: Schema.NullOr(Timestamp)
}).annotations({ identifier: "CallBatch" })

/** A batch as it is kept. */
export interface CallBatch {
  readonly id: string
  readonly customer_id: string
  readonly total: number
  readonly scheduled_for: number | null
  /** Sent again with the same key and the same digest of its body, it is gone on with. */
  readonly idempotency_key: string | null
  readonly digest: string | null
  readonly created_at: number
  readonly cancelled_at: number | null
}

/** A batch with what became of its calls so far. */
export interface CallBatchState {
  readonly batch: CallBatch
  readonly items: ReadonlyArray<BatchItem>
  /** How the calls that were created stand now. */
  readonly statuses: ReadonlyMap<CallStatus, number>
}

export const recordOf = ({ batch, items, statuses }: CallBatchState): typeof CallBatchRecord.Encoded => {
  const count = (status: BatchItem["status"]) => items.filter((item) => item.status === status).length
  const accepted = items.length === batch.total
  return {
    id: batch.id,
    customer_id: batch.customer_id,
    status: batch.cancelled_at !== null ? "cancelled" : accepted ? "accepted" : "accepting",
    scheduled_for: isoOrNull(batch.scheduled_for),
    counts: {
      total: batch.total,
      created: count("created"),
      duplicate: count("duplicate"),
      refused: count("refused")
    },
    statuses: Object.fromEntries(
      CallStatus.literals.map((status) => [status, statuses.get(status) ?? 0])
    ) as Record<CallStatus, number>,
    items,
    created_at: isoTimestamp(batch.created_at),
    cancelled_at: isoOrNull(batch.cancelled_at)
  }
}
