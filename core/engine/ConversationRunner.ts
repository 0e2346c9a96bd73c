import { Context, Effect, Fiber, FiberSet, Layer, Option, Schema, type Types } from "effect"
import { answersOf } from "../model/conversations/Conversation.ts"
import type { ConversationEvent } from "../model/conversations/ConversationMachine.ts"
import { second } from "../model/Codecs.ts"
import type { SessionNotFound } from "../model/conversations/SessionErrors.ts"
import { Dispatcher } from "../ports/Dispatcher.ts"
import { Ids } from "../ports/Ids.ts"
import { Repository } from "../ports/Repository.ts"
import type { SpeechLine } from "../ports/SpeechLine.ts"
import type * as Held from "./HeldConversation.ts"
import * as Metrics from "./Metrics.ts"
import { makeSessionEnding } from "./SessionEnding.ts"
import { makeSessionOpening, type SessionName } from "./SessionOpening.ts"
import { makeStart } from "./Starting.ts"
import { makeHolding } from "./StoredConversation.ts"
import { makeTimer } from "./Timer.ts"

export type { SessionName }

/** What a carrier has to do with a call whose line has ended, while the call is still under way. */
export type AfterLine =
  | { readonly _tag: "HangUp" }
  | { readonly _tag: "Transfer"; readonly to_number: string; readonly from_number: string }
  /** The conversation goes on over another line. `answers`: how many of the agent's answers were heard so far. */
  | { readonly _tag: "Connect"; readonly answers: number }

/** What reaches a conversation beside its line, at any process. */
export type OutsideEvent = Extract<
  ConversationEvent,
  { readonly _tag: "AnsweredBy" | "MessageEnded" | "HangUp" }
>

export interface ConversationRunnerShape {
  /**
   * Holds the conversation of a session over a line, until it is over or the line is closed. A session that was talked
   * on before goes on where it stood. Fails when no attempt under way, and no try of an agent, has this session.
   * When it ends by itself the line has been told to end.
   */
  readonly hold: (session: SessionName, line: SpeechLine) => Effect.Effect<void, SessionNotFound>
  /**
   * Tells the conversation, whichever process holds it: within a second, after its first 40 seconds within five. One
   * that is over ignores it.
   */
  readonly tell: (session: SessionName, event: OutsideEvent) => Effect.Effect<void>
  /**
   * What the carrier is to do when the line of a session has ended. `token` is that of the `End` which was carried out,
   * null for a line that ended otherwise.
   */
  readonly after: (session: SessionName, token: string | null) => Effect.Effect<AfterLine>
}

interface Here extends Pick<Held.Here, "tell"> {
  /** Completes once the conversation has left this line, and its journal is written. */
  readonly leave: Effect.Effect<void>
}

const decodeTransfer = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Struct({ transfer: Schema.String }))
)

const transferIn = (token: string): string | null =>
  Option.getOrNull(Option.map(decodeTransfer(token), ({ transfer }) => transfer))

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const dispatcher = yield* Dispatcher
  const ids = yield* Ids
  const { isUnderWay, open, standing } = yield* makeSessionOpening
  const { hold: holdOver } = yield* makeHolding
  const end = yield* makeSessionEnding
  /** The conversations that this process holds, each with the way to tell it and to take it away. */
  const here = new Map<string, Here>()

  /** Looks for what other processes were told: often while a voicemail may be found, now and then later. */
  const makeInbox = Effect.fnUntraced(function* ({ session_id, workspace_id }: SessionName) {
    const start = yield* makeStart
    const timer = yield* makeTimer
    return (tell: Here["tell"]) => {
      let read = ""
      let looks = 0
      const look = Effect.suspend(() => repository.sessions.posted(workspace_id, session_id, read)).pipe(
        Effect.catchAllCause(() => Effect.succeed([])),
        Effect.map((posted) => {
          for (const { body, id } of posted) {
            read = id
            tell(JSON.parse(body) as OutsideEvent)
          }
          timer(looks++ < 40 ? second : 5 * second, lookAgain)
        })
      )
      const lookAgain = () => start(look)
      lookAgain()
    }
  })

  const hold: ConversationRunnerShape["hold"] = Effect.fn("ConversationRunner.hold")(function* (name, line) {
    const key = `${name.workspace_id} ${name.session_id}`
    // The later of two lines wins: the conversation leaves the earlier one, and its journal is read after that.
    yield* here.get(key)?.leave ?? Effect.void
    const opened = yield* open(name, line.capabilities)
    const gone = Effect.unsafeMakeLatch(false)
    let mine: Here | null = null
    const held = yield* makeInbox(name).pipe(
      Effect.flatMap((readInbox) =>
        holdOver(opened, line, ({ stop, tell }) => {
          mine = { tell, leave: Effect.zipRight(Effect.sync(stop), gone.await) }
          here.set(key, mine)
          readInbox(tell)
        })
      ),
      Effect.scoped,
      Effect.ensuring(
        Effect.sync(() => {
          if (here.get(key) === mine) here.delete(key)
          gone.unsafeOpen()
        })
      ),
      Metrics.whileOpen
    )
    if (held.lost) return
    const over = yield* end(opened.session, held.state)
    if (over !== null && over.review_due_at !== null) yield* dispatcher.wake(name.workspace_id)
  })

  const tell: ConversationRunnerShape["tell"] = Effect.fn("ConversationRunner.tell")(function* (name, event) {
    const held = here.get(`${name.workspace_id} ${name.session_id}`)
    if (held !== undefined) return held.tell(event)
    const entry = { id: yield* ids.make("evt"), body: JSON.stringify(event) }
    yield* repository.sessions.post(name.workspace_id, name.session_id, entry)
  })

  const after: ConversationRunnerShape["after"] = Effect.fn("ConversationRunner.after")(
    function* (name, carriedOut) {
      const found = Option.getOrNull(yield* repository.sessions.get(name.workspace_id, name.session_id))
      // Of a session that was never stored its call tells: the process that had its first line died before.
      if (found === null) {
        const goesOn = (yield* isUnderWay(name)) && carriedOut === null
        return goesOn ? { _tag: "Connect", answers: 0 } : { _tag: "HangUp" }
      }
      // The process that told the line to end may yet have to store that.
      const { state } = yield* standing(found)
      const { closing } = state
      const token = closing?.token ?? carriedOut
      const to_number = token === null ? null : transferIn(token)
      if (to_number !== null && found.attempt_id !== null) {
        const attempt = Option.getOrNull(yield* repository.attempts.get(name.workspace_id, found.attempt_id))
        if (attempt !== null) return { _tag: "Transfer", to_number, from_number: attempt.from_number }
      }
      if (found.status === "over" || token !== null) return { _tag: "HangUp" }
      return { _tag: "Connect", answers: answersOf(state) }
    }
  )

  return { hold, tell, after } satisfies ConversationRunnerShape
})

/** Where `ConversationRunner.holding` puts what holds conversations; null while there is none. */
export class Holder extends Context.Tag("outdial/ConversationRunner/Holder")<
  Holder,
  Types.Mutable<{ current: ConversationRunnerShape | null; readonly ready: Effect.Latch }>
>() {}

/**
 * Holds conversations: one machine over a line and a model for each, written down as it goes.
 *
 * A carrier whose calls are talked on here is built before the store and the models. So `layer` comes first and needs
 * nothing, and `holding`, which needs them, is built last. A line waits until it is there.
 */
export class ConversationRunner extends Context.Tag("outdial/ConversationRunner")<
  ConversationRunner,
  ConversationRunnerShape
>() {
  static readonly layer: Layer.Layer<ConversationRunner | Holder> = Layer.effectContext(
    Effect.sync(() => {
      const holder: Context.Tag.Service<Holder> = { current: null, ready: Effect.unsafeMakeLatch(false) }
      const held = <A, E>(work: (by: ConversationRunnerShape) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
        Effect.flatMap(holder.ready.await, () =>
          holder.current === null ? held(work) : work(holder.current)
        )
      return Context.make(Holder, holder).pipe(
        Context.add(ConversationRunner, {
          hold: (session, line) => held((by) => by.hold(session, line)),
          tell: (session, event) => held((by) => by.tell(session, event)),
          after: (session, token) => held((by) => by.after(session, token))
        })
      )
    })
  )

  /** Holds them. When it is released, no conversation is held any more, so that the store may be closed. */
  static readonly holding = Layer.scopedDiscard(
    Effect.gen(function* () {
      const holder = yield* Holder
      const { after, hold, tell } = yield* make
      const underWay = yield* FiberSet.make<void, SessionNotFound>()
      const own: ConversationRunnerShape = {
        after,
        tell,
        hold: (session, line) =>
          Effect.flatMap(FiberSet.run(underWay, hold(session, line)), (fiber) =>
            Effect.onInterrupt(Fiber.join(fiber), () => Fiber.interrupt(fiber))
          )
      }
      yield* Effect.acquireRelease(
        Effect.suspend(() => {
          holder.current = own
          return holder.ready.open
        }),
        () =>
          Effect.suspend(() => {
            if (holder.current !== own) return Effect.void
            holder.current = null
            return holder.ready.close
          })
      )
    })
  )
}
