import { beforeAll, describe } from "@effect/vitest"
import { Effect, Scope } from "effect"
import { binaries, server, type Server } from "./PostgresServer.ts"

/** The server of this process, for the files that it tests one after the other. It ends with the process. */
let started: Promise<Server> | undefined
const start = () => Effect.runPromise(Scope.extend(server, Effect.runSync(Scope.make())))

/** Tests on a server, or none where there is no PostgreSQL; for CI that is a failure. */
export const onServer = (name: string, tests: (running: () => Server) => void): void => {
  describe.skipIf(binaries === undefined && !process.env["CI"])(`${name}`, () => {
    let running: Server | undefined
    beforeAll(async () => {
      running = await (started ??= start())
    })
    tests(() => running!)
  })
}
