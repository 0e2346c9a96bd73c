import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { Timestamp } from "../../../core/model/Codecs.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { type ApiKey, ApiKeyRecord } from "../../../core/model/workspaces/Workspace.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import { command, group } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { all } from "../command/Pages.ts"
import { note, result } from "../terminal/Output.ts"
import { type Column, moment, pairs, table } from "../terminal/Table.ts"
import * as Administration from "./Administration.ts"

const encode = Schema.encodeSync(ApiKeyRecord)

const momentOr = (other: string, at: number | null) => (at === null ? other : moment(at))

const columns: ReadonlyArray<Column<ApiKey>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "NAME", value: ({ name }) => name },
  { title: "CREATED", value: ({ created_at }) => moment(created_at) },
  { title: "REVOKED", value: ({ revoked_at }) => momentOr("no", revoked_at) },
  { title: "EXPIRES", value: ({ expires_at }) => momentOr("never", expires_at) },
  { title: "LAST USED", value: ({ last_used_at }) => momentOr("never", last_used_at) },
  {
    title: "SCOPES",
    value: ({ scopes }) => (allScopes.every((scope) => scopes.includes(scope)) ? "all" : scopes.join(","))
  }
]

const create = command(
  "create",
  {
    about:
      "Makes an API key and prints it, once: only its digest is kept.\nThe key alone goes to stdout, what is said about it to stderr.",
    examples: [
      "outdial key create --workspace ws_01 --name backend",
      "outdial key create --workspace ws_01 --name dialler --scope sessions:read --scope sessions:write",
      "outdial key create --workspace ws_01 --name trial --expires 2027-02-03T09:00:00Z"
    ]
  },
  {
    workspace: Flags.workspace,
    name: Flags.text("name", "NAME", "What the key is for, at most 200 characters.").pipe(
      Options.mapEffect(Flags.checked("--name", ApiKeyRecord.fields.name))
    ),
    scopes: Flags.scopes,
    expires: Options.optional(Flags.time("expires", "From when on it opens nothing; never, when not given.")),
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ expires, json, name, scopes, workspace }) {
    const workspaces = yield* Workspaces
    const { apiKey, key } = yield* workspaces.createKey(workspace, {
      name,
      scopes,
      expires_at: Option.getOrNull(expires)
    })
    if (!json) {
      yield* note(`${pairs(columns.map(({ title, value }) => [title, value(apiKey)] as const))}\n`)
      yield* note("The key, shown this once; it goes into the X-API-KEY header:")
    }
    yield* result(json, { ...encode(apiKey), key }, () => key)
  }, Effect.provide(Administration.layer))
)

const list = command(
  "list",
  { about: "Lists a workspace's API keys, newest first.", examples: ["outdial key list --workspace ws_01"] },
  { workspace: Flags.workspace, json: Flags.json },
  Effect.fnUntraced(function* ({ json, workspace }) {
    const workspaces = yield* Workspaces
    const { id } = yield* workspaces.get(workspace)
    const keys = yield* all((page) => workspaces.keys(id, page))
    yield* result(json, { data: keys.map((key) => encode(key)) }, (width) =>
      keys.length === 0 ? "The workspace has no API key." : table(columns, keys, width)
    )
  }, Effect.provide(Administration.layer))
)

const expire = command(
  "expire",
  {
    about: "Sets when an API key expires; `never` takes that back. A time that is past ends the key at once.",
    examples: ["outdial key expire --workspace ws_01 3f9c2a7be1d04586 2027-02-03T09:00:00Z"]
  },
  {
    workspace: Flags.workspace,
    keyId: Flags.argument("KEY_ID", "The key's id: what stands between od_live_ and the next underscore."),
    time: Flags.argument(
      "TIME",
      "From when on it opens nothing, such as 2027-02-03T09:00:00Z, or `never`."
    ).pipe(
      Args.mapEffect((text) =>
        text === "never"
          ? Effect.succeed(null)
          : Effect.mapError(Flags.checked("TIME", Timestamp)(text), ({ error }) => error)
      )
    ),
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ json, keyId, time, workspace }) {
    const workspaces = yield* Workspaces
    const { id } = yield* workspaces.get(workspace)
    const changed = yield* workspaces.updateKey(id, keyId, { expires_at: time })
    yield* result(json, encode(changed), () =>
      time === null ? `Key ${keyId} does not expire.` : `Key ${keyId} expires at ${moment(time)}.`
    )
  }, Effect.provide(Administration.layer))
)

const revoke = command(
  "revoke",
  {
    about: "Revokes an API key for good, at once.",
    examples: ["outdial key revoke --workspace ws_01 3f9c2a7be1d04586"]
  },
  {
    workspace: Flags.workspace,
    keyId: Flags.argument("KEY_ID", "The key's id: what stands between od_live_ and the next underscore."),
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ json, keyId, workspace }) {
    const workspaces = yield* Workspaces
    const { id } = yield* workspaces.get(workspace)
    yield* workspaces.revokeKey(id, keyId)
    yield* result(
      json,
      { id: keyId, customer_id: id, revoked: true },
      () => `Key ${keyId} is revoked: it opens nothing any more.`
    )
  }, Effect.provide(Administration.layer))
)

export const key = group("key", { about: "Makes, lists, expires and revokes a workspace's API keys." }, [
  create,
  list,
  expire,
  revoke
])
