import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Duration, Effect, Schedule, Schema } from "effect"
import { CampaignRecord } from "../../../core/campaigns/Campaign.ts"
import { Unhealthy } from "../Failure.ts"
import * as Flags from "../Flags.ts"
import { note } from "../Output.ts"
import * as Connection from "./Connection.ts"
import * as Record from "./Record.ts"
import { Rest } from "./Rest.ts"
import { isOutage, type RestError } from "./RestErrors.ts"
import { viewer } from "./Viewer.ts"

const Interval = Schema.Number.pipe(
  Schema.filter((seconds) => (seconds >= 0.1 && seconds <= 3_600) || "must be a number from 0.1 to 3600")
)

/** 500 ms, doubling to 5 s; after five minutes it is no short outage any more. */
const patiently = Schedule.exponential("500 millis").pipe(
  Schedule.modifyDelay((_, delay) => Duration.min(delay, "5 seconds")),
  Schedule.upTo("5 minutes")
)

/** Asks until there is an answer, through outages of some minutes, and says so once. */
export const insist = <A, R, R2>(
  question: Effect.Effect<A, RestError, R>,
  say: (text: string) => Effect.Effect<void, never, R2>
): Effect.Effect<A, RestError, R | R2> =>
  Effect.suspend(() => {
    let lost = false
    const once = (error: RestError) => {
      if (lost || !isOutage(error)) return Effect.void
      lost = true
      return say(`Connection lost, trying again: ${error.message}.`)
    }
    return question.pipe(
      Effect.tapError(once),
      Effect.retry({ schedule: patiently, while: isOutage }),
      Effect.zipLeft(Effect.suspend(() => (lost ? say("Connected again.") : Effect.void)))
    )
  })

const followed = Effect.fnUntraced(function* (id: string, json: boolean, interval: Duration.Duration) {
  const rest = yield* Rest
  const { end, say, show } = yield* viewer(json)
  const question = rest.ask(CampaignRecord, "GET", Record.pathOf(id))
  let campaign = yield* question
  yield* show(campaign)
  while (!Record.hasEnded(campaign.value)) {
    yield* Effect.sleep(interval)
    campaign = yield* insist(question, say)
    yield* show(campaign)
  }
  yield* end(campaign.value)
  return campaign.value.status
})

export const watch = Command.make(
  "watch",
  {
    id: Record.id,
    interval: Options.float("interval").pipe(
      Options.withPseudoName("SECONDS"),
      Options.withDescription("How often the server is asked; 1 when not given."),
      Options.withDefault(1),
      Options.mapEffect(Flags.checked("--interval", Interval))
    ),
    url: Connection.url,
    json: Options.boolean("json").pipe(
      Options.withDescription("Writes the campaign as a line of JSON at every change, nothing else.")
    )
  },
  Effect.fn("cli.campaign.watch")(function* ({ id, interval, json }) {
    const status = yield* Effect.scoped(followed(id, json, Duration.seconds(interval))).pipe(
      Effect.onInterrupt(() => (json ? Effect.void : note("No longer watching; the campaign goes on.")))
    )
    if (status !== "completed") return yield* new Unhealthy()
  })
).pipe(
  Connection.provide,
  Command.withDescription(
    Flags.describe(
      "Watches a campaign to its end, through pauses and short outages of the server. Ctrl-C ends the watching, not the campaign.\nEnds with 0 when the campaign is completed, with 1 when it failed or was cancelled.",
      "outdial campaign watch camp_01",
      "outdial campaign watch camp_01 --interval 5 --json"
    )
  )
)
