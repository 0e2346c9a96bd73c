import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { AuditEntry } from "../../../core/model/workspaces/Audit.ts"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import * as Connection from "../rest/Connection.ts"
import * as Listing from "../rest/Listing.ts"
import { type Column, moment } from "../terminal/Table.ts"

const columns: ReadonlyArray<Column<AuditEntry>> = [
  { title: "AT", value: ({ created_at }) => moment(created_at) },
  { title: "BY", value: ({ actor, actor_kind }) => `${actor_kind} ${actor}` },
  { title: "OPERATION", value: ({ operation }) => operation },
  { title: "OF", value: ({ object_id }) => object_id ?? "" }
]

const only = (name: string, value: string, about: string) => Options.optional(Flags.text(name, value, about))

/** The audit log of a workspace, by the REST interface. */
export const audit = command(
  "audit",
  {
    about: "Lists who changed what in the workspace over REST, newest first.",
    examples: ["outdial audit", "outdial audit --operation updateCampaign", "outdial audit --object camp_01"]
  },
  {
    actor: only("actor", "ID", "Only what this API key, by its id, or this token's subject has done."),
    operation: only("operation", "NAME", "Only this operation, such as updateCampaign."),
    object: only("object", "ID", "Only changes of this record."),
    limit: Listing.limit,
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ actor, json, limit, object, operation }) {
    const found = yield* Listing.newest(AuditEntry, "/audit-log", ({ id }) => id, limit, {
      actor: Option.getOrUndefined(actor),
      operation: Option.getOrUndefined(operation),
      object_id: Option.getOrUndefined(object)
    })
    yield* Listing.show(json, found, columns, "There is no such entry.")
  }, Connection.provide)
)
