import { Option, Schema } from "effect"
import type { Progress } from "../../core/model/calls/CarrierProgress.ts"
import type { Reply } from "../../core/model/messages/Reply.ts"
import type { Template } from "../../core/model/templates/Template.ts"
import type { Submission } from "../../core/ports/TemplateRegistry.ts"
import { carrierWords } from "../shared/CarrierWords.ts"
import { nullish } from "../shared/Json.ts"
import * as ErrorCodes from "./ErrorCodes.ts"
import { numbersOf } from "./NumberVariants.ts"
import * as Reference from "./Reference.ts"
import * as Review from "./Review.ts"
import * as TemplateNames from "./TemplateNames.ts"

/** What is told of one message. */
export interface Receipt {
  readonly reference: Reference.Reference
  readonly provider_message_id: string | null
  readonly progress: Progress
}

/** The result of a review. */
export interface Reviewed {
  readonly workspace_id: string
  readonly template: Pick<Template, "name" | "language">
  readonly review: Submission
}

/** All that one webhook tells, in its order. */
export interface Events {
  readonly receipts: ReadonlyArray<Receipt>
  readonly replies: ReadonlyArray<Reply>
  readonly reviews: ReadonlyArray<Reviewed>
}

const some = Schema.optionalWith(Schema.Array(Schema.Unknown), { default: () => [] })
const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.decodeUnknownOption(schema)

const Seconds = Schema.Union(Schema.NonEmptyString, Schema.Number)

/** What it holds is read one by one: what is strange in one thing does not spoil the others. */
const decodeBody = optional(
  Schema.parseJson(Schema.Struct({ entry: Schema.Array(Schema.Struct({ changes: some })) }))
)
const decodeChange = optional(Schema.Struct({ field: Schema.String, value: Schema.Unknown }))

const decodeMessages = optional(
  Schema.Struct({
    metadata: nullish(Schema.Struct({ display_phone_number: nullish(Schema.String) })),
    statuses: some,
    messages: some
  })
)
const decodeStatus = optional(
  Schema.Struct({
    id: nullish(Schema.NonEmptyString),
    status: Schema.String,
    timestamp: nullish(Seconds),
    biz_opaque_callback_data: Schema.String,
    errors: some
  })
)
const decodeError = optional(
  Schema.Struct({
    code: Schema.Int,
    title: nullish(Schema.String),
    message: nullish(Schema.String),
    error_data: nullish(Schema.Struct({ details: nullish(Schema.String) }))
  })
)
const decodeMessage = optional(
  Schema.Struct({
    from: Schema.String.pipe(Schema.pattern(/^\d{5,15}$/)),
    timestamp: nullish(Seconds),
    type: nullish(Schema.String),
    text: nullish(Schema.Unknown),
    button: nullish(Schema.Unknown),
    interactive: nullish(Schema.Unknown)
  })
)
const decodeText = optional(Schema.Struct({ body: Schema.String }))
const decodeButton = optional(Schema.Struct({ text: Schema.String }))
const decodeInteractive = optional(Schema.Struct({ button_reply: Schema.Struct({ title: Schema.String }) }))

/** What a message says: its text, or the button that was pressed. */
const textOf = ({
  button,
  interactive,
  text
}: Readonly<Record<"text" | "button" | "interactive", unknown>>) =>
  Option.firstSomeOf([
    Option.map(decodeText(text), ({ body }) => body),
    Option.map(decodeButton(button), ({ text }) => text),
    Option.map(decodeInteractive(interactive), ({ button_reply }) => button_reply.title)
  ])
const decodeReview = optional(
  Schema.Struct({
    event: Schema.String,
    message_template_id: Schema.Union(Schema.NonEmptyString, Schema.Int),
    message_template_name: Schema.String,
    message_template_language: Schema.String,
    reason: nullish(Schema.String),
    rejection_info: nullish(Schema.Struct({ reason: nullish(Schema.String) }))
  })
)

/** Epoch milliseconds of whole seconds, not before `earliest` and not in the future; `now` when there are none. */
const timeOf = (seconds: string | number | null, earliest: number, now: number): number => {
  const at = seconds === null ? Number.NaN : 1_000 * Number(seconds)
  return Number.isFinite(at) ? Math.min(now, Math.max(earliest, at)) : now
}

const failed = (error: unknown, at: number): Progress => {
  const told = Option.getOrNull(decodeError(error))
  const code = told?.code ?? null
  const meaning = ErrorCodes.ofCode(code)
  const refused = meaning._tag === "Refused" ? meaning : null
  return {
    _tag: "Ended",
    at,
    outcome: refused?.outcome ?? "failed",
    sub_status: refused?.sub_status ?? "carrier_error",
    duration_seconds: 0,
    error_code: code === null ? null : String(code),
    error_message: "message" in meaning ? meaning.message : "the provider could not deliver the message",
    ...(told !== null && {
      carrier_message: carrierWords(told.error_data?.details ?? told.message ?? told.title)
    })
  }
}

const delivered = (at: number): Progress => ({
  _tag: "Ended",
  at,
  outcome: "delivered",
  sub_status: null,
  duration_seconds: 0,
  error_code: null,
  error_message: null
})

/** Source: Meta, "messages webhook: status". One that was read was delivered, told of or not. */
const progressOf = (status: string, errors: ReadonlyArray<unknown>, at: number): Progress | null => {
  switch (status) {
    case "sent":
      return { _tag: "Sent", at }
    case "delivered":
    case "read":
    case "played":
      return delivered(at)
    case "failed":
      return failed(errors[0], at)
    default:
      return null
  }
}

const receiptOf = (status: unknown, now: number): ReadonlyArray<Receipt> =>
  Option.toArray(decodeStatus(status)).flatMap(
    ({ biz_opaque_callback_data, errors, id, status, timestamp }) => {
      const reference = Reference.decode(biz_opaque_callback_data)
      if (reference === null) return []
      const progress = progressOf(status, errors, timeOf(timestamp, reference.sent_at, now))
      return progress === null ? [] : [{ reference, provider_message_id: id, progress }]
    }
  )

/** A customer whose number can be written in several ways gets a reply under each: we wrote to one of them. */
const repliesOf = (message: unknown, to: string, now: number): ReadonlyArray<Reply> =>
  Option.toArray(decodeMessage(message))
    .filter(({ type }) => type !== "system")
    .flatMap(({ from, timestamp, ...said }) =>
      numbersOf(from).map((from_number) => ({
        from_number,
        to_number: `+${to}`,
        at: timeOf(timestamp, 0, now),
        ...Option.getOrElse(
          Option.map(textOf(said), (text) => ({ text })),
          () => ({})
        )
      }))
    )

const reviewOf = (value: unknown): ReadonlyArray<Reviewed> =>
  Option.toArray(decodeReview(value)).flatMap((told) => {
    const owned = TemplateNames.fromMeta(told.message_template_name)
    const status = Review.statusOf(told.event)
    if (owned === null || status === null) return []
    const id = String(told.message_template_id)
    return [
      {
        workspace_id: owned.workspace_id,
        // Meta writes en_US here and there as en-US.
        template: { name: owned.name, language: told.message_template_language.replaceAll("-", "_") },
        review: Review.reviewOf(id, status, told.rejection_info?.reason ?? null, told.reason)
      }
    ]
  })

const none: Events = { receipts: [], replies: [], reviews: [] }

const changeOf = (change: unknown, now: number): Events =>
  Option.match(decodeChange(change), {
    onNone: () => none,
    onSome: ({ field, value }) => {
      if (field === "message_template_status_update") return { ...none, reviews: reviewOf(value) }
      const told = field === "messages" ? Option.getOrNull(decodeMessages(value)) : null
      if (told === null) return none
      const to = (told.metadata?.display_phone_number ?? "").replace(/\D/g, "")
      return {
        ...none,
        receipts: told.statuses.flatMap((status) => receiptOf(status, now)),
        replies: to === "" ? [] : told.messages.flatMap((message) => repliesOf(message, to, now))
      }
    }
  })

/** Template ids are numbers that may be too long for JavaScript's. A text within a string has its quotes escaped. */
const withTextIds = (body: string) => body.replace(/("message_template_id"\s*:\s*)(\d+)/g, '$1"$2"')

/** What a webhook tells; nothing for what is not known. Source: Meta, "WhatsApp webhooks reference". */
export const read = (body: string, now: number): Events => {
  const changes = Option.match(decodeBody(withTextIds(body)), {
    onNone: () => [],
    onSome: ({ entry }) => entry.flatMap(({ changes }) => changes)
  })
  const told = changes.map((change) => changeOf(change, now))
  return {
    receipts: told.flatMap(({ receipts }) => receipts),
    replies: told.flatMap(({ replies }) => replies),
    reviews: told.flatMap(({ reviews }) => reviews)
  }
}
