import { join } from "node:path"
import { mkdtemp, rm } from "node:fs/promises"
import { ConfigProvider, Effect, Layer } from "effect"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { tmpdir } from "node:os"
import * as Cli from "../../../apps/cli/Cli.ts"
import { Output, type Screen } from "../../../apps/cli/terminal/Output.ts"
import { administration } from "../../../apps/platform/Administration.ts"
import * as Store from "../../../apps/platform/Store.ts"
import type { Repository } from "../../../core/ports/Repository.ts"
import type { Agents } from "../../../core/usecases/Agents.ts"
import type { Credits } from "../../../core/usecases/Credits.ts"
import type { PhoneNumbers } from "../../../core/usecases/PhoneNumbers.ts"
import type { Workspaces } from "../../../core/usecases/Workspaces.ts"

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** A folder that is removed with the scope. */
export const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "outdial-cli-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** Runs command lines in this process, under the settings given and no others. */
export const commandLine =
  (settings: Readonly<Record<string, string>>, columns?: number, screen?: Screen) =>
  (...args: ReadonlyArray<string>): Effect.Effect<Ran> =>
    Effect.gen(function* () {
      const written = { out: "", err: "" }
      const write = (stream: keyof typeof written) => (text: string) =>
        Effect.sync(() => {
          written[stream] += `${text}\n`
        })
      const output = Layer.succeed(Output, {
        out: write("out"),
        err: write("err"),
        bytes: (piece) =>
          Effect.sync(() => {
            written.out += Buffer.from(piece).toString("latin1")
          }),
        columns,
        styled: false,
        screen
      })
      const code = yield* Cli.run(args).pipe(
        Effect.provide(Layer.mergeAll(NodeContext.layer, Cli.config, output)),
        Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))
      )
      return { code, ...written }
    })

/** The one JSON document of an answer. */
export const documentOf = <A>({ out }: Ran): A => JSON.parse(out) as A

/** The store and the use cases of a SQLite file, as the server has them. */
export const inStoreOf =
  (filename: string) =>
  <A, E>(work: Effect.Effect<A, E, Repository | Workspaces | Agents | PhoneNumbers | Credits>) =>
    Effect.provide(work, administration(Layer.orDie(Store.sqlite(filename))))

/** A command line on a database of its own, in a folder that is there for as long as the scope. */
export const onNewDatabase = (settings: Readonly<Record<string, string>> = {}) =>
  Effect.map(folder, (path) => {
    const filename = join(path, "outdial.db")
    return {
      filename,
      run: commandLine({ ...settings, OUTDIAL_DATABASE_URL: `sqlite:${filename}` }),
      inStore: inStoreOf(filename)
    }
  })

export const newWorkspace = (run: ReturnType<typeof commandLine>) =>
  Effect.map(
    run("workspace", "create", "--name", "Acme", "--json"),
    (ran) => documentOf<{ readonly id: string }>(ran).id
  )
