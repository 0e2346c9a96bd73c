import type { Session } from "outdial/client"
import { Section } from "../components/Page.tsx"
import { Facts, Status } from "../components/Values.tsx"
import { words } from "../data/Format.ts"

const textOf = (value: unknown): string =>
  value === null || value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value)

/** What was learnt from the conversation, once its review is done. */
export const Review = ({ session: { review, review_status } }: { readonly session: Session }) => {
  if (review === null) {
    return review_status === "none" ? null : (
      <p class="section hint">
        {review_status === "due" ? "The review is being written." : "The review failed."}
      </p>
    )
  }
  const answers = Object.entries(review.answers)
  return (
    <Section title="What was learnt">
      <p>{review.summary}</p>
      <Facts
        facts={[
          ["Qualification", <Status value={review.qualification_status} />],
          ["Sentiment", review.sentiment === null ? null : <Status value={review.sentiment} />],
          ...answers.map(([name, value]) => [words(name), textOf(value)] as const)
        ]}
      />
    </Section>
  )
}
