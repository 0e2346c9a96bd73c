-- The layout of version 1, with rows. Written out once: it does not change with the code.
create table "outdial_migrations" (
  migration_id integer PRIMARY KEY NOT NULL,
  created_at datetime NOT NULL DEFAULT current_timestamp,
  name VARCHAR(255) NOT NULL
);
create table workspaces (
  id text primary key not null,
  name text not null,
  max_concurrency integer not null,
  calls_per_second integer not null,
  allowed_countries text not null,
  allow_costly_destinations integer not null,
  created_at bigint not null,
  updated_at bigint not null
);
create table api_keys (
  id text primary key not null,
  customer_id text not null,
  name text not null,
  scopes text not null,
  digest text not null,
  created_at bigint not null,
  revoked_at bigint
);
create index api_keys_list on api_keys (customer_id, id);
create table balances (
  customer_id text primary key not null,
  amount bigint not null check (amount >= 0)
);
create table ledger (
  id text not null,
  customer_id text not null,
  kind text not null,
  amount bigint not null,
  reference text,
  created_at bigint not null,
  primary key (customer_id, id)
);
create index ledger_reference on ledger (customer_id, reference, id) where reference is not null;
create table phone_numbers (
  id text not null,
  customer_id text not null,
  number text not null,
  label text,
  created_at bigint not null,
  primary key (customer_id, id),
  unique (customer_id, number)
);
create table agents (
  id text not null,
  customer_id text not null,
  name text not null,
  channel text not null,
  voice text not null,
  language text not null,
  published integer not null,
  idle_timeout_warning integer not null,
  idle_timeout_end integer not null,
  max_call_length integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  first_message text not null,
  prompt text not null,
  primary key (customer_id, id)
);
create table calls (
  call_id text not null,
  customer_id text not null,
  agent_id text not null,
  status text not null,
  phase text not null,
  due_at bigint,
  version bigint not null,
  outcome text,
  sub_status text,
  error_code text,
  error_message text,
  to_number text not null,
  from_number text not null,
  from_phone_number_id text not null,
  scheduled_for bigint,
  attempt_count integer not null,
  attempt_id text,
  session_id text,
  redial integer not null,
  cancel_requested integer not null,
  price_per_minute bigint not null,
  credits_held bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  completed_at bigint,
  idempotency_key text,
  campaign_id text,
  recipient_id text,
  callee_name text,
  custom_variables text,
  call_config text,
  smart_formatter text,
  metadata text,
  primary key (customer_id, call_id)
);
create unique index calls_key on calls (customer_id, idempotency_key) where idempotency_key is not null;
create index calls_due on calls (customer_id, phase, due_at, call_id) where due_at is not null;
create index calls_list on calls (customer_id, created_at, call_id);
create index calls_status on calls (customer_id, status, created_at, call_id);
create index calls_agent on calls (customer_id, agent_id, created_at, call_id);
create index calls_campaign on calls (customer_id, campaign_id, created_at, call_id)
  where campaign_id is not null;
create table attempts (
  id text not null,
  customer_id text not null,
  call_id text not null,
  campaign_id text,
  recipient_id text,
  session_id text not null,
  channel text not null,
  attempt_number integer not null,
  status text not null,
  scheduled_for bigint not null,
  started_at bigint,
  answered_at bigint,
  completed_at bigint,
  provider_message_id text,
  carrier_call_id text,
  error_code text,
  error_message text,
  from_number text not null,
  outcome text,
  sub_status text,
  duration_seconds double precision not null,
  credits bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (customer_id, id)
);
create index attempts_call on attempts (customer_id, call_id, attempt_number, id);
create index attempts_started on attempts (customer_id, started_at) where started_at is not null;
create table recordings (
  id text not null,
  customer_id text not null,
  session_id text not null,
  call_id text not null,
  carrier_recording_id text not null,
  status text not null,
  track text not null,
  channels integer not null,
  format text not null,
  duration_seconds double precision not null,
  size_bytes bigint,
  url text,
  url_expires_at bigint,
  started_at bigint not null,
  completed_at bigint,
  created_at bigint not null,
  primary key (customer_id, id),
  unique (customer_id, session_id, carrier_recording_id)
);
create table webhooks (
  id text not null,
  customer_id text not null,
  url text not null,
  event_types text not null,
  status text not null,
  disabled_reason text,
  secret text not null,
  previous_secret text,
  previous_secret_until bigint,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (customer_id, id)
);
create table events (
  id text not null,
  customer_id text not null,
  call_id text not null,
  event_type text not null,
  created_at bigint not null,
  body text not null,
  primary key (customer_id, id)
);
create table deliveries (
  id text not null,
  customer_id text not null,
  webhook_id text not null,
  event_id text not null,
  event_type text not null,
  call_id text not null,
  status text not null,
  attempts integer not null,
  response_status integer,
  last_error text,
  next_attempt_at bigint,
  delivered_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (customer_id, id)
);
create index deliveries_due on deliveries (customer_id, webhook_id, next_attempt_at, id)
  where next_attempt_at is not null;
create index deliveries_lane on deliveries (customer_id, webhook_id, call_id, id) where status = 'pending';
create index deliveries_list on deliveries (customer_id, webhook_id, id, status);
create table do_not_call (
  customer_id text not null,
  number text not null,
  created_at bigint not null,
  primary key (customer_id, number)
);
create index do_not_call_list on do_not_call (customer_id, created_at, number);
insert into outdial_migrations (migration_id, created_at, name)
  values (1, '2026-01-05 09:00:00', 'initial');
insert into workspaces (id, name, max_concurrency, calls_per_second, allowed_countries, allow_costly_destinations, created_at, updated_at)
  values ('ws_a', 'Åre 🎿', 10, 5, '["FR","IN"]', 0, 1790000000000, 1790000000000);
insert into calls (call_id, customer_id, agent_id, status, phase, due_at, version, outcome, sub_status, error_code, error_message, to_number, from_number, from_phone_number_id, scheduled_for, attempt_count, attempt_id, session_id, redial, cancel_requested, price_per_minute, credits_held, created_at, updated_at, completed_at, idempotency_key, campaign_id, recipient_id, callee_name, custom_variables, call_config, smart_formatter, metadata)
  values ('call_000001', 'ws_a', 'agent_1', 'queued', 'waiting', 1790000000050, 0, null, null, null, null, '+14155550123', '+14155550100', 'pn_1', null, 0, null, null, 0, 0, 1, 1, 1790000000001, 1790000000001, null, null, null, null, null, null, '{ "max_call_length":1.0}', null, null);
insert into calls (call_id, customer_id, agent_id, status, phase, due_at, version, outcome, sub_status, error_code, error_message, to_number, from_number, from_phone_number_id, scheduled_for, attempt_count, attempt_id, session_id, redial, cancel_requested, price_per_minute, credits_held, created_at, updated_at, completed_at, idempotency_key, campaign_id, recipient_id, callee_name, custom_variables, call_config, smart_formatter, metadata)
  values ('call_000002', 'ws_a', 'agent_1', 'in_progress', 'live', 1790000000060, 4, null, null, null, null, '+14155550123', '+14155550100', 'pn_1', null, 0, null, null, 0, 0, 1, 1, 1790000000002, 1790000000002, null, null, null, null, null, null, null, null, null);
insert into calls (call_id, customer_id, agent_id, status, phase, due_at, version, outcome, sub_status, error_code, error_message, to_number, from_number, from_phone_number_id, scheduled_for, attempt_count, attempt_id, session_id, redial, cancel_requested, price_per_minute, credits_held, created_at, updated_at, completed_at, idempotency_key, campaign_id, recipient_id, callee_name, custom_variables, call_config, smart_formatter, metadata)
  values ('call_000003', 'ws_a', 'agent_1', 'failed', 'done', null, 0, null, null, 'x', 'y', '+14155550123', '+14155550100', 'pn_1', null, 0, null, null, 0, 0, 1, 1, 1790000000003, 1790000000003, null, null, null, null, null, null, null, null, null);
insert into calls (call_id, customer_id, agent_id, status, phase, due_at, version, outcome, sub_status, error_code, error_message, to_number, from_number, from_phone_number_id, scheduled_for, attempt_count, attempt_id, session_id, redial, cancel_requested, price_per_minute, credits_held, created_at, updated_at, completed_at, idempotency_key, campaign_id, recipient_id, callee_name, custom_variables, call_config, smart_formatter, metadata)
  values ('call_000004', 'ws_a', 'agent_1', 'queued', 'waiting', 1790000000040, 0, null, null, null, null, '+14155550123', '+14155550100', 'pn_1', null, 0, null, null, 0, 0, 1, 1, 1790000000004, 1790000000004, null, null, 'camp_1', 'rcpt_1', null, null, null, null, null);
insert into attempts (id, customer_id, call_id, campaign_id, recipient_id, session_id, channel, attempt_number, status, scheduled_for, started_at, answered_at, completed_at, provider_message_id, carrier_call_id, error_code, error_message, from_number, outcome, sub_status, duration_seconds, credits, created_at, updated_at)
  values ('att_000001', 'ws_a', 'call_000003', null, null, 'sess_000001', 'voice', 1, 'failed', 1790000000000, 1790000000001, null, null, null, null, null, null, '+14155550100', null, null, 0, 0, 1790000000001, 1790000000001);
insert into attempts (id, customer_id, call_id, campaign_id, recipient_id, session_id, channel, attempt_number, status, scheduled_for, started_at, answered_at, completed_at, provider_message_id, carrier_call_id, error_code, error_message, from_number, outcome, sub_status, duration_seconds, credits, created_at, updated_at)
  values ('att_000002', 'ws_a', 'call_000002', null, null, 'sess_000002', 'voice', 2, 'in_progress', 1790000000000, 1790000000002, null, null, null, null, null, null, '+14155550100', null, null, 0, 0, 1790000000002, 1790000000002);
insert into attempts (id, customer_id, call_id, campaign_id, recipient_id, session_id, channel, attempt_number, status, scheduled_for, started_at, answered_at, completed_at, provider_message_id, carrier_call_id, error_code, error_message, from_number, outcome, sub_status, duration_seconds, credits, created_at, updated_at)
  values ('att_000003', 'ws_a', 'call_000004', 'camp_1', 'rcpt_1', 'sess_000003', 'voice', 3, 'failed', 1790000000000, 1790000000003, null, null, null, null, null, null, '+14155550100', null, null, 0, 0, 1790000000003, 1790000000003);
