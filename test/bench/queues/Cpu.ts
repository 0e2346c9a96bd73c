import { readdirSync, readFileSync } from "node:fs"

/** What the kernel counts in a second of processor time, on every Linux. */
const ticks = 100

/** The numbers of `/proc/<pid>/stat` behind the program's name, which may hold blanks and brackets. */
const statOf = (pid: number): ReadonlyArray<string> => {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8")
  return text.slice(text.lastIndexOf(")") + 2).split(" ")
}

const sum = (values: ReadonlyArray<string | undefined>) =>
  values.reduce((total, value) => total + Number(value), 0)

/** Seconds of processor time that a process has used, in itself. */
export const secondsOf = (pid: number): number => sum(statOf(pid).slice(11, 13)) / ticks

/** The same of a process and of its children, those that have ended included. */
export const familySecondsOf = (pid: number): number => {
  let total = sum(statOf(pid).slice(11, 15)) / ticks
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    try {
      if (statOf(Number(name))[1] === String(pid)) total += secondsOf(Number(name))
    } catch {
      // It ended meanwhile, and its parent has counted it.
    }
  }
  return total
}
