import { Effect, Option, Schedule } from "effect"
import type { ConversationRunnerShape, SessionName } from "../../core/engine/ConversationRunner.ts"
import { makeStart } from "../../core/engine/Starting.ts"
import type { LiveSocket } from "../shared/LiveSockets.ts"
import * as SpeechLine from "./SpeechLine.ts"

/** Closes a socket that talks for no session, or does not say so. Source: RFC 6455, 7.4.1, policy violation. */
const unwanted = 1_008

/** How long a conversation that is to go on elsewhere waits until neither side speaks. */
const quietWithin = "3 seconds"

/** What was heard last reaches the conversation meanwhile. */
const settled = "100 millis"

const untilQuiet = ({ isQuiet }: SpeechLine.Connected) =>
  Effect.sync(isQuiet).pipe(
    Effect.repeat({ until: (quiet) => quiet, schedule: Schedule.spaced("50 millis") }),
    Effect.timeoutOption(quietWithin),
    Effect.zipRight(Effect.sleep(settled))
  )

/**
 * Has the conversation of a session held over a relay's socket. When the server is about to stop, it lets go of the
 * conversation as soon as neither side speaks, so that another process takes it up where it stood.
 */
export const hold = (
  runner: Pick<ConversationRunnerShape, "hold">,
  session: SessionName,
  socket: LiveSocket,
  options?: SpeechLine.Options
): Effect.Effect<void> =>
  Effect.scoped(
    Effect.gen(function* () {
      const connected = yield* SpeechLine.make(socket, options)
      if (Option.isNone(connected)) return yield* socket.close(unwanted)
      const held = Effect.catchTag(runner.hold(session, connected.value.line), "SessionNotFound", () =>
        socket.close(unwanted)
      )
      const start = yield* makeStart
      yield* Effect.withFiberRuntime<void>((fiber) => {
        const leave = Effect.map(untilQuiet(connected.value), () => fiber.unsafeInterruptAsFork(fiber.id()))
        socket.onLeaving(() => start(leave))
        return held
      })
    })
  )
