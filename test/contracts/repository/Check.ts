import { it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { Repository } from "../../../core/ports/Repository.ts"

/** A test that gets a fresh store. */
export type Check = (name: string, body: (repository: Repository["Type"]) => Effect.Effect<void>) => void

export const checkWith =
  (layer: Layer.Layer<Repository, unknown>): Check =>
  (name, body) =>
    it.effect(name, () => Effect.flatMap(Repository, body).pipe(Effect.provide(layer)))
