import type { TemplateStatus } from "../../core/model/templates/Template.ts"
import type { Submission } from "../../core/ports/TemplateRegistry.ts"

/** Meta's words for how a template stands. Source: Meta, "message_template_status_update", "Template status". */
const statuses: Readonly<Record<string, TemplateStatus>> = {
  APPROVED: "approved",
  REINSTATED: "approved",
  PENDING: "pending",
  IN_APPEAL: "pending",
  PENDING_REVIEW: "pending",
  REJECTED: "rejected",
  PAUSED: "paused",
  DISABLED: "disabled",
  DELETED: "disabled",
  PENDING_DELETION: "disabled"
}

/** Null for what changes nothing: that a template is flagged, locked or archived. */
export const statusOf = (word: string | null): TemplateStatus | null =>
  word !== null && Object.hasOwn(statuses, word) ? statuses[word]! : null

const longest = 1_000

/** Words of Meta's, or these when it has none. */
export const reasonOf = (...words: ReadonlyArray<string | null>): string =>
  words.find((text) => text !== null && text !== "" && text !== "NONE")?.slice(0, longest) ??
  "rejected, without a reason"

/** How a template stands that has an id. */
export const reviewOf = (
  provider_template_id: string,
  status: TemplateStatus,
  ...reasons: ReadonlyArray<string | null>
): Submission => ({
  provider_template_id,
  status,
  rejection_reason: status === "rejected" ? reasonOf(...reasons) : null
})

/** The refusal of a template that is not registered. */
export const refusal = (...reasons: ReadonlyArray<string | null>): Submission => ({
  provider_template_id: null,
  status: "rejected",
  rejection_reason: reasonOf(...reasons)
})
