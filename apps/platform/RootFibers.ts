import { Effect, FiberRefs, Option, Predicate } from "effect"

interface Roots {
  readonly roots: Set<unknown>
  add: () => void
}

const isRoots = (value: unknown): value is Roots =>
  Predicate.hasProperty(value, "roots") && value.roots instanceof Set

/** Effect names what holds its root fibers nowhere but as the parent that fibers are told to have. */
const found = Effect.map(Effect.daemonChildren(Effect.getFiberRefs), (refs) =>
  Array.from(FiberRefs.fiberRefs(refs), (ref) => FiberRefs.getOrDefault(refs, ref)).flatMap((value) =>
    Option.isOption(value) && Option.isSome(value) && isRoots(value.value) ? [value.value] : []
  )
)

/**
 * Root fibers are no longer listed in `Fiber.roots`, which this program does not read. Each request has two of them, and a
 * Set that is added to and deleted from all the time leaves tables behind, each of which refers to the next: once one is
 * among V8's old objects, all later ones outlive the collections of young objects, with every fiber and request in them. It
 * was a tenth of the processor time of `POST /calls`.
 */
export const unlist: Effect.Effect<void> = Effect.map(found, (all) => {
  for (const each of all) each.add = () => {}
})
