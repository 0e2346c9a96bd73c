import { Schema } from "effect"

/** How a person is reached. Source: contract, "Attempt". */
export const Channel = Schema.Literal("voice", "msg")
export type Channel = typeof Channel.Type
