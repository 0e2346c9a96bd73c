import type { AgentReview, ReviewQuestion } from "outdial/client"
import { CheckField, ChoiceField, LongTextField, TextField } from "../components/Fields.tsx"
import { Fold } from "../components/Fold.tsx"

const newQuestion: ReviewQuestion = {
  name: "",
  description: "",
  type: "string",
  options: [],
  required: false
}

const types = [
  ["string", "Text"],
  ["number", "Number"],
  ["boolean", "Yes or no"],
  ["enum", "One of several"]
] as const

const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "")

/** What is to be known after a call. */
export const ReviewFields = (props: {
  readonly review: AgentReview
  readonly onChange: (review: AgentReview) => void
}) => {
  const { onChange, review } = props
  const { questions } = review
  const set = (changed: ReadonlyArray<ReviewQuestion>) => onChange({ ...review, questions: changed })
  const change = (i: number, part: Partial<ReviewQuestion>) =>
    set(questions.with(i, { ...questions[i]!, ...part }))
  return (
    <fieldset>
      <legend>Review: what is to be known after a call</legend>
      {questions.map((question, i) => (
        <Fold
          key={i}
          class="card"
          open={question.name === ""}
          title={question.name === "" ? "New question" : <code>{question.name}</code>}
        >
          <TextField
            label="Name of the answer"
            required
            value={question.name}
            onChange={(name) => change(i, { name })}
          />
          <LongTextField
            label="The question"
            required
            rows={2}
            value={question.description}
            onChange={(description) => change(i, { description })}
          />
          <ChoiceField
            label="Kind of answer"
            options={types}
            value={question.type}
            onChange={(type) => change(i, { type })}
          />
          {question.type === "enum" && (
            <LongTextField
              label="Answers, one a line"
              rows={3}
              value={(question.options ?? []).join("\n")}
              onChange={(text) => change(i, { options: linesOf(text) })}
            />
          )}
          <CheckField
            label="Required"
            value={question.required ?? false}
            onChange={(required) => change(i, { required })}
          />
          <button
            type="button"
            class="button"
            onClick={() => set(questions.filter((_, other) => other !== i))}
          >
            Remove the question
          </button>
        </Fold>
      ))}
      <button type="button" class="button" onClick={() => set([...questions, newQuestion])}>
        Add a question
      </button>
      <LongTextField
        label="A callee is qualified when"
        rows={2}
        value={review.qualified_when ?? ""}
        onChange={(qualified_when) => onChange({ ...review, qualified_when })}
      />
    </fieldset>
  )
}
