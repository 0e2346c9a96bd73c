import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** What workspaces have used, by hour, campaign and agent; and which hours were counted. */
const statements = [
  `create table usage_hours (
    customer_id text not null,
    hour bigint not null,
    primary key (customer_id, hour)
  )`,
  `create table usage_counts (
    customer_id text not null,
    hour bigint not null,
    campaign_id text not null,
    agent_id text not null,
    attempts bigint not null,
    reached bigint not null,
    seconds double precision not null,
    messages bigint not null,
    turns bigint not null,
    credits bigint not null,
    primary key (customer_id, hour, campaign_id, agent_id)
  )`
]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
