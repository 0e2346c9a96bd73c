/** A number was dialled for which there is no callee, under `strict`. The message names the number. */
export class UnscriptedNumber extends Error {
  override readonly name = "UnscriptedNumber"
  readonly to_number: string

  constructor(to_number: string, known: ReadonlyArray<string>) {
    super(
      `${to_number} was dialled, and no callee is scripted for it: outdial.callee("${to_number}", answer()). ` +
        (known.length === 0 ? "There are no callees yet." : `There are callees for ${known.join(", ")}.`)
    )
    this.to_number = to_number
  }
}

/** The function of a callee threw: the cause is what it threw. */
export class CalleeFailed extends Error {
  override readonly name = "CalleeFailed"

  constructor(to_number: string, cause: unknown) {
    super(`the callee of ${to_number} failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause
    })
  }
}

/** Time could not go on, since something of the real world did not come to its end. */
export class StillWaiting extends Error {
  override readonly name = "StillWaiting"

  constructor(what: ReadonlyArray<string>, patience: number) {
    super(`time cannot go on: after ${patience} ms of real time these still run: ${what.join(", ")}`)
  }
}

/** `runUntilIdle` came to its limit while something was still to come. */
export class NeverIdle extends Error {
  override readonly name = "NeverIdle"

  constructor(next: number, hint: string) {
    super(
      `something is still to come at ${new Date(next).toISOString()}, behind the limit of runUntilIdle${hint}`
    )
  }
}

/** Code for which time stands still asked it to go on: it would wait for itself. */
export class TimeIsHeld extends Error {
  override readonly name = "TimeIsHeld"

  constructor(holder: string) {
    super(`time stands still until ${holder} has answered: let it go on from the test instead`)
  }
}

/** The platform is disposed of. */
export class Disposed extends Error {
  override readonly name = "Disposed"

  constructor() {
    super("the test platform is disposed of")
  }
}
