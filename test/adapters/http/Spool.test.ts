import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Chunk, Deferred, Effect, Exit, FastCheck, Stream } from "effect"
import * as Spool from "../../../adapters/http/handlers/Spool.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outdial-spool-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const textOf = (pieces: Iterable<Uint8Array>) => Buffer.concat([...pieces]).toString()

/** Pieces that tell when they have all been made. */
const made = Effect.fnUntraced(function* (texts: ReadonlyArray<string>) {
  const all = yield* Deferred.make<void>()
  const pieces = Stream.fromIterable(texts).pipe(
    Stream.encodeText,
    Stream.concat(Stream.execute(Deferred.succeed(all, undefined)))
  )
  return { pieces, all: Deferred.await(all) }
})

/** Reads nothing before everything is made, and then to the end. */
const readLate = (pieces: Stream.Stream<Uint8Array>, all: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const pull = yield* Stream.toPull(pieces)
    const first = yield* pull
    yield* all
    const rest = yield* Stream.runCollect(Stream.fromPull(Effect.succeed(pull)))
    return textOf(Chunk.appendAll(first, rest))
  })

describe("an answer that waits for its client", () => {
  it.scopedLive("is made to its end before the client has read it, and read as it was made", () =>
    Effect.gen(function* () {
      const texts = Array.from({ length: 200 }, (_, n) => `${n},`.repeat(1_000))
      const { all, pieces } = yield* made(texts)
      const where = yield* folder
      const spooled = Spool.make({ folder: where, memory: 1_000 })
      assert.strictEqual(yield* readLate(spooled(pieces), all), texts.join(""))
      assert.deepStrictEqual(readdirSync(where), [])
    })
  )

  it.scopedLive.prop(
    "is read as it was made, however its pieces and its limits are, and however the client reads",
    [
      FastCheck.array(FastCheck.string({ minLength: 1, maxLength: 40 }), { maxLength: 60 }),
      FastCheck.nat(100),
      FastCheck.array(FastCheck.boolean(), { maxLength: 60 })
    ],
    ([texts, memory, pauses]) =>
      Effect.gen(function* () {
        const spooled = Spool.make({ memory })
        const busy = pauses.values()
        const pieces = yield* Stream.fromIterable(texts).pipe(
          Stream.tap(() => (busy.next().value === true ? Effect.yieldNow() : Effect.void)),
          Stream.encodeText,
          spooled,
          Stream.tap(() => (busy.next().value === true ? Effect.sleep(0) : Effect.void)),
          Stream.runCollect
        )
        assert.strictEqual(textOf(pieces), textOf(texts.map((text) => Buffer.from(text))))
      })
  )

  it.scopedLive("breaks off after what was made of it when its making fails", () =>
    Effect.gen(function* () {
      const pieces = Stream.concat(Stream.encodeText(Stream.make("a", "b")), Stream.fail("the store"))
      const read: Array<Uint8Array> = []
      const exit = yield* Effect.exit(
        Stream.runForEach(Spool.make()(pieces), (piece) => Effect.sync(() => void read.push(piece)))
      )
      assert.deepStrictEqual([textOf(read), exit], ["ab", Exit.fail("the store")])
    })
  )

  it.scopedLive("that finds no place to wait breaks off, and is made to its end all the same", () =>
    Effect.gen(function* () {
      for (const options of [{ disk: 10 }, { folder: "/nowhere/at/all" }]) {
        const { all, pieces } = yield* made(Array.from({ length: 50 }, () => "x".repeat(100)))
        const exit = yield* Effect.exit(readLate(Spool.make({ ...options, memory: 10 })(pieces), all))
        assert.isTrue(Exit.isFailure(exit))
      }
    })
  )

  it.scopedLive("gives its place to others once it is read, or its client has left", () =>
    Effect.gen(function* () {
      const spooled = Spool.make({ memory: 10, disk: 5_000 })
      for (let round = 0; round < 3; round++) {
        const left = yield* made(Array.from({ length: 40 }, () => "x".repeat(100)))
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* yield* Stream.toPull(spooled(left.pieces))
            yield* left.all
          })
        )
        const { all, pieces } = yield* made(Array.from({ length: 40 }, () => "y".repeat(100)))
        assert.strictEqual(
          (yield* Effect.scoped(readLate(spooled(pieces), all))).length,
          4_000,
          `round ${round}`
        )
      }
    })
  )
})
