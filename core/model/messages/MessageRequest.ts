import type { Template } from "../templates/Template.ts"
import type { Parameters } from "./Parameters.ts"

/** Everything that a provider needs to send one message. */
export interface MessageRequest {
  /** The attempt's id. A provider that can hands it back with what it tells of the message. */
  readonly key: string
  readonly workspace_id: string
  readonly call_id: string
  readonly session_id: string
  readonly to_number: string
  readonly from_number: string
  readonly template: Template
  /** What the template's placeholders are replaced by. */
  readonly parameters: Parameters
}
