import { checkFate, checkTold, Told } from "./Checks.ts"

/** What becomes of a dial. Times are whole seconds of virtual time. */
export type Fate =
  | {
      readonly does: "answer" | "voicemail"
      /** From the pick-up to the end, unless `max_call_length` ends it earlier. */
      readonly seconds: number
      /** From the dial to the pick-up. */
      readonly rings: number
      readonly hung_up_by: "callee" | "agent"
      /** Whether there is a recording, two seconds after the end. */
      readonly recorded: boolean
    }
  | { readonly does: "ring_out" | "reject"; readonly rings: number }
  | { readonly does: "fail"; readonly code: string; readonly message: string }
  /** As the simulated carrier's number with these last four digits. */
  | { readonly does: "busy" | "invalid" | "stay_silent" | "vanish" | "leave_in_doubt" }

/** A dial, as the carrier received it. */
export interface Dialled {
  /** ISO 8601, of virtual time. */
  readonly at: string
  readonly to_number: string
  readonly from_number: string
  /** 1 for a call's first dial. */
  readonly attempt_number: number
  readonly attempt_id: string
  readonly call_id: string
  readonly session_id: string
  readonly agent_id: string
  /** With its variables filled in. */
  readonly prompt: string
  readonly first_message: string
  /** Seconds. */
  readonly max_call_length: number
}

/** Who is called: what always becomes of a dial, or a function that decides it for each; time waits for its promise. */
export type Callee = Fate | ((call: Dialled) => Fate | Promise<Fate>)

const whole = (value: number, name: string, least: number): number => {
  if (Number.isInteger(value) && value >= least) return value
  throw new RangeError(`${name} must be a whole number of seconds, ${least} or more`)
}

export interface Talk {
  /** Whole seconds of talk, 0 or more. Default 20; for voicemail 8. */
  readonly seconds?: number
  /** Whole seconds until the pick-up, 1 or more. Default 4. */
  readonly rings?: number
  /** Default `callee`; for voicemail `agent`. */
  readonly hung_up_by?: "callee" | "agent"
  /** Default true; for voicemail false. */
  readonly recorded?: boolean
}

/** Picks up and talks: outcome `answered`. */
export const answer = (talk: Talk = {}): Fate => {
  checkTold(Told.talk, talk)
  const { hung_up_by = "callee", recorded = true, rings = 4, seconds = 20 } = talk
  return {
    does: "answer",
    seconds: whole(seconds, "seconds", 0),
    rings: whole(rings, "rings", 1),
    hung_up_by,
    recorded
  }
}

/** A machine picks up: outcome `voicemail`. */
export const voicemail = (talk: Talk = {}): Fate =>
  ({
    ...answer({ seconds: 8, hung_up_by: "agent", recorded: false, ...talk }),
    does: "voicemail"
  }) as Fate

/** Busy, after a second: outcome `busy`. */
export const busy = (): Fate => ({ does: "busy" })

/** Rings until the carrier gives up, after 30 seconds unless told otherwise: outcome `no_answer`. */
export const noAnswer = (told: { readonly rings?: number } = {}): Fate => {
  checkTold(Told.rings, told)
  return { does: "ring_out", rings: whole(told.rings ?? 30, "rings", 1) }
}

/** Declines the call, after 4 seconds unless told otherwise: outcome `rejected`. */
export const reject = (told: { readonly rings?: number } = {}): Fate => {
  checkTold(Told.rings, told)
  return { does: "reject", rings: whole(told.rings ?? 4, "rings", 1) }
}

/**
 * The carrier cannot complete the call, after a second: outcome `failed`, `carrier_error`, which is retried. `code` is
 * the attempt's `error_code`, `message` is in the call's `error` too.
 */
export const fail = (told: { readonly code?: string; readonly message?: string } = {}): Fate => {
  checkTold(Told.failure, told)
  const { code = "carrier_error", message = "The carrier could not complete the call" } = told
  return { does: "fail", code, message }
}

/** The carrier refuses the number at once: outcome `failed`, `invalid_number`, which is never retried. */
export const invalidNumber = (): Fate => ({ does: "invalid" })

/** Picks up and says nothing until the call's idle time-outs end it: outcome `answered`, `idle_timeout`. */
export const silent = (): Fate => ({ does: "stay_silent" })

/** The carrier takes the call and tells nothing more of it: the watchdog closes it in the end, `in_doubt`. */
export const vanish = (): Fate => ({ does: "vanish" })

/** The carrier does not answer the dial, and cannot tell what became of it: outcome `unknown`, `in_doubt`. */
export const inDoubt = (): Fate => ({ does: "leave_in_doubt" })

/** One after the other, dial by dial of a call; the last of them for all that follow. */
export const inTurn = (...fates: readonly [Fate, ...ReadonlyArray<Fate>]): Callee => {
  if (fates.length < 1) throw new TypeError("inTurn takes one fate or more")
  fates.forEach(checkFate)
  return ({ attempt_number }) => fates[Math.min(attempt_number, fates.length) - 1]!
}

/** Busy at a call's first dial, and then as told; by default answered. */
export const busyOnce = (then: Fate = answer()): Callee => inTurn(busy(), then)

const standard: Readonly<Record<string, Callee>> = {
  "0001": busy(),
  "0002": noAnswer(),
  "0003": fail(),
  "0004": voicemail(),
  "0005": reject(),
  "0006": silent(),
  "0007": invalidNumber(),
  "0008": vanish(),
  "0009": inDoubt(),
  "0010": busyOnce()
}

/** Who is called where the test does not say: by the last four digits, as at the simulated carrier. */
export const standardCallee = (number: string): Callee => standard[number.slice(-4)] ?? answer()
