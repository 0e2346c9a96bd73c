import type { Param } from "../Database.ts"

const int8 = 20
const float4 = 700
const float8 = 701
const int2 = 21
const int4 = 23
const oid = 26
const numeric = 1700
const numbers = new Set([int2, int4, int8, float4, float8, numeric, oid])

const text = (value: string): string => value

/** Integers of any width come back as numbers, all else as text. */
export const types = {
  getTypeParser: (type: number): ((value: string) => unknown) => (numbers.has(type) ? Number : text)
}

/** No time is beyond these. */
const latest = "9223372036854775807"
const earliest = "-9223372036854775808"

const value = (param: Param): Param => (param === Infinity ? latest : param === -Infinity ? earliest : param)

/** Parameters as a bigint column takes them, which knows no infinity. */
export const values = (params: ReadonlyArray<Param>): Array<Param> => params.map(value)
