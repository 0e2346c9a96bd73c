import childProcess from "node:child_process"
import { syncBuiltinESMExports } from "node:module"
import net from "node:net"
import workers from "node:worker_threads"

/** A function, and no arrow, since a class may stand in its place. */
const refuse = (what: string) =>
  function (): never {
    throw new Error(`a unit test may not ${what}: its file belongs to another tier of test/tiers.ts`)
  }

// From here on nothing in this process can do what a unit test must not.
const starts = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"] as const
for (const name of starts) Object.assign(childProcess, { [name]: refuse("start a process") })
Object.assign(workers, { Worker: refuse("start a thread") })
net.Server.prototype.listen = refuse("listen")
net.Socket.prototype.connect = refuse("connect")
process.dlopen = refuse("load a native module")
syncBuiltinESMExports()
