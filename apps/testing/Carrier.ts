import { Effect, Layer, Queue, Stream } from "effect"
import { hungUp, type Script, type Step } from "../../adapters/simulated/Behaviour.ts"
import type { Failure } from "../../adapters/simulated/CarrierLedger.ts"
import { type Dial, dialOf } from "../../adapters/simulated/LedgerEntry.ts"
import { carrierCallId } from "../../adapters/simulated/SimulatedCalls.ts"
import * as CarrierCircuit from "../../core/engine/CarrierCircuit.ts"
import { CarrierReports, relay } from "../../core/engine/CarrierReports.ts"
import type { CallProgress } from "../../core/model/calls/CarrierProgress.ts"
import type { DialRequest } from "../../core/model/calls/DialRequest.ts"
import { isoTimestamp } from "../../core/model/Codecs.ts"
import {
  CallDialer,
  type CarrierDriver,
  CarrierUnreachable,
  DialInDoubt,
  type DialReference,
  DialRefused,
  type Lookup,
  LookupFailed
} from "../../core/ports/CallDialer.ts"
import { type Callee, type Dialled, type Fate, standardCallee } from "./Callee.ts"
import type { Callees } from "./Callees.ts"
import { checkFate } from "./Checks.ts"
import { courseOf } from "./Course.ts"
import { CalleeFailed, UnscriptedNumber } from "./Errors.ts"
import type { Outside } from "./Outside.ts"
import type { SteppedTime } from "./SteppedTime.ts"

export interface Options {
  readonly time: SteppedTime
  readonly outside: Outside
  readonly callees: Callees
  /** Whether a number without a callee is an error. */
  readonly strict: boolean
  /** Told of what is wrong with the test itself. */
  readonly report: (error: Error) => void
}

/** A call that the carrier has taken. */
interface Filed {
  readonly dial: Dial
  readonly script: Script
  steps: ReadonlyArray<Step>
  told: number
  callOff: () => void
}

const timeOut = "15 seconds"

const fateOf = (call: Dialled, callee: Callee, outside: Outside): Effect.Effect<Fate, CalleeFailed> => {
  if (typeof callee !== "function") return Effect.succeed(callee)
  return outside
    .call(`the callee of ${call.to_number}`, () => callee(call))
    .pipe(
      Effect.filterOrFail(
        (fate: Fate | undefined): fate is Fate => typeof fate?.does === "string",
        () => new Error("it must return answer(), busy() or another fate")
      ),
      Effect.tap((fate) => Effect.try({ try: () => checkFate(fate), catch: (wrong) => wrong as TypeError })),
      Effect.mapError((thrown) => new CalleeFailed(call.to_number, thrown))
    )
}

/** A carrier whose callees do as the test says; those without a script do as their last four digits say. */
export const makeCarrier = ({ callees, outside, report, strict, time }: Options) => {
  const heard = Effect.runSync(Queue.unbounded<CallProgress>())
  const calls = new Map<string, Filed>()
  const attempts = new Map<string, number>()
  const dialled: Array<Dialled> = []
  let failure: Failure | null = null

  const unreachable = () => new CarrierUnreachable({ message: "the carrier is out of reach" })
  const cannotTell = () => new LookupFailed({ message: "the carrier cannot tell" })
  const unanswered = () => new DialInDoubt({ message: "the carrier did not answer in time" })

  /** Passes, unless the carrier is failing in a way that keeps requests from arriving. */
  const arrive = <E, F>(onUnreachable: () => E, onTimeOut: () => F) =>
    Effect.suspend((): Effect.Effect<void, E | F> => {
      if (failure === "unreachable") return Effect.failSync(onUnreachable)
      return failure === "time_out" ? Effect.delay(Effect.failSync(onTimeOut), timeOut) : Effect.void
    })

  /** Tells what is due, and comes back for the rest. */
  const proceed = (filed: Filed) => {
    filed.callOff()
    const { key, workspace_id } = filed.dial
    const now = time.unsafeCurrentTimeMillis()
    for (let next = filed.steps[filed.told]; next !== undefined; next = filed.steps[filed.told]) {
      if (next.progress.at > now) {
        filed.callOff = time.schedule(next.progress.at, () => proceed(filed))
        return
      }
      filed.told += 1
      heard.unsafeOffer({ workspace_id, key, progress: next.progress })
    }
  }

  const received = ({
    agent,
    call_id,
    from_number,
    key,
    max_call_length,
    session_id,
    to_number
  }: DialRequest) => {
    const attempt_number = calls.has(key) ? attempts.get(call_id)! : (attempts.get(call_id) ?? 0) + 1
    attempts.set(call_id, attempt_number)
    const call: Dialled = {
      at: isoTimestamp(time.unsafeCurrentTimeMillis()),
      to_number,
      from_number,
      attempt_number,
      attempt_id: key,
      call_id,
      session_id,
      agent_id: agent.agent_id,
      prompt: agent.prompt,
      first_message: agent.first_message,
      max_call_length
    }
    dialled.push(call)
    return call
  }

  const scriptOf = (call: Dialled, dial: Dial): Effect.Effect<Script, UnscriptedNumber | CalleeFailed> => {
    const callee = callees.of(call.to_number) ?? (strict ? null : standardCallee(call.to_number))
    return callee === null
      ? Effect.fail(new UnscriptedNumber(call.to_number, callees.known))
      : Effect.map(fateOf(call, callee, outside), (fate) => courseOf(dial, fate))
  }

  const dial = Effect.fnUntraced(function* (request: DialRequest) {
    yield* arrive(unreachable, unanswered)
    const call = received(request)
    let filed = calls.get(request.key)
    if (filed === undefined) {
      const dial = dialOf(request, time.unsafeCurrentTimeMillis())
      const script = yield* Effect.catchAll(scriptOf(call, dial), (error) => {
        report(error)
        return new DialRefused({
          outcome: "failed",
          sub_status: "carrier_error",
          code: "no_callee",
          message: "the test has no callee for this call"
        })
      })
      const told = script._tag === "Refused" ? script.steps.length : 0
      filed = { dial, script, steps: script.steps, told, callOff: () => {} }
      calls.set(request.key, filed)
      proceed(filed)
    }
    const { script } = filed
    if (failure === "lost_answers") return yield* new DialInDoubt({ message: "the answer was lost" })
    if (script._tag === "Accepted") return carrierCallId(request.key)
    if (script._tag === "Refused") {
      const { code, message, outcome, sub_status } = script
      return yield* new DialRefused({ code, message, outcome, sub_status })
    }
    yield* Effect.sleep(script.after_ms)
    return yield* unanswered()
  })

  const lookup = Effect.fnUntraced(function* ({ key }: DialReference) {
    yield* arrive(unreachable, unreachable)
    const filed = calls.get(key)
    if (filed === undefined) return { _tag: "NeverReceived" } satisfies Lookup
    if (filed.script._tag === "InDoubt") return yield* cannotTell()
    const progress = filed.steps.slice(0, filed.told).map(({ progress }) => progress)
    return { _tag: "Known", carrier_call_id: carrierCallId(key), progress } satisfies Lookup
  })

  const hangUp = Effect.fnUntraced(function* ({ key }: DialReference) {
    yield* arrive(unreachable, unreachable)
    const filed = calls.get(key)
    if (filed === undefined) return
    filed.steps = hungUp(filed.dial, filed.steps, time.unsafeCurrentTimeMillis(), 1)
    proceed(filed)
  })

  const driver: CarrierDriver = {
    dial,
    lookup,
    hangUp,
    ping: arrive(unreachable, unreachable)
  }

  return {
    layer: Layer.scoped(
      CallDialer,
      Effect.gen(function* () {
        yield* relay(Stream.fromQueue(heard), (yield* CarrierReports).record)
        return yield* CarrierCircuit.make(driver, { dialTimeout: Infinity })
      })
    ),
    dialled: dialled as ReadonlyArray<Dialled>,
    failing: () => failure !== null,
    fail: (mode: Failure) => {
      failure = mode
    },
    recover: () => {
      failure = null
    }
  }
}
