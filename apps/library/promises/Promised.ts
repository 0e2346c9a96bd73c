import { Cause, Effect, Exit, Option, Runtime, Stream } from "effect"
import type { WorkspaceNotFound } from "../../../core/model/workspaces/WorkspaceErrors.ts"
import type { WorkspacesShape } from "../../../core/usecases/Workspaces.ts"
import { Disposed } from "./Refusals.ts"

type Outside<A> = [A] extends [Option.Option<infer B>] ? B | null : A

type Promising<Verb> = Verb extends (...args: infer Args) => Effect.Effect<infer A, infer _E>
  ? (...args: Args) => Promise<Outside<A>>
  : Verb extends (...args: infer Args) => Stream.Stream<infer A, infer _E>
    ? (...args: Args) => AsyncIterable<A>
    : never

/**
 * The verbs of a use case as functions that answer promises. `Verbs` has them as they are outside, with drafts for
 * arguments and records for answers; names and documentation are those of `Shape`.
 */
export type Promised<Shape, Verbs> = {
  readonly [Verb in keyof Shape as Verb extends keyof Verbs ? Verb : never]: Verb extends keyof Verbs
    ? Promising<Verbs[Verb]>
    : never
}

/** What a promise is rejected with: the typed error itself, or an unexpected one. */
export const thrown = (cause: Cause.Cause<unknown>): unknown =>
  Cause.isInterruptedOnly(cause) ? new Disposed() : Cause.squash(cause)

export type Run = <A, E>(effect: Effect.Effect<A, E>) => Promise<A>

/** Whether the platform is disposed of. */
export interface Life {
  over: boolean
}

/** Runs effects as promises, which are rejected with the errors themselves. */
export const runner = (runtime: Runtime.Runtime<never>, life: Life): Run => {
  const runFork = Runtime.runFork(runtime)
  return (effect) =>
    new Promise((resolve, reject) => {
      if (life.over) return reject(new Disposed())
      runFork(effect).addObserver((exit) =>
        Exit.isSuccess(exit) ? resolve(exit.value) : reject(thrown(exit.cause))
      )
    })
}

type AnyVerb = (
  ...args: ReadonlyArray<unknown>
) => Effect.Effect<unknown, unknown> | Stream.Stream<unknown, unknown>

const outside = (answer: unknown) => (Option.isOption(answer) ? Option.getOrNull(answer) : answer)

/** Answers when there is a workspace of this id, which never goes away again; it is looked up once. */
export type Known = (workspace_id: unknown) => Effect.Effect<void, WorkspaceNotFound>

export const knowing = ({ get }: Pick<WorkspacesShape, "get">): Known => {
  const known = new Set<unknown>()
  return (id) =>
    typeof id !== "string" || known.has(id) ? Effect.void : Effect.map(get(id), () => void known.add(id))
}

/**
 * Turns each verb into a function that answers a promise, or what can be iterated over. `known` is asked before each
 * of a group whose verbs begin with a workspace.
 */
export const promised =
  <Shape>() =>
  <Verbs extends object>(
    verbs: Verbs,
    runtime: Runtime.Runtime<never>,
    life: Life,
    known: Known = () => Effect.void
  ): Promised<Shape, Verbs> => {
    const run = runner(runtime, life)
    const calling =
      (verb: AnyVerb) =>
      (...args: ReadonlyArray<unknown>) => {
        const answer = verb(...args)
        return Effect.isEffect(answer)
          ? run(Effect.zipRight(known(args[0]), Effect.map(answer, outside)))
          : Stream.toAsyncIterableRuntime(Stream.concat(Stream.execute(known(args[0])), answer), runtime)
      }
    return Object.fromEntries(
      Object.entries(verbs).map(([name, verb]) => [name, calling(verb as AnyVerb)])
    ) as Promised<Shape, Verbs>
  }
