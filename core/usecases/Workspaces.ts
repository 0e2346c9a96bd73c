import { Clock, Context, Effect, Encoding, Layer, Option } from "effect"
import { makeNoting } from "../engine/Noting.ts"
import { makeToolSecret } from "../engine/ToolSecret.ts"
import { memo } from "../model/Memo.ts"
import type { Page, PageRequest } from "../model/Page.ts"
import type { SigningSecret } from "../model/webhooks/SigningSecret.ts"
import { allScopes, type Principal, type Scope } from "../model/workspaces/Principal.ts"
import { type ApiKey, isGood, type Workspace, type WorkspaceChange } from "../model/workspaces/Workspace.ts"
import { ApiKeyNotFound, WorkspaceNotFound } from "../model/workspaces/WorkspaceErrors.ts"
import { Ids } from "../ports/Ids.ts"
import { Repository } from "../ports/Repository.ts"
import { Secrets } from "../ports/Secrets.ts"
import { makeKeyUse } from "./KeyUse.ts"

/** `id` is made up when none is given. */
export type WorkspaceDraft = Pick<Workspace, "name"> &
  Partial<
    Pick<
      Workspace,
      | "id"
      | "max_concurrency"
      | "calls_per_second"
      | "allowed_countries"
      | "allow_costly_destinations"
      | "indexed_metadata_keys"
      | "recording_retention_days"
      | "transcript_retention_days"
      | "call_retention_days"
    >
  >

/** A key lives for ever unless `expires_at` is given; the key itself is made up when none is given. */
export interface KeyDraft {
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  readonly expires_at?: number | null | undefined
  readonly key?: string | undefined
}

export interface KeyChange {
  readonly name?: string
  /** A moment that is past ends the key at once; null: it does not expire any more. */
  readonly expires_at?: number | null
}

const keyPattern = /^od_live_([A-Za-z0-9]{1,64})_./

const isScope = (scope: string): scope is Scope => (allScopes as ReadonlyArray<string>).includes(scope)

/** A store answers the same array for the same scopes, and many keys have the same. */
const scopesOf = memo(
  1_000,
  (scopes: ReadonlyArray<string>): ReadonlySet<Scope> => new Set(scopes.filter(isScope))
)

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const secrets = yield* Secrets
  const ids = yield* Ids
  const { noted } = yield* makeNoting
  const tools = yield* makeToolSecret
  const noteUse = yield* makeKeyUse

  /** The id inside a key of ours; a key that its owner chose is filed under the beginning of its digest. */
  const idOf = (key: string) => keyPattern.exec(key)?.[1] ?? secrets.digest(key).slice(0, 16)

  const get: WorkspacesShape["get"] = Effect.fn("Workspaces.get")(function* (workspace_id) {
    const workspace = yield* repository.workspaces.get(workspace_id)
    return Option.isSome(workspace) ? workspace.value : yield* new WorkspaceNotFound({ workspace_id })
  })

  const create: WorkspacesShape["create"] = Effect.fn("Workspaces.create")(function* (draft) {
    const now = yield* Clock.currentTimeMillis
    const workspace: Workspace = {
      max_concurrency: 50,
      calls_per_second: 10,
      allowed_countries: [],
      allow_costly_destinations: false,
      indexed_metadata_keys: [],
      recording_retention_days: null,
      transcript_retention_days: null,
      call_retention_days: null,
      ...draft,
      id: draft.id ?? (yield* ids.make("ws")),
      created_at: now,
      updated_at: now
    }
    yield* repository.workspaces.insert(workspace)
    return workspace
  })

  const update: WorkspacesShape["update"] = Effect.fn("Workspaces.update")((workspace_id, change) =>
    noted(
      workspace_id,
      Effect.gen(function* () {
        const workspace = yield* get(workspace_id)
        const changed = { ...workspace, ...change, updated_at: yield* Clock.currentTimeMillis }
        yield* repository.workspaces.update(changed)
        return changed
      }),
      () => workspace_id
    )
  )

  const createKey: WorkspacesShape["createKey"] = Effect.fn("Workspaces.createKey")(
    function* (workspace_id, draft) {
      const workspace = yield* get(workspace_id)
      const key =
        draft.key ??
        `od_live_${Encoding.encodeHex(yield* secrets.random(8))}_${Encoding.encodeHex(yield* secrets.random(32))}`
      const apiKey: ApiKey = {
        id: idOf(key),
        customer_id: workspace.id,
        name: draft.name,
        scopes: draft.scopes,
        digest: secrets.digest(key),
        created_at: yield* Clock.currentTimeMillis,
        revoked_at: null,
        expires_at: draft.expires_at ?? null,
        last_used_at: null
      }
      yield* noted(workspace_id, repository.apiKeys.insert(apiKey), () => apiKey.id)
      return { apiKey, key }
    }
  )

  /** A key that is not revoked. */
  const keyOf = Effect.fnUntraced(function* (workspace_id: string, key_id: string) {
    const found = yield* repository.apiKeys.find(workspace_id, key_id)
    if (Option.isSome(found) && found.value.revoked_at === null) return found.value
    return yield* new ApiKeyNotFound({ key_id })
  })

  const updateKey: WorkspacesShape["updateKey"] = Effect.fn("Workspaces.updateKey")(
    (workspace_id, key_id, change) =>
      noted(
        workspace_id,
        Effect.gen(function* () {
          const changed = { ...(yield* keyOf(workspace_id, key_id)), ...change }
          yield* repository.apiKeys.update(changed)
          return changed
        })
      )
  )

  const revokeKey: WorkspacesShape["revokeKey"] = Effect.fn("Workspaces.revokeKey")((workspace_id, key_id) =>
    noted(
      workspace_id,
      Effect.gen(function* () {
        const key = yield* keyOf(workspace_id, key_id)
        const revoked_at = yield* Clock.currentTimeMillis
        yield* repository.apiKeys.revoke(workspace_id, key_id, revoked_at)
        return { ...key, revoked_at }
      })
    )
  )

  const toolSecret: WorkspacesShape["toolSecret"] = Effect.fn("Workspaces.toolSecret")(
    function* (workspace_id) {
      const { id } = yield* get(workspace_id)
      return yield* tools.get(id)
    }
  )

  const rotateToolSecret: WorkspacesShape["rotateToolSecret"] = Effect.fn("Workspaces.rotateToolSecret")(
    function* (workspace_id) {
      const { id } = yield* get(workspace_id)
      return yield* tools.rotate(id)
    }
  )

  const principalOf = ({ customer_id, id, scopes }: ApiKey): Principal => ({
    workspace_id: customer_id,
    kind: "api_key",
    subject: id,
    scopes: scopesOf(scopes)
  })

  const authenticate: WorkspacesShape["authenticate"] = (key) =>
    Effect.flatMap(repository.apiKeys.get(idOf(key)), (found) =>
      Option.isNone(found)
        ? Effect.succeedNone
        : Effect.clockWith((clock) => {
            const now = clock.unsafeCurrentTimeMillis()
            return secrets.matches(key, found.value.digest) && isGood(found.value, now)
              ? Effect.as(noteUse(found.value, now), Option.some(principalOf(found.value)))
              : Effect.succeedNone
          })
    )

  return Workspaces.of({
    create,
    get,
    list: repository.workspaces.list,
    update,
    createKey,
    updateKey,
    keys: repository.apiKeys.list,
    revokeKey,
    toolSecret,
    rotateToolSecret,
    authenticate
  })
})

export interface WorkspacesShape {
  readonly create: (draft: WorkspaceDraft) => Effect.Effect<Workspace>
  readonly get: (workspace_id: string) => Effect.Effect<Workspace, WorkspaceNotFound>
  readonly list: (page: PageRequest) => Effect.Effect<Page<Workspace>>
  /** Dials from now on go by what is changed. */
  readonly update: (
    workspace_id: string,
    change: WorkspaceChange
  ) => Effect.Effect<Workspace, WorkspaceNotFound>
  /**
   * Makes a key `od_live_<id>_<secret>` with 256 bits of secret, or takes the one given. The answer is the only
   * place where it can be read.
   */
  readonly createKey: (
    workspace_id: string,
    draft: KeyDraft
  ) => Effect.Effect<{ readonly apiKey: ApiKey; readonly key: string }, WorkspaceNotFound>
  readonly keys: (workspace_id: string, page: PageRequest) => Effect.Effect<Page<ApiKey>>
  /** Changes a key that is not revoked. */
  readonly updateKey: (
    workspace_id: string,
    key_id: string,
    change: KeyChange
  ) => Effect.Effect<ApiKey, ApiKeyNotFound>
  /** For good, at once. */
  readonly revokeKey: (workspace_id: string, key_id: string) => Effect.Effect<ApiKey, ApiKeyNotFound>
  /** What requests to the agents' own tools are signed with: `whsec_…`, of 192 bits, the same until it is rotated. */
  readonly toolSecret: (workspace_id: string) => Effect.Effect<SigningSecret, WorkspaceNotFound>
  /** A new one; the old one signs beside it for 24 hours. */
  readonly rotateToolSecret: (workspace_id: string) => Effect.Effect<SigningSecret, WorkspaceNotFound>
  /** Who the key belongs to; none if it is malformed, unknown, revoked or expired. */
  readonly authenticate: (key: string) => Effect.Effect<Option.Option<Principal>>
}

/** Platform administration: tenants and their credentials. */
export class Workspaces extends Context.Tag("outdial/Workspaces")<Workspaces, WorkspacesShape>() {
  static readonly layer = Layer.scoped(this, make)
}
