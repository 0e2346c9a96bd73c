import * as Options from "@effect/cli/Options"
import { Effect, Schema } from "effect"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { ApiKey } from "../../../core/model/workspaces/Workspace.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import { command, group } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { all } from "../command/Pages.ts"
import { note, result } from "../terminal/Output.ts"
import { type Column, moment, pairs, table } from "../terminal/Table.ts"
import * as Administration from "./Administration.ts"

const encode = Schema.encodeSync(ApiKey.omit("digest"))

const columns: ReadonlyArray<Column<ApiKey>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "NAME", value: ({ name }) => name },
  { title: "CREATED", value: ({ created_at }) => moment(created_at) },
  { title: "REVOKED", value: ({ revoked_at }) => (revoked_at === null ? "no" : moment(revoked_at)) },
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
      "outdial key create --workspace ws_01 --name dialler --scope sessions:read --scope sessions:write"
    ]
  },
  {
    workspace: Flags.workspace,
    name: Flags.text("name", "NAME", "What the key is for, at most 200 characters.").pipe(
      Options.mapEffect(Flags.checked("--name", ApiKey.fields.name))
    ),
    scopes: Flags.scopes,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ json, name, scopes, workspace }) {
    const workspaces = yield* Workspaces
    const { apiKey, key } = yield* workspaces.createKey(workspace, { name, scopes })
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

export const key = group("key", { about: "Makes, lists and revokes a workspace's API keys." }, [
  create,
  list,
  revoke
])
