import type { Workspace, ApiKey } from "../../core/workspaces/Workspace.ts"
import { Journal } from "./Journal.ts"
import { makeSpace, type Space } from "./Space.ts"
import { Table } from "./Table.ts"

/** All workspaces. */
export interface Store {
  readonly journal: Journal
  readonly workspaces: Table<Workspace>
  readonly apiKeys: Table<ApiKey>
  /** To read from: a workspace that has nothing yet is an empty one. */
  readonly read: (workspace_id: string) => Space
  /** All of them. */
  readonly spaces: () => Iterable<Space>
  /** To write to. */
  readonly write: (workspace_id: string) => Space
}

export const makeStore = (): Store => {
  const journal = new Journal()
  const spaces = new Map<string, Space>()
  const nothing = makeSpace(journal)
  return {
    journal,
    workspaces: new Table(journal, ({ id }) => id),
    apiKeys: new Table(journal, ({ id }) => id),
    read: (workspace_id) => spaces.get(workspace_id) ?? nothing,
    spaces: () => spaces.values(),
    write: (workspace_id) => {
      const space = spaces.get(workspace_id) ?? makeSpace(journal)
      spaces.set(workspace_id, space)
      return space
    }
  }
}
