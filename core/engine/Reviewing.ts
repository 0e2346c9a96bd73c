import { Clock, Effect, Option } from "effect"
import { render, variablesOf } from "../model/agents/Prompt.ts"
import type { Attempt } from "../model/calls/Attempt.ts"
import type { Call } from "../model/calls/Call.ts"
import { reviewValues } from "../model/campaigns/RecipientValues.ts"
import { minute, second } from "../model/Codecs.ts"
import type { CallReviewed, Review } from "../model/conversations/Review.ts"
import type { Session } from "../model/conversations/Session.ts"
import { transcriptOf } from "../model/conversations/Transcript.ts"
import { RawJson } from "../model/json/RawJson.ts"
import { CallReviewer } from "../ports/CallReviewer.ts"
import { ModelBusy, type ModelFailure, ModelUnusable } from "../ports/ModelFailure.ts"
import { Prices } from "../ports/Prices.ts"
import { Repository } from "../ports/Repository.ts"
import { makeAbandonedSessions } from "./AbandonedSessions.ts"
import { faultOf } from "./Faults.ts"
import * as Metrics from "./Metrics.ts"
import { makeOutbox, type News, ofCall } from "./Outbox.ts"
import type { Fork, Round } from "./Round.ts"
import { makeSessionReading } from "./SessionReading.ts"
import { makeTalkCharges } from "./TalkCharges.ts"

/** Reviews of a workspace that are under way at one time. */
const together = 16
/** How long a process has for a review before another may begin it again. */
const lease = 5 * minute
/** The same for closing a session, for which no model is asked. */
const closingLease = 20 * second
/** The pauses after the first to the fourth try. The fifth is the last. */
const pauses = [30 * second, 2 * minute, 10 * minute, 30 * minute]
/** How long the carrier's end of the call is awaited, so that it is told before the review. */
const endWithin = 30 * second
const lookForEnd = 2 * second

/** The call that was talked on. */
interface Talked {
  readonly session: Session
  readonly call: Call
  readonly attempt: Attempt
}

const answersOf = ({ answers, qualification_status, sentiment }: Review): RawJson =>
  RawJson(JSON.stringify({ answers, qualification_status, sentiment }))

const eventOf = ({ agent_version, session_id }: Session, review: Review): CallReviewed => ({
  session_id,
  agent_version,
  ...review
})

/** The reviewing part of a workspace's due-work loop: reads what was said in calls that are over. */
export const makeReviewing = Effect.gen(function* () {
  const repository = yield* Repository
  const reviewer = yield* CallReviewer
  const prices = yield* Prices
  const outbox = yield* makeOutbox
  const charges = yield* makeTalkCharges
  const { agentOf, standing } = yield* makeSessionReading
  const closeAbandoned = yield* makeAbandonedSessions

  /** Answers the session as it is then; none when another process was faster. */
  const update = (session: Session, change: Partial<Session>) => {
    const changed: Session = { ...session, ...change, version: session.version + 1 }
    return Effect.map(repository.sessions.update(changed), (did) =>
      did ? Option.some(changed) : Option.none()
    )
  }

  /** What is asked of the reviewer; none where the agent is not there any more. */
  const requestOf = Effect.fnUntraced(function* ({ call, session }: Talked) {
    const agent = Option.getOrNull(
      yield* agentOf(session.customer_id, session.agent_id, session.agent_version)
    )
    if (agent === null) return yield* new ModelUnusable({ message: "the agent is not there any more" })
    const { language, name, prompt, review: policy } = agent
    return {
      session_id: session.session_id,
      agent: { name, language, prompt: render(prompt, variablesOf(call.custom_variables)) },
      policy,
      transcript: transcriptOf((yield* standing(session)).state)
    }
  })

  const canPay = (workspace_id: string) =>
    prices.review === 0
      ? Effect.succeed(true)
      : Effect.map(repository.credits.balance(workspace_id), (balance) => balance >= prices.review)

  /** Of a recipient who was called again the last call counts. */
  const keepAnswers = Effect.fnUntraced(function* ({ call, session }: Talked, review: Review, now: number) {
    const { campaign_id, customer_id, recipient_id } = call
    if (campaign_id === null || recipient_id === null) return
    const found = Option.getOrNull(yield* repository.recipients.get(customer_id, campaign_id, recipient_id))
    if (found === null) return
    if (found.review !== null && call.session_id !== session.session_id) return
    const kept = answersOf(review)
    yield* repository.recipients.update({ ...found, review: kept, updated_at: now })
    yield* repository.recipients.index(found, "review", reviewValues(kept))
  })

  const noCredits = new ModelUnusable({ message: "insufficient credits" })

  /**
   * Stores the review with its price, the recipient's answers and the event. Answers false, and stores nothing, when
   * the session has changed.
   */
  const store = (talked: Talked, review: Review) =>
    repository.transaction(
      talked.session.customer_id,
      Effect.gen(function* () {
        const { attempt, call, session } = talked
        if (!(yield* canPay(session.customer_id))) return yield* noCredits
        const done = { review, review_status: "done", review_due_at: null, review_failures: 0 } as const
        if (Option.isNone(yield* update(session, done))) return false
        const now = yield* Clock.currentTimeMillis
        yield* charges.charge(session, "review", prices.review)
        yield* keepAnswers(talked, review, now)
        const data = () => JSON.stringify(eventOf(session, review))
        const news: News = { type: "call_reviewed", of: ofCall(call, attempt), data }
        yield* outbox.tell(session.customer_id, [news], now)
        return true
      })
    )

  const review = Effect.fnUntraced(function* (talked: Talked) {
    if (!(yield* canPay(talked.session.customer_id))) return yield* noCredits
    const asked = yield* requestOf(talked)
    const answered = yield* reviewer
      .review(asked)
      .pipe(
        Effect.catchAllDefect((defect) =>
          Effect.zipRight(
            Effect.logError("a reviewer failed", faultOf(defect)),
            new ModelUnusable({ message: "the reviewer failed" })
          )
        )
      )
    if (yield* store(talked, answered.review)) yield* Metrics.count(Metrics.reviews.done)
  })

  /** A review that could not be made is made again, later each time; after the last try it has failed. */
  const failed = Effect.fnUntraced(function* (session: Session, failure: ModelFailure) {
    const review_failures = session.review_failures + 1
    const pause = pauses[review_failures - 1]
    yield* Effect.logWarning("a call could not be reviewed").pipe(
      Effect.annotateLogs({ reason: failure._tag, tries: review_failures })
    )
    if (pause === undefined) {
      yield* Metrics.count(Metrics.reviews.failed)
      return yield* update(session, { review_failures, review_status: "failed", review_due_at: null })
    }
    yield* Metrics.count(Metrics.reviews.retried)
    const wait = failure instanceof ModelBusy ? Math.max(pause, failure.retry_after * second) : pause
    const now = yield* Clock.currentTimeMillis
    return yield* update(session, { review_failures, review_due_at: now + wait })
  })

  /** The call of a session; none when there is none. */
  const callOf = Effect.fnUntraced(function* (session: Session) {
    const { attempt_id, call_id, customer_id } = session
    if (attempt_id === null || call_id === null) return null
    const attempt = Option.getOrNull(yield* repository.attempts.get(customer_id, attempt_id))
    const call = Option.getOrNull(yield* repository.calls.get(customer_id, call_id))
    return attempt === null || call === null ? null : ({ session, call, attempt } satisfies Talked)
  })

  const takeUp = Effect.fnUntraced(
    function* (session: Session) {
      if (session.status !== "over") return yield* closeAbandoned(session)
      const talked = yield* callOf(session)
      if (talked === null) return yield* update(session, { review_status: "failed", review_due_at: null })
      const now = yield* Clock.currentTimeMillis
      const isUnderWay = talked.attempt.status === "in_progress"
      if (isUnderWay && now < (session.ended_at ?? now) + endWithin) {
        return yield* update(session, { review_due_at: now + lookForEnd })
      }
      return yield* Effect.catchAll(review(talked), (failure) => failed(session, failure))
    },
    (work, { session_id }) => Effect.annotateLogs(work, { session_id })
  )

  /**
   * Takes up what is due: calls to be reviewed, and sessions that count as abandoned. `busy` are those that this
   * loop has in hand.
   */
  const reviewDue = Effect.fnUntraced(function* (workspace_id: string, busy: Set<string>, fork: Fork) {
    const now = yield* Clock.currentTimeMillis
    const next = yield* repository.sessions.nextReview(workspace_id)
    if (Option.isNone(next) || next.value > now) return { again: false, due: next } satisfies Round
    const free = together - busy.size
    // The end of one that is in hand wakes the loop.
    if (free <= 0) return { again: false, due: Option.none() } satisfies Round
    const due = yield* repository.sessions.reviewable(workspace_id, now, together)
    const fresh = due.filter(({ session_id }) => !busy.has(session_id)).slice(0, free)
    for (const session of fresh) {
      const until = now + (session.status === "over" ? lease : closingLease)
      const claimed = yield* update(session, { review_due_at: until })
      if (Option.isNone(claimed)) continue
      busy.add(session.session_id)
      yield* fork(takeUp(claimed.value), () => busy.delete(session.session_id))
    }
    return { again: fresh.length > 0, due: Option.none() } satisfies Round
  })

  return { reviewDue }
})
