import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/**
 * Test suites and their runs, as types that SQLite and PostgreSQL both take (see 0001). What is tested and what is
 * played may be long and never changes: it has rows of its own, so that those that change stay short.
 */
const statements = [
  `create table suites (
    id text not null,
    customer_id text not null,
    agent_id text not null,
    name text not null,
    created_by_user_id text not null,
    created_at bigint not null,
    updated_at bigint not null,
    config text not null,
    scenarios text not null,
    primary key (customer_id, id),
    unique (customer_id, name)
  )`,
  `create index suites_agent on suites (customer_id, agent_id, id)`,

  `create table runs (
    id text not null,
    customer_id text not null,
    suite_id text not null,
    agent_id text not null,
    status text not null,
    deadline_at bigint not null,
    total integer not null,
    passed integer not null,
    failed integer not null,
    errored integer not null,
    score double precision,
    points double precision not null,
    judged integer not null,
    credits_used bigint not null,
    started_at bigint,
    completed_at bigint,
    created_at bigint not null,
    error text,
    primary key (customer_id, id)
  )`,
  `create index runs_suite on runs (customer_id, suite_id, id)`,
  `create index runs_agent on runs (customer_id, agent_id, id)`,
  `create index runs_status on runs (customer_id, status, id)`,
  `create index runs_deadline on runs (customer_id, deadline_at, id) where status in ('queued', 'running')`,

  // What a run tests.
  `create table run_subjects (
    customer_id text not null,
    run_id text not null,
    judges text not null,
    agent text not null,
    primary key (customer_id, run_id)
  )`,

  // scenario_id: the id of the first of the plays that share a scenario.
  `create table plays (
    id text not null,
    customer_id text not null,
    run_id text not null,
    position integer not null,
    run_index integer not null,
    scenario_id text not null,
    open integer not null,
    over integer not null,
    status text,
    due_at bigint not null,
    failures integer not null,
    updated_at bigint not null,
    version bigint not null,
    error text,
    judgments text not null,
    transcript text not null,
    primary key (customer_id, id)
  )`,
  `create index plays_run on plays (customer_id, run_id, position)`,
  `create index plays_due on plays (customer_id, due_at, id) where open = 1`,

  `create table play_scenarios (
    customer_id text not null,
    id text not null,
    scenario text not null,
    primary key (customer_id, id)
  )`,

  `create table holds (
    id text not null,
    customer_id text not null,
    amount bigint not null,
    expires_at bigint not null,
    primary key (customer_id, id)
  )`,
  `create index holds_expiry on holds (customer_id, expires_at, id)`
]

export default Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
