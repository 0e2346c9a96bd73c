import { Schema } from "effect"
import { Channel } from "../agents/Channel.ts"

/** Whether the carrier of a channel takes what is sent to it. */
export const CarrierState = Schema.Struct({
  channel: Channel,
  status: Schema.Literal("up", "down").annotations({
    description: "`down`: it has not answered of late; what is due waits, and new calls are refused with 503"
  })
}).annotations({ identifier: "CarrierState" })
export type CarrierState = typeof CarrierState.Type
