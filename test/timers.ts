import timers from "node:timers"

const { clearImmediate, clearTimeout, setImmediate, setTimeout } = timers

/**
 * A test clock takes three timers of no length for each step, in which all that is ready runs; Node makes each a
 * millisecond long. Here such a timer comes as soon as what is ready has run, and in the same order as before.
 */
const immediates = new WeakSet<object>()

const soon = (run: (...args: Array<unknown>) => void, delay?: number, ...args: Array<unknown>): object => {
  if (delay !== undefined && delay > 0) return setTimeout(run, delay, ...args)
  const immediate = setImmediate(run, ...args)
  immediates.add(immediate)
  return immediate
}

const clear = (timer: Parameters<typeof clearTimeout>[0]): void => {
  if (typeof timer === "object" && immediates.has(timer)) clearImmediate(timer as unknown as NodeJS.Immediate)
  else clearTimeout(timer)
}

Object.assign(globalThis, { setTimeout: soon, clearTimeout: clear })
