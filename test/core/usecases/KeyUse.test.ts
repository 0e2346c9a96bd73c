import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, TestClock } from "effect"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { minute } from "../../../core/model/Codecs.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { makeKeyUse } from "../../../core/usecases/KeyUse.ts"
import { makeKey, start, ws } from "../../contracts/repository/Fixtures.ts"

describe("the use of API keys", () => {
  it.scoped("is noted at most once a minute a key, however often it is used", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const repository = yield* Repository
      const noted: Array<string> = []
      const used = (workspace_id: string, id: string, at: number) => {
        noted.push(`${id} ${at - start}`)
        return repository.apiKeys.used(workspace_id, id, at)
      }
      const note = yield* Effect.provideService(makeKeyUse, Repository, {
        ...repository,
        apiKeys: { ...repository.apiKeys, used }
      })
      const keys = [makeKey(1), makeKey(2)]
      yield* Effect.forEach(keys, repository.apiKeys.insert)
      for (const at of [0, 1, minute - 1, minute, minute + 1]) {
        for (const key of keys) yield* note(key, start + at)
      }
      yield* Effect.yieldNow()
      assert.deepStrictEqual(noted, [
        "key_000001 0",
        "key_000002 0",
        `key_000001 ${minute}`,
        `key_000002 ${minute}`
      ])
      const stored = Option.getOrThrow(yield* repository.apiKeys.find(ws, "key_000001"))
      assert.strictEqual(stored.last_used_at, start + minute)
      yield* note({ ...stored, id: "key_000003" }, start + minute + 1)
      yield* Effect.yieldNow()
      assert.lengthOf(noted, 4)
    }).pipe(Effect.provide(MemoryRepository.layer))
  )
})
