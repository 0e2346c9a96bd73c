import { Duration, Effect, Exit, Schedule } from "effect"
import { CarrierUnreachable, DialInDoubt, type DialRefused, type LookupFailed } from "../ports/CallDialer.ts"

export interface CircuitOptions {
  /** How long a dial may take before it is in doubt; infinite if the driver sees to it. Default 15 s. */
  readonly dialTimeout?: Duration.DurationInput | undefined
  /** How long one try of a look-up or a hang-up, or a ping, may take. Default 10 s. */
  readonly requestTimeout?: Duration.DurationInput | undefined
  /** How many failures in a row open the circuit. Default 5. */
  readonly threshold?: number | undefined
  /** The wait before the first probe; it doubles with each. Default 1 s. */
  readonly probeAfter?: Duration.DurationInput | undefined
  /** The longest wait between two probes. Default 15 s. */
  readonly probeAtMost?: Duration.DurationInput | undefined
  /** Tries of a look-up or a hang-up, 200 ms apart, doubling. Default 4. */
  readonly tries?: number | undefined
}

/**
 * Guards what goes out through a carrier of calls or a provider of messages (`who`): time-outs, repeated requests and
 * the circuit.
 *
 * A request that fails, whichever it is, has the carrier probed soon. A probe that goes unanswered opens the
 * circuit, and so do dials that are unreachable or in doubt `threshold` times in a row (a refusal is the carrier
 * answering). While it is open nothing is dialled and probes run in the background; the first that is answered
 * closes it. After that a single dial that fails opens it again, at the pace that the probes had reached, until
 * one succeeds. Only dials begun in the circuit's present state count.
 */
export const makeCircuit = Effect.fnUntraced(function* (
  who: string,
  ping: Effect.Effect<void, CarrierUnreachable>,
  options: CircuitOptions
) {
  const dialTimeout = Duration.decode(options.dialTimeout ?? "15 seconds")
  const notInTime = () => new CarrierUnreachable({ message: `the ${who} did not answer in time` })
  const inTime = <A, E>(dial: Effect.Effect<A, E>): Effect.Effect<A, E | DialInDoubt> =>
    Duration.isFinite(dialTimeout)
      ? Effect.timeoutFail(dial, {
          duration: dialTimeout,
          onTimeout: () => new DialInDoubt({ message: `the ${who} did not answer in time` })
        })
      : dial
  const requestTimeout = Duration.decode(options.requestTimeout ?? "10 seconds")
  const threshold = options.threshold ?? 5
  const probeAfter = Duration.decode(options.probeAfter ?? "1 second")
  const probeAtMost = Duration.decode(options.probeAtMost ?? "15 seconds")
  const again = Schedule.intersect(
    Schedule.exponential("200 millis"),
    Schedule.recurs((options.tries ?? 4) - 1)
  )

  const scope = yield* Effect.scope
  const closed = yield* Effect.makeLatch(true)
  let open = false
  /** Grows whenever the circuit opens or closes. */
  let era = 0
  let failures = 0
  let probing = false
  let wait = probeAfter

  const answered = (began: number) => {
    if (began !== era || open) return
    failures = 0
    wait = probeAfter
  }

  const openUp = Effect.suspend(() => {
    if (open) return Effect.void
    open = true
    era += 1
    closed.unsafeClose()
    return Effect.logWarning(`The ${who} does not answer: its circuit is open`)
  })

  const close = Effect.suspend(() => {
    probing = false
    if (!open) return Effect.void
    open = false
    era += 1
    failures = threshold - 1
    return Effect.andThen(closed.open, Effect.logInfo(`The ${who} answers again: its circuit is closed`))
  })

  const answersPing = ping.pipe(
    Effect.timeoutFail({ duration: requestTimeout, onTimeout: notInTime }),
    Effect.exit,
    Effect.map(Exit.isSuccess)
  )

  const probe = Effect.gen(function* () {
    while (true) {
      yield* Effect.sleep(wait)
      if (open) wait = Duration.min(Duration.times(wait, 2), probeAtMost)
      if (yield* answersPing) return yield* close
      yield* openUp
    }
  })

  const startProbing = Effect.suspend(() => {
    if (probing) return Effect.void
    probing = true
    return Effect.forkIn(Effect.interruptible(probe), scope)
  })

  /** All of it or nothing: an open circuit without a probe would stay open. */
  const failed = (began: number) =>
    Effect.suspend(() => {
      if (began === era && !open) failures += 1
      return failures >= threshold ? openUp : Effect.void
    }).pipe(Effect.andThen(startProbing), Effect.uninterruptible)

  const patient = <A>(request: Effect.Effect<A, LookupFailed | CarrierUnreachable>) =>
    request.pipe(
      Effect.timeoutFail({ duration: requestTimeout, onTimeout: notInTime }),
      Effect.retry(again),
      Effect.tapError(() => startProbing)
    )

  /** A dial, or a message: once it has gone out, what is not answered is in doubt. */
  const guard = <A>(dial: Effect.Effect<A, DialRefused | CarrierUnreachable | DialInDoubt>) =>
    Effect.suspend(() => {
      if (open) return new CarrierUnreachable({ message: `the ${who}'s circuit is open` })
      const began = era
      return inTime(dial).pipe(
        Effect.tapBoth({
          onSuccess: () => Effect.sync(() => answered(began)),
          onFailure: ({ _tag }) =>
            _tag === "DialRefused" ? Effect.sync(() => answered(began)) : failed(began)
        })
      )
    })

  return { guard, patient, available: Effect.sync(() => !open), awaitAvailable: closed.await }
})
