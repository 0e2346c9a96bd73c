import { chmodSync, closeSync, openSync, statSync } from "node:fs"

const shared = 0o077

const attempt = (work: () => void) => {
  try {
    work()
  } catch {
    // It is not there, or another user's. What keeps the database from being opened is told when it is opened.
  }
}

/**
 * Makes a database file that its owner alone may read and write, as the log and the shared memory beside it will be,
 * and takes what other users may do from files that are there already.
 */
export const ownerOnly = (filename: string): void => {
  attempt(() => closeSync(openSync(filename, "wx", 0o600)))
  for (const path of [filename, `${filename}-wal`, `${filename}-shm`]) {
    attempt(() => {
      const { mode } = statSync(path)
      if ((mode & shared) !== 0) chmodSync(path, mode & ~shared & 0o777)
    })
  }
}
