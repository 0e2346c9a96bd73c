import { ChecksField, LongTextField } from "../components/Fields.tsx"

const known = [
  ["task_completion", "Task completion"],
  ["tool_use", "Tool use"],
  ["safety", "Safety"],
  ["accuracy", "Accuracy"],
  ["relevancy", "Relevancy"]
] as const

export const knownJudges: ReadonlyArray<string> = known.map(([name]) => name)

const isKnown = (judge: string) => knownJudges.includes(judge)

/** The judges that every server knows, and others, which are taken at their word. */
export const Judges = (props: {
  readonly judges: ReadonlyArray<string>
  readonly onChange: (judges: ReadonlyArray<string>) => void
}) => {
  const { judges, onChange } = props
  const others = judges.filter((judge) => !isKnown(judge))
  return (
    <>
      <ChecksField
        label="Judges"
        options={known.map(([name, label]): readonly [string, string] => [name, label])}
        value={judges.filter(isKnown)}
        onChange={(chosen) => onChange([...chosen, ...others])}
      />
      <LongTextField
        label="Other judges, one a line"
        rows={2}
        hint="Each is taken at its word: “politeness” looks for politeness."
        value={others.join("\n")}
        onChange={(text) => onChange([...judges.filter(isKnown), ...(text === "" ? [] : text.split("\n"))])}
      />
    </>
  )
}

/** Without lines that were left empty. */
export const named = (judges: ReadonlyArray<string>): ReadonlyArray<string> =>
  judges.map((judge) => judge.trim()).filter((judge) => judge !== "")
