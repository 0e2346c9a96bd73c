import type { ApiKey, Workspace } from "../../core/model/workspaces/Workspace.ts"
import { Table } from "./Table.ts"
import { makeTenantTables, type TenantTables } from "./TenantTables.ts"
import { UndoLog } from "./UndoLog.ts"

/** All workspaces. */
export interface Store {
  readonly undo: UndoLog
  readonly workspaces: Table<Workspace>
  readonly apiKeys: Table<ApiKey>
  /** To read from: a workspace that has nothing yet is an empty one. */
  readonly read: (workspace_id: string) => TenantTables
  /** All of them. */
  readonly spaces: () => Iterable<TenantTables>
  /** To write to. */
  readonly write: (workspace_id: string) => TenantTables
}

export const makeStore = (): Store => {
  const undo = new UndoLog()
  const spaces = new Map<string, TenantTables>()
  const nothing = makeTenantTables(undo)
  return {
    undo,
    workspaces: new Table(undo, ({ id }) => id),
    apiKeys: new Table(undo, ({ id }) => id),
    read: (workspace_id) => spaces.get(workspace_id) ?? nothing,
    spaces: () => spaces.values(),
    write: (workspace_id) => {
      const space = spaces.get(workspace_id) ?? makeTenantTables(undo)
      spaces.set(workspace_id, space)
      return space
    }
  }
}
