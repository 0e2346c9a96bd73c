import { afterAll, beforeAll, describe } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { binaries, server, type Server } from "./PostgresServer.ts"

/** Tests on one server, or none where there is no PostgreSQL; for CI that is a failure. */
export const onServer = (name: string, tests: (running: () => Server) => void): void => {
  describe.skipIf(binaries === undefined && !process.env["CI"])(`${name}`, () => {
    const scope = Effect.runSync(Scope.make())
    let running: Server | undefined
    beforeAll(async () => {
      running = await Effect.runPromise(Scope.extend(server, scope))
    })
    afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
    tests(() => running!)
  })
}
