import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/**
 * Campaigns, as types that SQLite and PostgreSQL both take (see 0001). A call stands in one of the two indexes of
 * what is due at a time, and a call or an attempt without a campaign in none of a campaign's.
 */
const statements = [
  `create table campaigns (
    id text not null,
    customer_id text not null,
    name text not null,
    agent_id text not null,
    channel text not null,
    status text not null,
    status_reason text,
    from_phone_number_id text not null,
    max_concurrency integer,
    calls_per_minute integer,
    scheduled_for bigint,
    started_at bigint,
    completed_at bigint,
    created_at bigint not null,
    updated_at bigint not null,
    call_config text,
    metadata text,
    primary key (customer_id, id)
  )`,
  `create index campaigns_list on campaigns (customer_id, created_at, id)`,
  `create index campaigns_status on campaigns (customer_id, status, created_at, id)`,
  `create index campaigns_agent on campaigns (customer_id, agent_id, created_at, id)`,

  // What changes with every step of a campaign, in rows of its own that are short.
  `create table tallies (
    customer_id text not null,
    campaign_id text not null,
    work text not null,
    due_at bigint,
    pending bigint not null,
    in_progress bigint not null,
    retry_scheduled bigint not null,
    completed bigint not null,
    failed bigint not null,
    skipped bigint not null,
    cancelled bigint not null,
    attempts bigint not null,
    answered bigint not null,
    recent text not null,
    primary key (customer_id, campaign_id)
  )`,
  `create index tallies_due on tallies (customer_id, work, due_at, campaign_id) where due_at is not null`,

  `create table campaign_outcomes (
    customer_id text not null,
    campaign_id text not null,
    minute bigint not null,
    outcome text not null,
    ended bigint not null,
    primary key (customer_id, campaign_id, minute, outcome)
  )`,

  // The recipients of a campaign go by a number of its own, since its ids would be most of every index entry.
  `create table recipient_lists (
    customer_id text not null,
    campaign_id text not null,
    list bigint not null unique,
    primary key (customer_id, campaign_id)
  )`,
  // queue: the recipient's timezone, or '' for none of its own.
  `create table recipients (
    list bigint not null,
    id text not null,
    phone_number bigint not null,
    status text not null,
    queue text not null,
    call_id text,
    next_action_at bigint,
    created_at bigint not null,
    updated_at bigint not null,
    outcome text,
    variables text not null,
    primary key (list, id),
    unique (list, phone_number)
  )`,
  `create index recipients_status on recipients (list, status, id)`,
  `create index recipients_pending on recipients (list, queue, id) where status = 'pending'`,

  `create table imports (
    id text not null,
    customer_id text not null,
    campaign_id text not null,
    filename text not null,
    source_uri text,
    content_type text not null,
    status text not null,
    total_rows integer not null,
    accepted_rows integer not null,
    rejected_rows integer not null,
    created_at bigint not null,
    completed_at bigint,
    errors text not null,
    primary key (customer_id, campaign_id, id)
  )`,

  `drop index calls_due`,
  `create index calls_waiting on calls (customer_id, campaign_id, due_at, call_id)
    where phase = 'waiting' and due_at is not null`,
  `create index calls_live on calls (customer_id, due_at, call_id) where phase = 'live' and due_at is not null`,

  `drop index attempts_started`,
  `create index attempts_started on attempts (customer_id, started_at, campaign_id) where started_at is not null`,
  `create index attempts_campaign on attempts (customer_id, campaign_id, id, channel)
    where campaign_id is not null`,
  `create index attempts_status on attempts (customer_id, campaign_id, status, id, channel)
    where campaign_id is not null`,
  `create index attempts_recipient on attempts (customer_id, recipient_id, id) where recipient_id is not null`
]

export default Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
