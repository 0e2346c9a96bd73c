/** Lines of a benchmark: what was measured, the figure, and what was promised. */
export const heading = (text: string) => process.stdout.write(`\n${text}\n`)

export const line = (what: string, figure: string, promise = "") =>
  process.stdout.write(`  ${what.padEnd(58)} ${figure.padStart(16)}   ${promise}\n`)

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 })

export const perSecond = (count: number, seconds: number) => `${whole.format(count / seconds)} /s`
export const millis = (value: number) => `${value.toFixed(2)} ms`
export const micros = (value: number) => `${value.toFixed(1)} µs`
export const ratio = (value: number) => value.toFixed(2)
export const megabytes = (bytes: number) => `${whole.format(bytes / 1e6)} MB`

export const median = (values: ReadonlyArray<number>) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
