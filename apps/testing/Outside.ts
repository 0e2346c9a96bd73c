import { AsyncLocalStorage } from "node:async_hooks"
import { Effect } from "effect"
import { Disposed, StillWaiting } from "./Errors.ts"
import { turn } from "./SteppedTime.ts"

// Kept from the start: a test may put timers of its own in their place.
const { clearTimeout, setTimeout } = globalThis

const isPromise = <A>(answer: A | PromiseLike<A>): answer is PromiseLike<A> =>
  typeof answer === "object" && answer !== null && "then" in answer

/** A function of the test that time waits for, until it is over. */
interface Held {
  readonly what: string
  over: boolean
}

/** How many turns of the event loop must bring nothing more before what was going on outside counts as over. */
const turns = 5

/**
 * What goes on outside of virtual time: requests, receivers of webhooks, callees that are functions. Virtual time
 * stands still for it.
 */
export class Outside {
  readonly #pending = new Map<symbol, string>()
  readonly #inside = new AsyncLocalStorage<Held>()
  readonly #calls = new Set<(answer: Effect.Effect<never, unknown>) => void>()
  readonly #patience: number
  #rested = false
  #waiting: Array<() => void> = []

  /** `patience` is how long it may go on, in real milliseconds. */
  constructor(patience: number) {
    this.#patience = patience
  }

  /** Nothing goes on, and nothing did since `settled`. */
  get isCalm(): boolean {
    return this.#rested && this.#pending.size === 0
  }

  /** In whose hands the running code is: a webhook's receiver or a callee, while either is waited for. */
  get running(): string | undefined {
    const held = this.#inside.getStore()
    return held?.over === false ? held.what : undefined
  }

  /** From now on nothing is known to be at rest. */
  stir(): void {
    this.#rested = false
  }

  /** Notes that something goes on; what is answered ends it. */
  begin(what: string): () => void {
    const key = Symbol(what)
    this.#pending.set(key, what)
    this.#rested = false
    return () => {
      this.#pending.delete(key)
      this.#rested = false
      const waiting = this.#waiting
      this.#waiting = []
      for (const resume of waiting) resume()
    }
  }

  /** Calls a function of the test, and holds the time while its promise is pending. Fails with what it throws. */
  call<A>(what: string, run: () => A | PromiseLike<A>): Effect.Effect<A, unknown> {
    return Effect.suspend(() => {
      const held: Held = { what, over: false }
      try {
        const answer = this.#inside.run(held, run)
        if (isPromise(answer)) return this.#awaited(held, answer)
        held.over = true
        return Effect.succeed(answer)
      } catch (thrown) {
        held.over = true
        return Effect.fail(thrown)
      }
    })
  }

  /** Nothing is waited for any more. */
  abandon(): void {
    for (const resume of this.#calls) resume(Effect.fail(new Disposed()))
  }

  /**
   * Waits until nothing goes on any more, `drain` having run what came of it.
   *
   * @throws {StillWaiting} when something takes longer than the patience lasts
   */
  async settled(drain: () => number): Promise<void> {
    for (let calm = 0, before = drain(); calm < turns && !this.isCalm;) {
      if (this.#pending.size > 0) await this.#nextEnd()
      else await turn()
      const now = drain()
      calm = now === before && this.#pending.size === 0 ? calm + 1 : 0
      before = now
    }
    this.#rested = true
  }

  #awaited<A>(held: Held, answer: PromiseLike<A>): Effect.Effect<A, unknown> {
    const end = this.begin(held.what)
    let leave = () => {}
    return Effect.async<A, unknown>((resume) => {
      this.#calls.add(resume)
      leave = () => void this.#calls.delete(resume)
      answer.then(
        (value) => resume(Effect.succeed(value)),
        (thrown: unknown) => resume(Effect.fail(thrown))
      )
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          leave()
          held.over = true
          end()
        })
      )
    )
  }

  #nextEnd(): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new StillWaiting([...this.#pending.values()], this.#patience)),
        this.#patience
      )
      this.#waiting.push(() => {
        clearTimeout(late)
        resolve()
      })
    })
  }
}
