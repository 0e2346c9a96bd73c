/** How often a process tells what it has done, in milliseconds. */
const interval = 20

/** Counts what a process does and tells it on stdout, a line at a time. */
export const counter = (): (() => void) => {
  let count = 0
  let told = 0
  setInterval(() => {
    if (count === told) return
    told = count
    process.stdout.write(`done ${count}\n`)
  }, interval)
  return () => {
    count += 1
  }
}

/** What a process has told last. */
export const countedOf = (output: string): number => {
  const at = output.lastIndexOf("done ", output.lastIndexOf("\n"))
  return at === -1 ? 0 : Number.parseInt(output.slice(at + 5), 10)
}
