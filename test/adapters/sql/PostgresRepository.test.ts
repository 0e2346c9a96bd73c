import { Effect, Exit, Layer, Scope } from "effect"
import { afterAll } from "@effect/vitest"
import { repositoryContract } from "../../contracts/Repository.ts"
import { emptied, freshDatabase, onUrl } from "./PostgresServer.ts"
import { onServer } from "./PostgresSuite.ts"

onServer("PostgreSQL", (running) => {
  const scope = Effect.runSync(Scope.make())
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  const store = Effect.runSync(
    Effect.cached(
      Effect.gen(function* () {
        const { name, url } = yield* freshDatabase(running())
        return { name, repository: yield* Layer.buildWithScope(onUrl(url), scope) }
      })
    )
  )
  const layer = Layer.effectContext(
    Effect.gen(function* () {
      const { name, repository } = yield* store
      yield* emptied(running(), name)
      return repository
    })
  )
  repositoryContract("Repository on PostgreSQL", layer)
})
