// Written by apps/client/generator/main.ts from adapters/http/contract.

import type { RequestOptions } from "../request/Options.ts"
import type { Pagination, Timestamp } from "./Shared.ts"

export interface RecordingPage {
  readonly data: ReadonlyArray<Recording>
  readonly pagination: Pagination
}

export interface Recording {
  readonly id: string
  readonly session_id: string
  readonly call_id: string
  /** `deleted`: the audio is gone, on request or since its time was over. */
  readonly status: "processing" | "completed" | "failed" | "deleted"
  readonly track: "mixed" | "caller" | "agent"
  readonly channels: number
  readonly format: string
  readonly duration_seconds: number
  readonly size_bytes: number | null
  /**
   * Where the audio is: a link that needs no key, made anew in each answer and good until
   * `url_expires_at`, or the carrier's own address, which needs the carrier's credentials and does not
   * expire. A link of ours takes GET, with ranges, and HEAD; one that is expired or altered is 403, one
   * whose audio is gone 404.
   */
  readonly url: string | null
  readonly url_expires_at: Timestamp | null
  readonly started_at: Timestamp
  readonly completed_at: Timestamp | null
  readonly created_at: Timestamp
}

export interface ListRecordingsQuery {
  /** How many records at most, 1 to 100. Default 50. */
  readonly limit?: number | undefined
  /** How many records to skip, newest first. 0 to 1000000000. Default 0. */
  readonly offset?: number | undefined
}

export interface Recordings {
  /**
   * List a session's recordings.
   * What was recorded of a session, newest first. A call has a session for each of its attempts. A
   * session that is unknown has no recordings. Each answer has new links to the audio.
   *
   * Needs the scope `sessions:read`.
   *
   * Source: `GET /sessions/{session_id}/recordings`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 422: A parameter breaks its rule; `detail` has every one
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly list: (
    session_id: string,
    query?: ListRecordingsQuery,
    options?: RequestOptions
  ) => Promise<RecordingPage>
  /**
   * Every record of `list`, page by page of `limit`, which is 100 by default. Each comes once, also when
   * records are added or removed meanwhile.
   */
  readonly all: (
    session_id: string,
    query?: Omit<ListRecordingsQuery, "offset">,
    options?: RequestOptions
  ) => AsyncIterable<Recording>

  /**
   * Delete a recording.
   * Deletes the audio, at the carrier too where it is kept there. The record stays, with status
   * `deleted`; links to the audio lead nowhere from then on. Deleting it again changes nothing.
   *
   * Needs the scope `sessions:write`.
   *
   * An addition to the published interface.
   *
   * Source: `DELETE /recordings/{recording_id}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly remove: (recording_id: string, options?: RequestOptions) => Promise<Recording>
}
