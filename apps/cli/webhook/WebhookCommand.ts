import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { Timestamp } from "../../../core/model/Codecs.ts"
import {
  Delivery,
  DeliveryStatus,
  EventType,
  Webhook as Record
} from "../../../core/model/webhooks/Webhook.ts"
import { command, group } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { all } from "../command/Pages.ts"
import * as Connection from "../rest/Connection.ts"
import * as Listing from "../rest/Listing.ts"
import { Rest } from "../rest/Rest.ts"
import { note, Output, verbatim } from "../terminal/Output.ts"
import { pairs } from "../terminal/Table.ts"
import * as Receiver from "./Receiver.ts"
import * as Webhook from "./Webhook.ts"

const events = Flags.text(
  "event",
  "KIND",
  `A kind of event that it gets: ${EventType.literals.join(", ")}. The first three, when none is given.`
).pipe(Options.repeated, Options.mapEffect(Effect.forEach(Flags.oneOf("--event", EventType.literals))))

const list = command(
  "list",
  { about: "Lists the workspace's webhooks, newest first.", examples: ["outdial webhook list"] },
  { url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ json }) {
    const found = yield* all(Listing.pages(Record, Webhook.path))
    yield* Listing.show(json, found, Webhook.columns, "There is no webhook.")
  }, Connection.provide)
)

const create = command(
  "create",
  {
    about: "Registers an address that events are sent to. The secret that signs them is shown once.",
    examples: ["outdial webhook create https://example.com/hooks --event call_completed"]
  },
  {
    address: Flags.argument("ADDRESS", "A public https or http address."),
    events,
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ address, events, json }) {
    const body = { url: address, event_types: events }
    const made = yield* (yield* Rest).ask(Webhook.Created, "POST", Webhook.path, body)
    yield* verbatim(json, made.text, () =>
      pairs([
        ["ID", made.value.id],
        ["SECRET", made.value.secret]
      ])
    )
  }, Connection.provide)
)

const remove = command(
  "remove",
  { about: "Removes a webhook with its deliveries.", examples: ["outdial webhook remove whk_01"] },
  { id: Webhook.id, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ id, json }) {
    const gone = yield* (yield* Rest).ask(Webhook.Removed, "DELETE", Webhook.pathOf(id))
    yield* verbatim(json, gone.text, () => `Webhook ${id} is removed.`)
  }, Connection.provide)
)

const test = command(
  "test",
  {
    about: "Sends a test event to a webhook; `webhook deliveries` tells what came of it.",
    examples: ["outdial webhook test whk_01"]
  },
  { id: Webhook.id, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ id, json }) {
    const sent = yield* (yield* Rest).ask(Delivery, "POST", `${Webhook.pathOf(id)}/test`)
    yield* verbatim(json, sent.text, () => `Delivery ${sent.value.id} is on its way.`)
  }, Connection.provide)
)

const deliveries = command(
  "deliveries",
  {
    about: "Lists what was sent to a webhook or is on its way, newest first.",
    examples: [
      "outdial webhook deliveries whk_01",
      "outdial webhook deliveries whk_01 --status dead",
      "outdial webhook deliveries whk_01 --call call_01"
    ]
  },
  {
    id: Webhook.id,
    status: Flags.text("status", "STATUS", "Only deliveries that are pending, delivered or dead.").pipe(
      Options.mapEffect(Flags.oneOf("--status", DeliveryStatus.literals)),
      Options.optional
    ),
    call: Options.optional(Flags.text("call", "ID", "Only events of this call or message.")),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ call, id, json, status }) {
    const filter = { status: Option.getOrUndefined(status), call_id: Option.getOrUndefined(call) }
    const found = yield* all(Listing.pages(Delivery, `${Webhook.pathOf(id)}/deliveries`, filter))
    yield* Listing.show(json, found, Webhook.deliveryColumns, "Nothing was sent to it.")
  }, Connection.provide)
)

const redeliver = command(
  "redeliver",
  {
    about: "Sends what was made since a time once more, in order: after an outage of the receiver.",
    examples: ["outdial webhook redeliver whk_01 --since 2026-03-02T09:00:00Z --status dead"]
  },
  {
    id: Webhook.id,
    since: Flags.text("since", "TIME", "An RFC 3339 time, such as 2026-03-02T09:00:00Z.").pipe(
      Options.mapEffect((text) => Effect.as(Flags.checked("--since", Timestamp)(text), text))
    ),
    status: Flags.text("status", "STATUS", "Only deliveries that are dead, or only those delivered.").pipe(
      Options.mapEffect(Flags.oneOf("--status", ["dead", "delivered"])),
      Options.optional
    ),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ id, json, since, status }) {
    const body = { since, ...(Option.isSome(status) && { status: status.value }) }
    const told = yield* (yield* Rest).ask(
      Webhook.Redelivered,
      "POST",
      `${Webhook.pathOf(id)}/redeliver`,
      body,
      "10 minutes"
    )
    yield* verbatim(json, told.text, () => `${told.value.redelivered} deliveries are on their way again.`)
  }, Connection.provide)
)

const lineOf = ({ event, text }: Receiver.Received): string => {
  const of = [event.call_id, event.campaign_id].filter((id) => id !== null).join(" ")
  return `${event.created_at}  ${event.event_type}  ${of}\n  ${text}`
}

const Count = Schema.Int.pipe(Schema.filter((n) => n >= 1 || "must be at least 1"))

const listen = command(
  "listen",
  {
    about:
      "Prints events of a server on this machine. It registers itself as a webhook, verifies each signature, and removes the webhook at its end. The server has to run with OUTDIAL_WEBHOOK_ALLOW_PRIVATE=true.",
    examples: ["outdial webhook listen", "outdial webhook listen --event campaign_completed --count 1 --json"]
  },
  {
    events,
    count: Options.optional(Flags.whole("count", "Ends after so many events.", Count)),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(
    function* ({ count, events, json }) {
      const { ask } = yield* Rest
      const { out } = yield* Output
      const receiver = yield* Receiver.make
      const body = { url: receiver.url, event_types: events }
      const { value: webhook } = yield* Effect.acquireRelease(
        ask(Webhook.Created, "POST", Webhook.path, body),
        ({ value: { id } }) => Effect.ignore(ask(Webhook.Removed, "DELETE", Webhook.pathOf(id)))
      )
      yield* receiver.verifyWith(webhook.secret)
      if (!json) yield* note(`Listening as ${webhook.id}. Ctrl-C ends it and removes the webhook.`)
      const most = Option.getOrElse(count, () => Infinity)
      for (let n = 0; n < most; n++) {
        const received = yield* receiver.take
        yield* out(json ? received.text : lineOf(received))
      }
    },
    Effect.scoped,
    Connection.provide
  )
)

export const webhook = group(
  "webhook",
  {
    about:
      "Registers, tries out and listens to webhooks of a server, over its REST interface, with the API key of OUTDIAL_API_KEY."
  },
  [list, create, remove, test, deliveries, redeliver, listen]
)
