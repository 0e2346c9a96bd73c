// Written by apps/client/generator/main.ts from adapters/http/contract.

import type { RequestOptions } from "../request/Options.ts"
import type { Pagination, Timestamp } from "./Shared.ts"

export interface Agent {
  readonly id: string
  readonly customer_id: string
  readonly name: string
  readonly channel: "voice" | "msg"
  readonly prompt: string
  readonly first_message: string
  readonly voice: string
  readonly language: string
  readonly published: boolean
  /** 1 to 3600. */
  readonly idle_timeout_warning: number
  /** 1 to 3600. */
  readonly idle_timeout_end: number
  /** 1 to 3600. */
  readonly max_call_length: number
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  /** The names that the prompt asks for; a call's `custom_variables` fill them in. */
  readonly placeholders: ReadonlyArray<string>
}

export interface NewAgent {
  readonly name: string
  readonly prompt: string
  /** Default "voice". */
  readonly channel?: "voice" | "msg" | undefined
  /** Default "". */
  readonly first_message?: string | undefined
  /** Default "default". */
  readonly voice?: string | undefined
  /** Default "en-US". */
  readonly language?: string | undefined
  /** 1 to 3600. Default 10. */
  readonly idle_timeout_warning?: number | undefined
  /** 1 to 3600. Default 30. */
  readonly idle_timeout_end?: number | undefined
  /** 1 to 3600. Default 3600. */
  readonly max_call_length?: number | undefined
}

export interface AgentPage {
  readonly data: ReadonlyArray<Agent>
  readonly pagination: Pagination
}

export interface AgentChange {
  readonly name?: string | undefined
  readonly prompt?: string | undefined
  readonly channel?: "voice" | "msg" | undefined
  readonly first_message?: string | undefined
  readonly voice?: string | undefined
  readonly language?: string | undefined
  /** 1 to 3600. */
  readonly idle_timeout_warning?: number | undefined
  /** 1 to 3600. */
  readonly idle_timeout_end?: number | undefined
  /** 1 to 3600. */
  readonly max_call_length?: number | undefined
}

export interface ListAgentsQuery {
  /** How many records at most, 1 to 100. Default 50. */
  readonly limit?: number | undefined
  /** How many records to skip, newest first. 0 to 1000000000. Default 0. */
  readonly offset?: number | undefined
  /** Only agents that are published, or only those that are not. */
  readonly published?: boolean | undefined
}

export interface Agents {
  /**
   * Create an agent.
   * A new agent is unpublished. By default it speaks on the voice channel, in en-US, with the voice
   * `default`, says nothing first, nudges after 10 seconds of silence, hangs up after 30 and talks for
   * an hour at most. Timeouts are seconds.
   *
   * Needs the scope `agents:write`.
   *
   * An addition to the published interface.
   *
   * Source: `POST /agents`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 408: The request body took too long to arrive
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly create: (body: NewAgent, options?: RequestOptions) => Promise<Agent>

  /**
   * List agents.
   * The workspace's agents, newest first.
   *
   * Needs the scope `agents:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /agents`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly list: (query?: ListAgentsQuery, options?: RequestOptions) => Promise<AgentPage>
  /**
   * Every record of `list`, page by page of `limit`, which is 100 by default. Each comes once, also when
   * records are added or removed meanwhile.
   */
  readonly all: (query?: Omit<ListAgentsQuery, "offset">, options?: RequestOptions) => AsyncIterable<Agent>

  /**
   * Read an agent.
   * The agent as it stands now.
   *
   * Needs the scope `agents:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /agents/{agent_id}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly get: (agent_id: string, options?: RequestOptions) => Promise<Agent>

  /**
   * Change an agent.
   * Changes what is given. Calls that wait meet the agent as it is when they are dialled.
   *
   * Needs the scope `agents:write`.
   *
   * An addition to the published interface.
   *
   * Source: `PATCH /agents/{agent_id}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 408: The request body took too long to arrive
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly update: (agent_id: string, body: AgentChange, options?: RequestOptions) => Promise<Agent>

  /**
   * Publish an agent.
   * Calls may be dialled with it. Publishing one that is published changes nothing.
   *
   * Needs the scope `agents:write`.
   *
   * An addition to the published interface.
   *
   * Source: `POST /agents/{agent_id}/publish`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly publish: (agent_id: string, options?: RequestOptions) => Promise<Agent>

  /**
   * Unpublish an agent.
   * Calls that are dialled with it from now on fail.
   *
   * Needs the scope `agents:write`.
   *
   * An addition to the published interface.
   *
   * Source: `POST /agents/{agent_id}/unpublish`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly unpublish: (agent_id: string, options?: RequestOptions) => Promise<Agent>
}
