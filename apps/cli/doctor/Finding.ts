import { widthOf, wrap } from "../terminal/Table.ts"

/** What one check found. `broken` is what keeps Outdial from working, `warning` what an operator should look at. */
export interface Finding {
  readonly check: string
  readonly status: "ok" | "warning" | "broken"
  readonly message: string
}

const finding =
  (status: Finding["status"]) =>
  (check: string, message: string): Finding => ({ check, status, message })

export const ok = finding("ok")
export const warning = finding("warning")
export const broken = finding("broken")

export const isHealthy = (findings: ReadonlyArray<Finding>): boolean =>
  findings.every(({ status }) => status !== "broken")

/** Up to three of a list, and how many more there are. */
export const some = (items: ReadonlyArray<string>): string =>
  items.length <= 3 ? items.join(", ") : `${items.slice(0, 3).join(", ")} and ${items.length - 3} more`

/** `1 call`, `2 calls` */
export const count = (n: number, noun: string, plural = `${noun}s`): string =>
  `${n} ${n === 1 ? noun : plural}`

const colours = { ok: 32, warning: 33, broken: 31 } as const

const summary = (findings: ReadonlyArray<Finding>): string => {
  const broken = findings.filter(({ status }) => status === "broken").length
  const warnings = findings.filter(({ status }) => status === "warning").length
  if (broken + warnings === 0) return "All is well."
  return `${broken === 0 ? "Nothing is broken" : `${broken} broken`}, ${count(warnings, "warning")}.`
}

/** One line a finding, aligned; on a terminal (`columns`) long ones are wrapped under their own column. */
export const render = (
  findings: ReadonlyArray<Finding>,
  columns: number | undefined,
  styled: boolean
): string => {
  const checkWidth = Math.max(...findings.map(({ check }) => widthOf(check)))
  const indent = "warning".length + 2 + checkWidth + 2
  const lines = findings.map(({ check, message, status }) => {
    const colour = styled ? `\u001b[${colours[status]}m${status}\u001b[0m` : status
    const start = colour + " ".repeat("warning".length - status.length + 2) + check.padEnd(checkWidth + 2)
    const parts = columns === undefined ? [message] : wrap(message, Math.max(30, columns - indent))
    return start + parts.join(`\n${" ".repeat(indent)}`)
  })
  return [...lines, "", summary(findings)].join("\n")
}
