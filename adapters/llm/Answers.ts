import { Schema } from "effect"

/** Text that every store can hold, of at most `most` characters. */
export const tidy = (text: string, most: number): string => {
  const whole = text.replaceAll("\u0000", "").toWellFormed().trim()
  return whole.length <= most
    ? whole
    : whole
        .slice(0, most)
        .replace(/[\uD800-\uDBFF]$/, "")
        .trimEnd()
}

const Said = Schema.String.pipe(Schema.filter((text) => tidy(text, 1) !== "" || "must not be empty"))

export const TurnAnswer = Schema.Struct({ text: Said, hangs_up: Schema.Boolean })

export const JudgeAnswer = Schema.Struct({
  reasoning: Said,
  verdict: Schema.Literal("pass", "fail", "maybe")
})

const Sketch = Schema.Struct({
  label: Schema.String,
  instructions: Schema.String,
  max_turns: Schema.Number
})
export type Sketch = typeof Sketch.Type

export const isUsable = ({ instructions, label }: Sketch): boolean =>
  tidy(label, 1) !== "" && tidy(instructions, 1) !== ""

export const ScenariosAnswer = Schema.Struct({
  scenarios: Schema.Array(Sketch).pipe(
    Schema.filter(
      (scenarios) => scenarios.some(isUsable) || "must hold at least one with a label and instructions"
    )
  )
})
