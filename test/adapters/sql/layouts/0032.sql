-- The layout of version 32, with rows. Written out once: it does not change with the code.
CREATE TABLE "outdial_migrations" (
  migration_id integer PRIMARY KEY NOT NULL,
  created_at datetime NOT NULL DEFAULT current_timestamp,
  name VARCHAR(255) NOT NULL
, oldest_reader integer);
CREATE TABLE workspaces (
  id text primary key not null,
  name text not null,
  max_concurrency integer not null,
  calls_per_second integer not null,
  allowed_countries text not null,
  allow_costly_destinations integer not null,
  created_at bigint not null,
  updated_at bigint not null
, indexed_metadata_keys text not null default '[]', recording_retention_days integer, transcript_retention_days integer, call_retention_days integer);
CREATE TABLE api_keys (
  id text primary key not null,
  customer_id text not null,
  name text not null,
  scopes text not null,
  digest text not null,
  created_at bigint not null,
  revoked_at bigint
, expires_at bigint, last_used_at bigint);
CREATE INDEX api_keys_list on api_keys (customer_id, id);
CREATE TABLE balances (
  customer_id text primary key not null,
  amount bigint not null check (amount >= 0)
);
CREATE TABLE ledger (
  id text not null,
  customer_id text not null,
  kind text not null,
  amount bigint not null,
  reference text,
  created_at bigint not null,
  primary key (customer_id, id)
);
CREATE INDEX ledger_reference on ledger (customer_id, reference, id) where reference is not null;
CREATE TABLE phone_numbers (
  id text not null,
  customer_id text not null,
  number text not null,
  label text,
  created_at bigint not null,
  primary key (customer_id, id),
  unique (customer_id, number)
);
CREATE TABLE agents (
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
  prompt text not null, talk text, version integer, unpublished_changes integer not null default 0,
  primary key (customer_id, id)
);
CREATE TABLE calls (
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
  metadata text, error_details text, agent_version integer, duration_seconds integer not null default 0, credits bigint not null default 0, channel text not null default 'voice', transitions text,
  primary key (customer_id, call_id)
);
CREATE UNIQUE INDEX calls_key on calls (customer_id, idempotency_key) where idempotency_key is not null;
CREATE TABLE attempts (
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
  carrier_call_id text,
  error_code text,
  error_message text,
  from_number text not null,
  outcome text,
  sub_status text,
  duration_seconds double precision not null,
  credits bigint not null,
  created_at bigint not null,
  updated_at bigint not null, dial_number bigint, agent_version integer,
  primary key (customer_id, id)
);
CREATE INDEX attempts_call on attempts (customer_id, call_id, attempt_number, id);
CREATE TABLE recordings (
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
CREATE TABLE webhooks (
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
CREATE TABLE events (
  id text not null,
  customer_id text not null,
  call_id text not null,
  event_type text not null,
  created_at bigint not null,
  body text not null,
  primary key (customer_id, id)
);
CREATE TABLE deliveries (
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
  updated_at bigint not null, response_body text,
  primary key (customer_id, id)
);
CREATE INDEX deliveries_due on deliveries (customer_id, webhook_id, next_attempt_at, id)
  where next_attempt_at is not null;
CREATE INDEX deliveries_lane on deliveries (customer_id, webhook_id, call_id, id) where status = 'pending';
CREATE INDEX deliveries_list on deliveries (customer_id, webhook_id, id, status);
CREATE TABLE do_not_call (
  customer_id text not null,
  number text not null,
  created_at bigint not null,
  primary key (customer_id, number)
);
CREATE INDEX do_not_call_list on do_not_call (customer_id, created_at, number);
CREATE TABLE campaigns (
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
  metadata text, template text, failure_breaker text, recipient_timezone text, skip_public_holidays integer not null default 0,
  primary key (customer_id, id)
);
CREATE INDEX campaigns_list on campaigns (customer_id, created_at, id);
CREATE INDEX campaigns_status on campaigns (customer_id, status, created_at, id);
CREATE INDEX campaigns_agent on campaigns (customer_id, agent_id, created_at, id);
CREATE TABLE tallies (
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
  recent text not null, dials bigint not null default 0, failures_in_a_row bigint,
  primary key (customer_id, campaign_id)
);
CREATE INDEX tallies_due on tallies (customer_id, work, due_at, campaign_id) where due_at is not null;
CREATE TABLE campaign_outcomes (
  customer_id text not null,
  campaign_id text not null,
  minute bigint not null,
  outcome text not null,
  ended bigint not null,
  primary key (customer_id, campaign_id, minute, outcome)
);
CREATE TABLE recipient_lists (
  customer_id text not null,
  campaign_id text not null,
  list bigint not null unique,
  primary key (customer_id, campaign_id)
);
CREATE TABLE recipients (
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
  variables text not null, last_customer_message_at integer, review text, last_customer_message text,
  primary key (list, id),
  unique (list, phone_number)
);
CREATE INDEX recipients_status on recipients (list, status, id);
CREATE INDEX recipients_pending on recipients (list, queue, id) where status = 'pending';
CREATE TABLE imports (
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
  errors text not null, due_at bigint,
  primary key (customer_id, campaign_id, id)
);
CREATE INDEX calls_waiting on calls (customer_id, campaign_id, due_at, call_id)
  where phase = 'waiting' and due_at is not null;
CREATE INDEX attempts_started on attempts (customer_id, started_at, campaign_id) where started_at is not null;
CREATE INDEX attempts_recipient on attempts (customer_id, recipient_id, id) where recipient_id is not null;
CREATE TABLE suites (
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
);
CREATE INDEX suites_agent on suites (customer_id, agent_id, id);
CREATE TABLE runs (
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
);
CREATE INDEX runs_suite on runs (customer_id, suite_id, id);
CREATE INDEX runs_agent on runs (customer_id, agent_id, id);
CREATE INDEX runs_status on runs (customer_id, status, id);
CREATE INDEX runs_deadline on runs (customer_id, deadline_at, id) where status in ('queued', 'running');
CREATE TABLE run_subjects (
  customer_id text not null,
  run_id text not null,
  judges text not null,
  agent text not null,
  primary key (customer_id, run_id)
);
CREATE TABLE plays (
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
);
CREATE INDEX plays_run on plays (customer_id, run_id, position);
CREATE INDEX plays_due on plays (customer_id, due_at, id) where open = 1;
CREATE TABLE play_scenarios (
  customer_id text not null,
  id text not null,
  scenario text not null,
  primary key (customer_id, id)
);
CREATE TABLE holds (
  id text not null,
  customer_id text not null,
  amount bigint not null,
  expires_at bigint not null,
  primary key (customer_id, id)
);
CREATE INDEX holds_expiry on holds (customer_id, expires_at, id);
CREATE TABLE templates (
  id text not null,
  customer_id text not null,
  name text not null,
  language text not null,
  category text not null,
  parameter_format text not null,
  created_at bigint not null,
  provider_template_id text,
  status text not null,
  rejection_reason text,
  updated_at bigint not null,
  components text not null,
  primary key (customer_id, id),
  unique (customer_id, name, language)
);
CREATE INDEX templates_name on templates (customer_id, name, id);
CREATE INDEX templates_status on templates (customer_id, status, id);
CREATE INDEX templates_language on templates (customer_id, language, id);
CREATE INDEX templates_category on templates (customer_id, category, id);
CREATE INDEX recordings_kept on recordings (created_at, customer_id, id) where status = 'completed';
CREATE TABLE secrets (
  name text primary key not null,
  value text not null
);
CREATE INDEX campaigns_sender on campaigns (customer_id, from_phone_number_id, id) where channel = 'msg';
CREATE INDEX phone_numbers_holders on phone_numbers (number);
CREATE TABLE rate_limits (
  customer_id text not null,
  what text not null,
  spent bigint not null,
  spent_at bigint not null,
  primary key (customer_id, what)
);
CREATE INDEX rate_limits_spent on rate_limits (spent_at);
CREATE TABLE import_errors (
  customer_id text not null,
  campaign_id text not null,
  import_id text not null,
  first_row integer not null,
  errors text not null,
  primary key (customer_id, campaign_id, import_id, first_row)
);
CREATE TABLE agent_versions (
    customer_id text not null,
    agent_id text not null,
    version integer not null,
    published_at bigint not null,
    body text not null,
    primary key (customer_id, agent_id, version)
  );
CREATE TABLE sessions (
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
    version bigint not null, erased integer not null default 0,
    primary key (customer_id, session_id)
  );
CREATE INDEX sessions_reviews on sessions (customer_id, review_due_at) where review_due_at is not null;
CREATE TABLE session_slices (
    customer_id text not null,
    session_id text not null,
    number integer not null,
    body text not null,
    primary key (customer_id, session_id, number)
  );
CREATE TABLE session_inbox (
    customer_id text not null,
    session_id text not null,
    id text not null,
    body text not null,
    primary key (customer_id, session_id, id)
  );
CREATE INDEX calls_by_time on calls (customer_id, created_at, call_id, channel);
CREATE INDEX calls_by_status on calls (customer_id, status, created_at, call_id, channel);
CREATE INDEX calls_by_agent on calls (customer_id, agent_id, created_at, call_id, channel);
CREATE INDEX calls_by_campaign on calls (customer_id, campaign_id, created_at, call_id, channel)
    where campaign_id is not null;
CREATE INDEX calls_under_way on calls (customer_id, due_at, call_id, channel)
    where phase = 'live' and due_at is not null;
CREATE INDEX sessions_kept on sessions (ended_at, customer_id, session_id)
    where erased = 0 and ended_at is not null;
CREATE TABLE usage_hours (
    customer_id text not null,
    hour bigint not null,
    primary key (customer_id, hour)
  );
CREATE TABLE usage_counts (
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
  );
CREATE TABLE call_batches (
    id text not null,
    customer_id text not null,
    total integer not null,
    scheduled_for bigint,
    idempotency_key text,
    digest text,
    created_at bigint not null,
    cancelled_at bigint,
    primary key (customer_id, id),
    unique (customer_id, idempotency_key)
  );
CREATE TABLE call_batch_parts (
    customer_id text not null,
    batch_id text not null,
    part integer not null,
    items text not null,
    primary key (customer_id, batch_id, part)
  );
CREATE TABLE audit_log (
    id text not null,
    customer_id text not null,
    actor_kind text not null,
    actor text not null,
    operation text not null,
    object_id text,
    created_at bigint not null,
    primary key (customer_id, id)
  );
CREATE INDEX audit_log_actor on audit_log (customer_id, actor, id);
CREATE INDEX audit_log_operation on audit_log (customer_id, operation, id);
CREATE INDEX audit_log_object on audit_log (customer_id, object_id, id);
CREATE TABLE answers (
    customer_id text not null,
    key text not null,
    digest text not null,
    created_at bigint not null,
    status integer,
    body text,
    primary key (customer_id, key)
  );
CREATE INDEX answers_age on answers (customer_id, created_at);
CREATE INDEX calls_by_outcome on calls (customer_id, outcome, created_at, call_id, channel)
    where outcome is not null;
CREATE INDEX calls_by_sender on calls (customer_id, from_phone_number_id, created_at, call_id, channel);
CREATE INDEX calls_by_last_digits on calls
    (customer_id, substr(to_number, length(to_number) - 3), created_at, call_id, channel, to_number);
CREATE TABLE call_metadata (
    customer_id text not null,
    name text not null,
    value text not null,
    created_at bigint not null,
    call_id text not null,
    primary key (customer_id, name, value, created_at, call_id)
  );
CREATE INDEX call_metadata_calls on call_metadata (customer_id, call_id, name, value);
CREATE INDEX attempts_by_time on attempts (customer_id, campaign_id, created_at, id, channel)
    where campaign_id is not null;
CREATE INDEX attempts_by_status on attempts (customer_id, campaign_id, status, created_at, id, channel)
    where campaign_id is not null;
CREATE INDEX attempts_by_outcome on attempts (customer_id, campaign_id, outcome, created_at, id, channel)
    where campaign_id is not null and outcome is not null;
CREATE INDEX deliveries_by_call on deliveries (customer_id, call_id, id);
CREATE INDEX recordings_by_age on recordings (customer_id, created_at, id) where status = 'completed';
CREATE INDEX sessions_by_end on sessions (customer_id, ended_at, session_id)
    where erased = 0 and ended_at is not null;
CREATE INDEX calls_unrecorded on calls (customer_id, due_at, call_id)
    where phase = 'done' and due_at is not null;
CREATE TABLE recipient_values (
    list bigint not null,
    name text not null,
    value text not null,
    id text not null,
    primary key (list, name, value, id)
  );
CREATE INDEX recipient_values_of on recipient_values (list, id, name, value);
CREATE INDEX imports_open on imports (due_at) where completed_at is null and due_at is not null;
CREATE TABLE list_changes (
    customer_id text not null,
    list text not null,
    noted bigint not null,
    primary key (customer_id, list)
  );
CREATE INDEX recipients_by_last_digits on recipients (list, (phone_number % 10000), id, phone_number);
CREATE INDEX ledger_by_kind on ledger (customer_id, kind, id) where kind not in ('hold', 'settle', 'release');
CREATE INDEX deliveries_dead on deliveries (customer_id, webhook_id, id) where status = 'dead';
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (1, '2026-01-05 09:00:00', 'initial', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (2, '2026-01-05 09:00:00', 'campaigns', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (3, '2026-01-05 09:00:00', 'suites', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (4, '2026-01-05 09:00:00', 'templates', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (5, '2026-01-05 09:00:00', 'recordings', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (6, '2026-01-05 09:00:00', 'messaging', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (7, '2026-01-05 09:00:00', 'rate_limits', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (8, '2026-11-22 04:38:23', 'carrier_errors', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (9, '2026-11-22 04:52:47', 'failure_breaker', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (10, '2026-11-22 06:43:17', 'import_errors', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (11, '2026-11-22 07:16:32', 'conversations', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (12, '2026-11-22 08:00:18', 'channel', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (13, '2026-11-22 10:14:16', 'transcript_retention', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (14, '2026-11-22 10:39:25', 'workspace', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (15, '2026-11-22 10:50:00', 'transitions', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (16, '2026-11-22 10:57:56', 'written_channel', 12);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (17, '2026-11-22 11:04:35', 'delivery_bodies', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (18, '2026-11-22 11:13:32', 'messages_heard', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (19, '2026-11-22 11:19:21', 'usage', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (20, '2026-11-22 11:28:42', 'call_batches', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (21, '2026-11-22 11:35:27', 'audit_log', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (22, '2026-11-22 11:44:56', 'answers', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (23, '2026-11-22 13:26:25', 'finding', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (24, '2026-11-22 13:50:16', 'deliveries_of_call', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (25, '2026-11-22 14:01:09', 'retention', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (26, '2026-11-22 14:22:29', 'recordings_due', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (27, '2026-11-22 14:36:28', 'recipient_values', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (28, '2026-11-22 15:17:29', 'recipient_timezone', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (29, '2026-11-22 17:21:44', 'skip_public_holidays', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (30, '2026-11-22 17:47:37', 'open_imports', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (31, '2026-11-22 18:02:18', 'list_changes', null);
insert into outdial_migrations (migration_id, created_at, name, oldest_reader)
  values (32, '2026-11-22 20:37:50', 'list_indexes', null);
insert into workspaces (id, name, max_concurrency, calls_per_second, allowed_countries, allow_costly_destinations, created_at, updated_at, indexed_metadata_keys, recording_retention_days, transcript_retention_days, call_retention_days)
  values ('ws_a', 'Åre 🎿', 10, 5, '["FR","IN"]', 0, 1790000000000, 1790000000000, '[]', null, null, null);
insert into calls (call_id, customer_id, agent_id, status, phase, due_at, version, outcome, sub_status, error_code, error_message, to_number, from_number, from_phone_number_id, scheduled_for, attempt_count, attempt_id, session_id, redial, cancel_requested, price_per_minute, credits_held, created_at, updated_at, completed_at, idempotency_key, campaign_id, recipient_id, callee_name, custom_variables, call_config, smart_formatter, metadata, error_details, agent_version, duration_seconds, credits, channel, transitions)
  values ('call_000001', 'ws_a', 'agent_1', 'queued', 'waiting', 1790000000050, 0, null, null, null, null, '+14155550123', '+14155550100', 'pn_1', null, 0, null, null, 0, 0, 1, 1, 1790000000001, 1790000000001, null, null, null, null, null, null, '{ "max_call_length":1.0}', null, null, null, null, 0, 0, 'voice', null);
insert into calls (call_id, customer_id, agent_id, status, phase, due_at, version, outcome, sub_status, error_code, error_message, to_number, from_number, from_phone_number_id, scheduled_for, attempt_count, attempt_id, session_id, redial, cancel_requested, price_per_minute, credits_held, created_at, updated_at, completed_at, idempotency_key, campaign_id, recipient_id, callee_name, custom_variables, call_config, smart_formatter, metadata, error_details, agent_version, duration_seconds, credits, channel, transitions)
  values ('call_000002', 'ws_a', 'agent_1', 'in_progress', 'live', 1790000000060, 4, null, null, null, null, '+14155550123', '+14155550100', 'pn_1', null, 0, null, null, 0, 0, 1, 1, 1790000000002, 1790000000002, null, null, null, null, null, null, null, null, null, null, null, 0, 0, 'voice', null);
insert into calls (call_id, customer_id, agent_id, status, phase, due_at, version, outcome, sub_status, error_code, error_message, to_number, from_number, from_phone_number_id, scheduled_for, attempt_count, attempt_id, session_id, redial, cancel_requested, price_per_minute, credits_held, created_at, updated_at, completed_at, idempotency_key, campaign_id, recipient_id, callee_name, custom_variables, call_config, smart_formatter, metadata, error_details, agent_version, duration_seconds, credits, channel, transitions)
  values ('call_000003', 'ws_a', 'agent_1', 'failed', 'done', null, 0, null, null, 'x', 'y', '+14155550123', '+14155550100', 'pn_1', null, 0, null, null, 0, 0, 1, 1, 1790000000003, 1790000000003, null, null, null, null, null, null, null, null, null, null, null, 0, 0, 'voice', null);
insert into calls (call_id, customer_id, agent_id, status, phase, due_at, version, outcome, sub_status, error_code, error_message, to_number, from_number, from_phone_number_id, scheduled_for, attempt_count, attempt_id, session_id, redial, cancel_requested, price_per_minute, credits_held, created_at, updated_at, completed_at, idempotency_key, campaign_id, recipient_id, callee_name, custom_variables, call_config, smart_formatter, metadata, error_details, agent_version, duration_seconds, credits, channel, transitions)
  values ('call_000004', 'ws_a', 'agent_1', 'queued', 'waiting', 1790000000040, 0, null, null, null, null, '+14155550123', '+14155550100', 'pn_1', null, 0, null, null, 0, 0, 1, 1, 1790000000004, 1790000000004, null, null, 'camp_1', 'rcpt_1', null, null, null, null, null, null, null, 0, 0, 'voice', null);
insert into attempts (id, customer_id, call_id, campaign_id, recipient_id, session_id, channel, attempt_number, status, scheduled_for, started_at, answered_at, completed_at, carrier_call_id, error_code, error_message, from_number, outcome, sub_status, duration_seconds, credits, created_at, updated_at, dial_number, agent_version)
  values ('att_000001', 'ws_a', 'call_000003', null, null, 'sess_000001', 'voice', 1, 'failed', 1790000000000, 1790000000001, null, null, null, null, null, '+14155550100', null, null, 0, 0, 1790000000001, 1790000000001, null, null);
insert into attempts (id, customer_id, call_id, campaign_id, recipient_id, session_id, channel, attempt_number, status, scheduled_for, started_at, answered_at, completed_at, carrier_call_id, error_code, error_message, from_number, outcome, sub_status, duration_seconds, credits, created_at, updated_at, dial_number, agent_version)
  values ('att_000002', 'ws_a', 'call_000002', null, null, 'sess_000002', 'voice', 2, 'in_progress', 1790000000000, 1790000000002, null, null, null, null, null, '+14155550100', null, null, 0, 0, 1790000000002, 1790000000002, null, null);
insert into attempts (id, customer_id, call_id, campaign_id, recipient_id, session_id, channel, attempt_number, status, scheduled_for, started_at, answered_at, completed_at, carrier_call_id, error_code, error_message, from_number, outcome, sub_status, duration_seconds, credits, created_at, updated_at, dial_number, agent_version)
  values ('att_000003', 'ws_a', 'call_000004', 'camp_1', 'rcpt_1', 'sess_000003', 'voice', 3, 'failed', 1790000000000, 1790000000003, null, null, null, null, null, '+14155550100', null, null, 0, 0, 1790000000003, 1790000000003, null, null);
insert into recordings (id, customer_id, session_id, call_id, carrier_recording_id, status, track, channels, format, duration_seconds, size_bytes, url, url_expires_at, started_at, completed_at, created_at)
  values ('rec_000001', 'ws_a', 'sess_1', 'call_000001', 'RE000001', 'completed', 'mixed', 2, 'wav', 12.345, 3000000000, 'https://recordings.example/1.wav', null, 1790000000000, 1790000000001, 1790000000001);
insert into recordings (id, customer_id, session_id, call_id, carrier_recording_id, status, track, channels, format, duration_seconds, size_bytes, url, url_expires_at, started_at, completed_at, created_at)
  values ('rec_000002', 'ws_a', 'sess_1', 'call_000001', 'RE000002', 'failed', 'mixed', 2, 'wav', 12.345, 3000000000, 'https://recordings.example/1.wav', null, 1790000000000, 1790000000001, 1790000000002);
insert into campaigns (id, customer_id, name, agent_id, channel, status, status_reason, from_phone_number_id, max_concurrency, calls_per_minute, scheduled_for, started_at, completed_at, created_at, updated_at, call_config, metadata, template, failure_breaker, recipient_timezone, skip_public_holidays)
  values ('camp_000001', 'ws_a', 'Rappel d''été ☀️', 'agent_1', 'voice', 'running', null, 'pn_1', null, null, null, null, null, 1790000000001, 1790000000001, null, '{"a":1.0}', null, null, null, 0);
insert into tallies (customer_id, campaign_id, work, due_at, pending, in_progress, retry_scheduled, completed, failed, skipped, cancelled, attempts, answered, recent, dials, failures_in_a_row)
  values ('ws_a', 'camp_000001', 'tend', 1790000000000, 2, 0, 0, 0, 0, 0, 0, 0, 0, '', 0, null);
insert into suites (id, customer_id, agent_id, name, created_by_user_id, created_at, updated_at, config, scenarios)
  values ('suite_000001', 'ws_a', 'agent_1', 'Ada — generated (1)', 'key_000001', 1790000000001, 1790000000001, '{"judges":["task_completion","safety"],"variables":{"first_name":""}}', '[{"label":"In a hurry","instructions":"Interrupt. Give short answers.","runs":2,"max_turns":10}]');
