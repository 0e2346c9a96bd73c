import { Context, type Effect } from "effect"

/** What tells the time zones of a phone number (E.164); none of a number of which nothing is known. */
export type ZonesOf = (phone_number: string) => ReadonlyArray<string>

/** The time zones in which phone numbers are. */
export class NumberZones extends Context.Tag("outdial/NumberZones")<
  NumberZones,
  {
    /** Loads the table when it is first asked for. */
    readonly table: Effect.Effect<ZonesOf>
  }
>() {}
