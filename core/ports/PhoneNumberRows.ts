import type { Effect, Option } from "effect"
import type { PhoneNumber } from "../model/numbers/PhoneNumber.ts"
import type { Page, PageRequest } from "../model/Page.ts"

export interface PhoneNumberRows {
  /** False when the workspace has the number already. */
  readonly insert: (number: PhoneNumber) => Effect.Effect<boolean>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<PhoneNumber>>
  /** Who has the number, in all workspaces: what comes in to it names none. */
  readonly holders: (number: string) => Effect.Effect<ReadonlyArray<PhoneNumber>>
  /** The workspace's oldest: what is dialled from when a call names none. */
  readonly first: (workspace_id: string) => Effect.Effect<Option.Option<PhoneNumber>>
  readonly list: (workspace_id: string, page: PageRequest) => Effect.Effect<Page<PhoneNumber>>
  /** Stores the label; all else stays as it is. */
  readonly update: (number: PhoneNumber) => Effect.Effect<void>
  /** False when there is none. */
  readonly remove: (workspace_id: string, id: string) => Effect.Effect<boolean>
}
