import { Effect } from "effect"
import type { Session, SessionTotals } from "../../core/model/conversations/Session.ts"
import { platformWide } from "../../core/ports/Repository.ts"
import type { InboxEntry, KeptSession, SessionRows, Slice } from "../../core/ports/SessionRows.ts"
import type { Database } from "./Database.ts"
import { asIs, assign, changes, column, insertInto, pick, reader, write } from "./Statements.ts"

const fixed = [
  "session_id",
  "customer_id",
  "kind",
  "call_id",
  "attempt_id",
  "agent_id",
  "agent_version",
  "started_at",
  "variables",
  "credits"
] as const
const plain = [
  "status",
  "reason",
  "error_code",
  "connected_at",
  "ended_at",
  "model",
  "review_status",
  "review_due_at",
  "review_failures",
  "version"
] as const
const mutable = [...plain, "totals", "review", "settings"]
const columns = [...fixed, ...mutable]

const totalNames = [
  "turns",
  "interruptions",
  "tool_calls",
  "first_token_ms",
  "first_sound_ms",
  "input_tokens",
  "output_tokens"
] as const satisfies ReadonlyArray<keyof SessionTotals>

interface SessionRow extends Omit<Session, "settings" | "review" | keyof SessionTotals> {
  readonly settings: string
  readonly review: string | null
  readonly totals: string
}

const mutableOf = (session: Session) => [
  ...pick(session, plain),
  JSON.stringify(Object.fromEntries(totalNames.map((name) => [name, session[name]]))),
  session.review === null ? null : JSON.stringify(session.review),
  JSON.stringify(session.settings)
]

const fromRow = ({ review, settings, totals, ...row }: SessionRow): Session => ({
  ...row,
  ...(JSON.parse(totals) as SessionTotals),
  review: review === null ? null : (JSON.parse(review) as Session["review"]),
  settings: JSON.parse(settings) as Session["settings"]
})

const own = "customer_id = ? and session_id = ?"

const sql = {
  insert: `${insertInto("sessions", columns)} on conflict (customer_id, session_id) do nothing`,
  get: `select ${columns.join(", ")} from sessions where ${own}`,
  update: `update sessions set ${assign(mutable)} where ${own} and version = ?`,
  lookAt: `update sessions set review_due_at = ? where ${own} and status <> 'over' and review_due_at > ?`,
  charge: `update sessions set credits = credits + ? where ${own}`,
  append:
    `${insertInto("session_slices", ["customer_id", "session_id", "number", "body"])} ` +
    "on conflict (customer_id, session_id, number) do nothing",
  slices: `select number, body from session_slices where ${own} and number > ? order by number limit ?`,
  post: insertInto("session_inbox", ["customer_id", "session_id", "id", "body"]),
  posted: `select id, body from session_inbox where ${own} and id > ? order by id`,
  reviewable:
    `select ${columns.join(", ")} from sessions where customer_id = ? and review_due_at <= ? ` +
    "order by review_due_at limit ?",
  nextReview:
    "select review_due_at from sessions where customer_id = ? and review_due_at is not null " +
    "order by review_due_at limit 1",
  forget:
    "update sessions set review = null, review_status = 'none', review_due_at = null, variables = null, erased = 1, " +
    `version = version + 1 where ${own}`,
  kept:
    "select ended_at, customer_id, session_id from sessions where erased = 0 and ended_at is not null " +
    "and ended_at <= ? and (ended_at, customer_id, session_id) > (?, ?, ?) " +
    "order by ended_at, customer_id, session_id limit ?",
  keptOf:
    "select ended_at, customer_id, session_id from sessions where customer_id = ? and erased = 0 " +
    "and ended_at is not null and ended_at <= ? and (ended_at, session_id) > (?, ?) " +
    "order by ended_at, session_id limit ?",
  eraseSlices: `delete from session_slices where ${own}`,
  eraseInbox: `delete from session_inbox where ${own}`
}

export const sessions = (database: Database["Type"]): SessionRows => {
  const read = reader(database, fromRow)
  return {
    insert: (session) =>
      changes(database, session.customer_id, sql.insert, [...pick(session, fixed), ...mutableOf(session)]),
    get: (workspace_id, session_id) => read.one(workspace_id, sql.get, session_id),
    update: (session) =>
      changes(database, session.customer_id, sql.update, [
        ...mutableOf(session),
        session.customer_id,
        session.session_id,
        session.version - 1
      ]),
    lookAt: (workspace_id, session_id, at) =>
      write(database, workspace_id, sql.lookAt, [at, workspace_id, session_id, at]),
    charge: (workspace_id, session_id, amount) =>
      write(database, workspace_id, sql.charge, [amount, workspace_id, session_id]),
    // The unit of a busy workspace may keep another waiting for seconds; a slice depends on no other row.
    append: (workspace_id, session_id, { body, number }) =>
      Effect.map(
        database.alone(workspace_id, sql.append, [workspace_id, session_id, number, body]),
        (changed) => changed === 1
      ),
    slices: (workspace_id, session_id, after, limit) =>
      reader(database, asIs<Slice>).all(workspace_id, sql.slices, session_id, after, limit),
    post: (workspace_id, session_id, { body, id }) =>
      write(database, workspace_id, sql.post, [workspace_id, session_id, id, body]),
    posted: (workspace_id, session_id, after) =>
      reader(database, asIs<InboxEntry>).all(workspace_id, sql.posted, session_id, after),
    reviewable: (workspace_id, now, limit) => read.all(workspace_id, sql.reviewable, now, limit),
    nextReview: (workspace_id) => column<number>(database, "review_due_at")(workspace_id, sql.nextReview),
    erase: (workspace_id, session_id) =>
      database.unit(
        workspace_id,
        Effect.forEach(
          [sql.forget, sql.eraseSlices, sql.eraseInbox],
          (text) => write(database, workspace_id, text, [workspace_id, session_id]),
          { discard: true }
        )
      ),
    kept: (until, after, limit) =>
      database.all<KeptSession>(platformWide, sql.kept, [
        until,
        after?.ended_at ?? -1,
        after?.customer_id ?? "",
        after?.session_id ?? "",
        limit
      ]),
    keptOf: (workspace_id, until, after, limit) =>
      reader(database, asIs<KeptSession>).all(
        workspace_id,
        sql.keptOf,
        until,
        after?.ended_at ?? -1,
        after?.session_id ?? "",
        limit
      )
  }
}
