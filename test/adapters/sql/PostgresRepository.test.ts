import { Effect, Exit, Layer, Scope } from "effect"
import { afterAll, assert, it } from "@effect/vitest"
import { sharedTexts } from "../../../adapters/sql/postgres/StatementCache.ts"
import { repositoryContract } from "../../contracts/Repository.ts"
import { emptied, freshDatabase, onUrl } from "./PostgresServer.ts"
import { onServer } from "./PostgresSuite.ts"

/** What other tests in this process had prepared before. */
const ofOthers = new Set(sharedTexts())

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

  it("locks the workspace that a statement names, and all where it is of more than one", () => {
    const ofAll = [
      /^select \* from api_keys where id = \?$/,
      /^select [^,]* from workspaces(?! where id = \?)/,
      /\bsecrets\b/,
      /^select \* from phone_numbers where number = \?$/,
      /^insert into recipient_lists /,
      /^select .* from recordings where status = 'completed' and created_at <= \?/
    ]
    const texts = sharedTexts()
    for (const text of ofAll)
      assert.isTrue(
        texts.some((shared) => text.test(shared)),
        String(text)
      )
    assert.deepStrictEqual(
      texts.filter((shared) => !ofOthers.has(shared) && !ofAll.some((text) => text.test(shared))),
      []
    )
  })
})
