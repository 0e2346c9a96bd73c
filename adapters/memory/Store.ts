import type { ApiKey, Workspace } from "../../core/model/workspaces/Workspace.ts"
import { platformWide } from "../../core/ports/Repository.ts"
import { Table } from "./Table.ts"
import { makeTenantTables, type TenantTables } from "./TenantTables.ts"
import { UndoLog } from "./UndoLog.ts"

/** All workspaces. */
export interface Store {
  readonly undo: UndoLog
  /** The rows of all workspaces, for what touches that of one. */
  readonly workspaces: (workspace_id: string) => Table<Workspace>
  readonly apiKeys: (workspace_id: string) => Table<ApiKey>
  /** To read from: a workspace that has nothing yet is an empty one. */
  readonly read: (workspace_id: string) => TenantTables
  /** To read what is listed of all of them. */
  readonly readAll: () => Iterable<TenantTables>
  /** To write to. */
  readonly write: (workspace_id: string) => TenantTables
}

export const makeStore = (): Store => {
  const undo = new UndoLog()
  const workspaces = new Table<Workspace>(undo, ({ id }) => id)
  const apiKeys = new Table<ApiKey>(undo, ({ id }) => id)
  const tenants = new Map<string, TenantTables>()
  const nothing = makeTenantTables(undo)
  return {
    undo,
    workspaces: (workspace_id) => {
      undo.touch(workspace_id)
      return workspaces
    },
    apiKeys: (workspace_id) => {
      undo.touch(workspace_id)
      return apiKeys
    },
    read: (workspace_id) => {
      undo.touch(workspace_id)
      return tenants.get(workspace_id) ?? nothing
    },
    readAll: () => {
      undo.touch(platformWide)
      return tenants.values()
    },
    write: (workspace_id) => {
      undo.touch(workspace_id)
      const tables = tenants.get(workspace_id) ?? makeTenantTables(undo)
      tenants.set(workspace_id, tables)
      return tables
    }
  }
}
