import type { Workspaces } from "../../shared/UnitOfWork.ts"

/** The first half of every lock's number, which keeps these locks apart from others in the same database. */
const space = 0x6f757464

/** The lock of a workspace: two workspaces with the same number wait for each other, and nothing else. FNV-1a. */
export const keyOf = (workspace_id: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < workspace_id.length; i++) {
    hash = Math.imul(hash ^ workspace_id.charCodeAt(i), 0x01000193)
  }
  return hash | 0
}

/** The locks of a unit, each once. Every unit takes them in this order, so that no two wait for each other. */
export const keysOf = (workspaces: Workspaces): ReadonlyArray<number> =>
  typeof workspaces === "string"
    ? [keyOf(workspaces)]
    : [...new Set(workspaces.map(keyOf))].toSorted((left, right) => left - right)

/** Waits for the lock, and keeps it until the transaction ends. */
export const lockFor = (key: number): string => `select pg_advisory_xact_lock(${space}, ${key})`

/** Waits for the lock of the layout, and keeps it until the connection ends. */
export const lockLayout = `select pg_advisory_lock(${space}, 1)`
