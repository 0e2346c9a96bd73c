import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** Agents' versions, and conversations: each with its journal, a slice in each row, and what reached it from outside. */
const statements = [
  `alter table agents add column talk text`,
  `alter table agents add column version integer`,
  `alter table agents add column unpublished_changes integer not null default 0`,
  `create table agent_versions (
    customer_id text not null,
    agent_id text not null,
    version integer not null,
    published_at bigint not null,
    body text not null,
    primary key (customer_id, agent_id, version)
  )`,
  `alter table attempts add column agent_version integer`,
  `alter table calls add column agent_version integer`,
  `alter table calls add column duration_seconds integer not null default 0`,
  `alter table calls add column credits bigint not null default 0`,
  `alter table recipients add column review text`,
  `create table sessions (
    customer_id text not null,
    session_id text not null,
    kind text not null,
    call_id text,
    attempt_id text,
    agent_id text not null,
    agent_version integer,
    status text not null,
    reason text,
    error_code text,
    started_at bigint not null,
    connected_at bigint,
    ended_at bigint,
    credits bigint not null,
    model text not null,
    totals text not null,
    settings text not null,
    variables text,
    review_status text not null,
    review text,
    review_due_at bigint,
    review_failures integer not null,
    version bigint not null,
    primary key (customer_id, session_id)
  )`,
  `create index sessions_reviews on sessions (customer_id, review_due_at) where review_due_at is not null`,
  `create table session_slices (
    customer_id text not null,
    session_id text not null,
    number integer not null,
    body text not null,
    primary key (customer_id, session_id, number)
  )`,
  `create table session_inbox (
    customer_id text not null,
    session_id text not null,
    id text not null,
    body text not null,
    primary key (customer_id, session_id, id)
  )`
]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
