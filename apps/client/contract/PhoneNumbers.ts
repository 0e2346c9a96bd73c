// Written by apps/client/generator/main.ts from adapters/http/contract.

import type { RequestOptions } from "../request/Options.ts"
import type { Deleted, E164, Pagination, Timestamp } from "./Shared.ts"

export interface PhoneNumber {
  readonly id: string
  readonly customer_id: string
  readonly number: E164
  readonly label: string | null
  readonly created_at: Timestamp
}

export interface NewPhoneNumber {
  readonly number: E164
  readonly label?: string | null | undefined
}

export interface PhoneNumberPage {
  readonly data: ReadonlyArray<PhoneNumber>
  readonly pagination: Pagination
}

export interface AvailableNumbers {
  readonly data: ReadonlyArray<AvailableNumber>
}

export interface AvailableNumber {
  /** E.164. */
  readonly number: string
  /** ISO 3166 alpha-2. */
  readonly country: string
  readonly region: string
  readonly number_type: null
  /** Decimal amount as text. */
  readonly setup_price: string
  /** Decimal amount as text. */
  readonly monthly_price: string
  readonly currency: string
}

export interface ListPhoneNumbersQuery {
  /** How many records at most, 1 to 100. Default 50. */
  readonly limit?: number | undefined
  /** How many records to skip, newest first. 0 to 1000000000. Default 0. */
  readonly offset?: number | undefined
}

export interface ListAvailableNumbersQuery {
  /** How many numbers at most; more than 100 counts as 100. Default 50. */
  readonly limit?: number | undefined
  /** Only numbers of this country, by its ISO 3166-1 alpha-2 code; any by default. */
  readonly country?: string | undefined
  /**
   * Only numbers that contain these digits; with a leading +, those that begin with them. Spaces and
   * dashes are ignored, and a leading space is read as an unescaped +.
   */
  readonly search?: string | undefined
  /** An alias of `search`. */
  readonly pattern?: string | undefined
  /** An alias of `search`. */
  readonly contains?: string | undefined
}

export interface PhoneNumbers {
  /**
   * Add a phone number.
   * Registers a number that the workspace may dial from. Calls that name none use the oldest.
   *
   * Needs the scope `phone_numbers:write`.
   *
   * An addition to the published interface.
   *
   * Source: `POST /phone-numbers`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 408: The request body took too long to arrive
   * @throws {OutdialError} 409: The workspace has the number already
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly add: (body: NewPhoneNumber, options?: RequestOptions) => Promise<PhoneNumber>

  /**
   * List phone numbers.
   * The workspace's own numbers, newest first.
   *
   * Needs the scope `phone_numbers:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /phone-numbers`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly list: (query?: ListPhoneNumbersQuery, options?: RequestOptions) => Promise<PhoneNumberPage>
  /**
   * Every record of `list`, page by page of `limit`, which is 100 by default. Each comes once, also when
   * records are added or removed meanwhile.
   */
  readonly all: (
    query?: Omit<ListPhoneNumbersQuery, "offset">,
    options?: RequestOptions
  ) => AsyncIterable<PhoneNumber>

  /**
   * Browse numbers that could be bought.
   * Numbers that the inventory provider has for sale, in its order and without pagination; nothing is
   * bought. India's 140 and 1600 series are left out, and so are numbers whose buyer has to prove an
   * identity. There may be fewer than `limit` when the provider has them behind many that are left out,
   * or is slow.
   *
   * Needs the scope `phone_numbers:read`.
   *
   * Source: `GET /phone-numbers/available`.
   *
   * @throws {OutdialError} 400: `limit` is not an integer of at least 1, `country` not two letters, or
   * the search more than digits
   * @throws {OutdialError} 502: The inventory provider answered with something that cannot be understood
   * @throws {OutdialError} 503: No inventory provider is configured, or it cannot be reached
   * @throws {OutdialError} 504: The inventory provider did not answer in time
   */
  readonly available: (
    query?: ListAvailableNumbersQuery,
    options?: RequestOptions
  ) => Promise<AvailableNumbers>

  /**
   * Read a phone number.
   * One of the workspace's own numbers.
   *
   * Needs the scope `phone_numbers:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /phone-numbers/{phone_number_id}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly get: (phone_number_id: string, options?: RequestOptions) => Promise<PhoneNumber>

  /**
   * Remove a phone number.
   * Calls that were to be dialled from it fail when they are dialled.
   *
   * Needs the scope `phone_numbers:write`.
   *
   * An addition to the published interface.
   *
   * Source: `DELETE /phone-numbers/{phone_number_id}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 409: A running campaign dials from it: `details.campaign_id` is one that does
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly remove: (phone_number_id: string, options?: RequestOptions) => Promise<Deleted>
}
