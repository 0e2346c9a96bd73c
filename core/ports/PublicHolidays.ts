import { Context } from "effect"
import type { HolidaysOf } from "../model/campaigns/Place.ts"

/** Nationwide public holidays of the countries. */
export class PublicHolidays extends Context.Tag("outdial/PublicHolidays")<PublicHolidays, HolidaysOf>() {}
