import type { Array as Arr, Effect, Option } from "effect"
import type { Recipient, RecipientStatus } from "../model/campaigns/Recipient.ts"
import type { RecipientValue, ValueFilter, ValueKind } from "../model/campaigns/RecipientValues.ts"
import type { OpenRecipients } from "../model/forecasts/OpenRecipients.ts"
import type { Page, PageRequest } from "../model/Page.ts"

export interface RecipientFilter extends ValueFilter {
  readonly status?: RecipientStatus | undefined
  /** A whole number, which begins with a plus, or the last digits of one, at least four. */
  readonly phone_number?: string | undefined
}

/** Recipients of one campaign; every one of a campaign has a phone number of its own. */
export interface RecipientRows {
  /**
   * Stores the recipients whose phone number the campaign does not have yet. Answers for each, in order: null
   * once it is stored, else the id of the recipient that has the number, be it one of the same request.
   */
  readonly insert: (recipients: ReadonlyArray<Recipient>) => Effect.Effect<ReadonlyArray<string | null>>
  readonly get: (
    workspace_id: string,
    campaign_id: string,
    id: string
  ) => Effect.Effect<Option.Option<Recipient>>
  /** Answers the recipients of a campaign that exist, in any order. */
  readonly many: (
    workspace_id: string,
    campaign_id: string,
    ids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Recipient>>
  /** Where its caller knows the total, by the campaign's counters, nothing is counted. */
  readonly list: (
    workspace_id: string,
    campaign_id: string,
    filter: RecipientFilter,
    page: PageRequest,
    total?: number
  ) => Effect.Effect<Page<Recipient>>
  /** Recipients with an id greater than `after`, oldest first: all of them, slice by slice. */
  readonly after: (
    workspace_id: string,
    campaign_id: string,
    after: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Recipient>>
  /** Those of status pending of one timezone, or of none of their own, oldest first. */
  readonly pending: (
    workspace_id: string,
    campaign_id: string,
    timezone: string | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Recipient>>
  /** The timezones, null for none of their own, of those of status pending: each once, whatever their number. */
  readonly zones: (workspace_id: string, campaign_id: string) => Effect.Effect<ReadonlyArray<string | null>>
  /** The recipients who are not done: the ones that wait for a call, counted, and the calls under way. Other requests are answered meanwhile. */
  readonly open: (workspace_id: string, campaign_id: string) => Effect.Effect<OpenRecipients>
  /** Stores status, call, outcome, `next_action_at` and `updated_at` of recipients of one workspace; all else stays as it is. */
  readonly update: (...recipients: Arr.NonEmptyReadonlyArray<Recipient>) => Effect.Effect<void>
  /**
   * Notes, of every recipient of this phone number whom a campaign of channel msg has written to from
   * `from_phone_number_id`, that a message came from there at `at`, unless a later one did; and its text, where it
   * has one.
   */
  readonly heard: (
    workspace_id: string,
    from_phone_number_id: string,
    phone_number: string,
    at: number,
    text: string | null
  ) => Effect.Effect<void>
  /** Values by which a recipient is found, in the place of those of the kind that it had. */
  readonly index: (
    recipient: Pick<Recipient, "customer_id" | "campaign_id" | "id">,
    kind: ValueKind,
    values: ReadonlyArray<RecipientValue>
  ) => Effect.Effect<void>
  /** Stores variables, timezone and `updated_at`; all else stays as it is. */
  readonly change: (recipient: Recipient) => Effect.Effect<void>
  readonly removeOne: (workspace_id: string, campaign_id: string, id: string) => Effect.Effect<void>
  /** Removes up to `limit` of a campaign, oldest first; answers how many. */
  readonly remove: (workspace_id: string, campaign_id: string, limit: number) => Effect.Effect<number>
  /** Makes up to `limit` pending ones skipped; answers how many. */
  readonly skip: (
    workspace_id: string,
    campaign_id: string,
    at: number,
    limit: number
  ) => Effect.Effect<number>
}
