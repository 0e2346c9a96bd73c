import type { Callee } from "./Callee.ts"

/** Whose callee it is: a number in E.164, one with `*` for any digits, a pattern, or `*` for every other. */
export type Who = string | RegExp

export const e164 = /^\+[1-9]\d{1,14}$/
const wildcards = /^\+?[\d*]*\*[\d*]*$/

const patternOf = (who: Who): RegExp => {
  if (typeof who !== "string") return new RegExp(who.source, who.flags.replace(/[gy]/g, ""))
  if (!wildcards.test(who))
    throw new TypeError(
      "a callee is found by a number in E.164 such as +14155550123, one with * for any digits, or a RegExp"
    )
  return new RegExp(`^${who.replace("+", "\\+").replaceAll("*", "\\+?\\d*")}$`)
}

/** The callees of a test. A number's own comes first, then the pattern that was set last, then `*`. */
export class Callees {
  readonly #byNumber = new Map<string, Callee>()
  readonly #byPattern = new Map<string, { readonly pattern: RegExp; readonly callee: Callee }>()
  #otherwise: Callee | undefined

  set(who: Who, callee: Callee): void {
    if (who === "*") this.#otherwise = callee
    else if (typeof who === "string" && e164.test(who)) this.#byNumber.set(who, callee)
    else {
      const pattern = patternOf(who)
      this.#byPattern.delete(String(who))
      this.#byPattern.set(String(who), { pattern, callee })
    }
  }

  of(number: string): Callee | undefined {
    const own = this.#byNumber.get(number)
    if (own !== undefined) return own
    const matching = [...this.#byPattern.values()].findLast(({ pattern }) => pattern.test(number))
    return matching?.callee ?? this.#otherwise
  }

  /** Whom there are callees for. */
  get known(): ReadonlyArray<string> {
    return [...this.#byNumber.keys(), ...this.#byPattern.keys()]
  }
}
