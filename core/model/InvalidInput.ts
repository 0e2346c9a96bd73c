import { Schema } from "effect"
import { describe, type Issue } from "./Issues.ts"

/** Input that breaks a rule: `field` is where, the message says which rule. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("InvalidInput", {
  reason: Schema.String,
  field: Schema.NullOr(Schema.String)
}) {
  override get message() {
    return this.reason
  }
}

/** The first of the issues of an input. */
export const firstOf = (issues: ReadonlyArray<Issue>): InvalidInput => {
  const issue = issues[0]!
  return new InvalidInput({
    reason: describe(issue),
    field: issue.path.length === 0 ? null : String(issue.path[0])
  })
}
