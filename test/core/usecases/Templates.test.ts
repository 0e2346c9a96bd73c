import { Clock, Deferred, Effect, Either, Exit, Fiber, Layer, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { assertNone } from "@effect/vitest/utils"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import * as MemoryRegistry from "../../../adapters/simulated/SimulatedRegistry.ts"
import type { Template, TemplateDraft } from "../../../core/model/templates/Template.ts"
import {
  TemplateInSubmission,
  TemplateNotFound,
  TemplateTaken
} from "../../../core/model/templates/TemplateErrors.ts"
import { Ids } from "../../../core/ports/Ids.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import {
  RegistryTimedOut,
  RegistryUnavailable,
  RegistryUnusable,
  TemplateRegistry
} from "../../../core/ports/TemplateRegistry.ts"
import { Templates } from "../../../core/usecases/Templates.ts"
import { makeTemplate, other, page, ws } from "../../contracts/repository/Fixtures.ts"

type Registry = TemplateRegistry["Type"]

const approved = { provider_template_id: "1", status: "approved", rejection_reason: null } as const
const answering: Registry = { submit: () => Effect.succeed(approved), remove: () => Effect.void }

const on = (registry: Layer.Layer<TemplateRegistry>) =>
  Templates.layer.pipe(Layer.provideMerge(Layer.mergeAll(MemoryRepository.layer, Ids.layer, registry)))
const withRegistry = (registry: Partial<Registry> = {}) =>
  on(Layer.succeed(TemplateRegistry, { ...answering, ...registry }))

const draft: TemplateDraft = {
  name: "reminder",
  language: "en",
  category: "utility",
  parameter_format: "positional",
  components: [{ type: "body", text: "Hello." }]
}

const failures = [RegistryUnavailable, RegistryTimedOut, RegistryUnusable].map(
  (Failure) => new Failure({ message: "away" })
)

const stored = Effect.flatMap(Repository, ({ templates }) => templates.list(ws, {}, page))

/** A template as a process leaves it that dies before the registry answered. */
const abandon = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  const { templates } = yield* Repository
  const left = makeTemplate(1, { ...draft, created_at: now, updated_at: now })
  assert.isTrue(yield* templates.insert(left))
  return left
})

describe("a message template", () => {
  it.effect("is stored as pending, submitted, and then stored with what the registry said", () => {
    const seen: Array<readonly [Template, ReadonlyArray<Template>]> = []
    const registry = Layer.effect(
      TemplateRegistry,
      Effect.map(Repository, ({ templates }) => ({
        ...answering,
        submit: (template: Template) =>
          Effect.gen(function* () {
            seen.push([template, (yield* templates.list(ws, {}, page)).data])
            yield* Effect.sleep("2 seconds")
            return approved
          })
      }))
    )
    const layer = Templates.layer.pipe(
      Layer.provide(Ids.layer),
      Layer.provide(registry),
      Layer.provideMerge(MemoryRepository.layer)
    )
    return Effect.gen(function* () {
      const templates = yield* Templates
      const creating = yield* Effect.fork(templates.create(ws, draft))
      yield* TestClock.adjust("2 seconds")
      const template = yield* creating
      assert.deepInclude(template, {
        ...draft,
        ...approved,
        customer_id: ws,
        created_at: 0,
        updated_at: 2_000
      })
      assert.match(template.id, /^tmpl_/)
      const pending = {
        ...template,
        provider_template_id: null,
        status: "pending",
        rejection_reason: null,
        updated_at: 0
      }
      assert.deepStrictEqual(seen, [[pending, [pending]]] as never)
      assert.deepStrictEqual(yield* templates.get(ws, template.id), template)
      assert.deepStrictEqual(yield* stored, { data: [template], total: 1 })
    }).pipe(Effect.provide(layer))
  })

  it.effect("that the registry refuses is kept as rejected, with its reason", () => {
    const refused = { provider_template_id: null, status: "rejected", rejection_reason: "no" } as const
    return Effect.gen(function* () {
      const templates = yield* Templates
      const template = yield* templates.create(ws, draft)
      assert.deepInclude(template, refused)
      assert.instanceOf(yield* Effect.flip(templates.create(ws, draft)), TemplateTaken)
      yield* templates.remove(ws, template.id)
      assert.strictEqual((yield* stored).total, 0)
    }).pipe(
      Effect.provide(
        withRegistry({ submit: () => Effect.succeed(refused), remove: () => Effect.die("nothing to remove") })
      )
    )
  })

  it.effect("has its name and language alone in its workspace: of fifty racers one gets it", () => {
    let submitted = 0
    const submit = () =>
      Effect.zipRight(
        Effect.yieldNow(),
        Effect.sync(() => ((submitted += 1), approved))
      )
    return Effect.gen(function* () {
      const templates = yield* Templates
      const answers = yield* Effect.replicateEffect(Effect.either(templates.create(ws, draft)), 50, {
        concurrency: "unbounded"
      })
      const lost = answers.filter(Either.isLeft)
      assert.strictEqual(lost.length, 49)
      for (const { left } of lost) assert.instanceOf(left, TemplateTaken)
      assert.strictEqual(submitted, 1)
      yield* templates.create(ws, { ...draft, language: "fr" })
      yield* templates.create(other, draft)
      assert.strictEqual((yield* stored).total, 2)
    }).pipe(Effect.provide(withRegistry({ submit })))
  })

  for (const failure of failures) {
    it.effect(
      `leaves nothing behind when the registry fails with ${failure._tag}, and may be sent again`,
      () => {
        let fails = true
        const submit = () => (fails ? Effect.fail(failure) : Effect.succeed(approved))
        return Effect.gen(function* () {
          const templates = yield* Templates
          assert.strictEqual((yield* Effect.flip(templates.create(ws, draft)))._tag, failure._tag)
          assert.strictEqual((yield* stored).total, 0)
          fails = false
          assert.strictEqual((yield* templates.create(ws, draft)).status, "approved")
        }).pipe(Effect.provide(withRegistry({ submit })))
      }
    )
  }

  it.effect("waits half a minute for the registry, however deaf that is to being told to stop", () =>
    Effect.gen(function* () {
      const templates = yield* Templates
      const creating = yield* Effect.fork(Effect.flip(templates.create(ws, draft)))
      yield* TestClock.adjust("29999 millis")
      assertNone(yield* Fiber.poll(creating))
      yield* TestClock.adjust("1 millis")
      assert.instanceOf(yield* creating, RegistryTimedOut)
      assert.strictEqual((yield* stored).total, 0)
    }).pipe(Effect.provide(withRegistry({ submit: () => Effect.uninterruptible(Effect.never) })))
  )

  it.effect("leaves nothing behind when the request for it is broken off", () =>
    Effect.gen(function* () {
      const reached = yield* Deferred.make<void>()
      const submit = () => Effect.zipRight(Deferred.succeed(reached, undefined), Effect.never)
      yield* Effect.gen(function* () {
        const creating = yield* Effect.fork((yield* Templates).create(ws, draft))
        yield* reached
        assert.strictEqual((yield* stored).total, 1)
        yield* Fiber.interrupt(creating)
        assert.strictEqual((yield* stored).total, 0)
      }).pipe(Effect.provide(withRegistry({ submit })))
    })
  )

  it.effect("that a dead process left unsubmitted gives way, after a minute, to the next of its name", () =>
    Effect.gen(function* () {
      const templates = yield* Templates
      const left = yield* abandon
      yield* TestClock.adjust("59999 millis")
      assert.instanceOf(yield* Effect.flip(templates.create(ws, draft)), TemplateTaken)
      assert.instanceOf(yield* Effect.flip(templates.remove(ws, left.id)), TemplateInSubmission)
      yield* TestClock.adjust("1 millis")
      const exits = yield* Effect.replicateEffect(Effect.exit(templates.create(ws, draft)), 9, {
        concurrency: "unbounded"
      })
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 1)
      const { data } = yield* stored
      assert.strictEqual(data.length, 1)
      assert.notStrictEqual(data[0]!.id, left.id)
      assert.strictEqual(data[0]!.status, "approved")
    }).pipe(Effect.provide(withRegistry()))
  )

  it.effect("that was left unsubmitted may be removed after a minute, and the registry is not asked", () =>
    Effect.gen(function* () {
      const left = yield* abandon
      yield* TestClock.adjust("1 minute")
      yield* (yield* Templates).remove(ws, left.id)
      assert.strictEqual((yield* stored).total, 0)
    }).pipe(Effect.provide(withRegistry({ remove: () => Effect.die("nothing to remove") })))
  )

  it.effect("is removed from the registry first: where that fails, it stays", () => {
    const removed: Array<string> = []
    let fails = true
    const remove = (id: string) =>
      Effect.suspend(() => {
        removed.push(id)
        return fails ? Effect.fail(new RegistryUnavailable({ message: "away" })) : Effect.void
      })
    return Effect.gen(function* () {
      const templates = yield* Templates
      const { id } = yield* templates.create(ws, draft)
      assert.instanceOf(yield* Effect.flip(templates.remove(ws, id)), RegistryUnavailable)
      assert.strictEqual((yield* stored).total, 1)
      fails = false
      assert.instanceOf(yield* Effect.flip(templates.remove(other, id)), TemplateNotFound)
      yield* templates.remove(ws, id)
      assert.deepStrictEqual(removed, ["1", "1"])
      assert.instanceOf(yield* Effect.flip(templates.remove(ws, id)), TemplateNotFound)
      assert.instanceOf(yield* Effect.flip(templates.get(ws, id)), TemplateNotFound)
      yield* templates.create(ws, draft)
    }).pipe(Effect.provide(withRegistry({ remove })))
  })
})

describe("the registry in memory", () => {
  it.effect("rejects by name and by promise, with the reason, and approves the rest, every time alike", () =>
    Effect.gen(function* () {
      const { remove, submit } = yield* TemplateRegistry
      const fine = yield* submit(makeTemplate(1))
      assert.deepInclude(fine, { status: "approved", rejection_reason: null })
      assert.match(fine.provider_template_id!, /^[0-9]{21}$/)
      assert.deepStrictEqual(yield* submit(makeTemplate(1, { id: "tmpl_9" })), fine)
      for (const over of [{ name: "x" }, { language: "fr" }, { customer_id: other }]) {
        const { provider_template_id } = yield* submit(makeTemplate(1, over))
        assert.notStrictEqual(provider_template_id, fine.provider_template_id)
      }
      const named = yield* submit(makeTemplate(1, { name: "reject_me" }))
      assert.deepInclude(named, { status: "rejected", rejection_reason: "the name begins with reject_" })
      const promising = makeTemplate(1, {
        components: [
          { type: "header", format: "text", text: "FREE money" },
          { type: "body", text: "For you." }
        ]
      })
      const { rejection_reason, status } = yield* submit(promising)
      assert.strictEqual(status, "rejected")
      assert.include(rejection_reason!, "free money")
      yield* remove(fine.provider_template_id!)
      yield* remove("never there")
    }).pipe(Effect.provide(MemoryRegistry.layer))
  )
})
