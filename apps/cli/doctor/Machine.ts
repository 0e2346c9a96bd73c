import { Clock, Effect } from "effect"
import { zoneExists } from "../../../core/model/calls/CallingWindow.ts"
import { isoTimestamp } from "../../../core/model/Codecs.ts"
import { broken, type Finding, ok, warning } from "./Finding.ts"

const least = { major: 20, minor: 12 }

export const checkNode = (version: string): Finding => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major > least.major || (major === least.major && minor >= least.minor)
    ? ok("node", `Node ${version}`)
    : broken("node", `Node ${version} is too old: ${least.major}.${least.minor} or newer is needed`)
}

/** Noon UTC in January and July, and the hour that it is then, in zones of both hemispheres and of odd offsets. */
const probes: ReadonlyArray<readonly [string, string, string]> = [
  ["America/New_York", "07:00", "08:00"],
  ["Europe/Paris", "13:00", "14:00"],
  ["Asia/Kolkata", "17:30", "17:30"],
  ["Asia/Kathmandu", "17:45", "17:45"],
  ["Australia/Sydney", "23:00", "22:00"],
  ["America/Sao_Paulo", "09:00", "09:00"],
  ["Pacific/Chatham", "01:45", "00:45"]
]

const timeIn = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(
    at
  )

const january = Date.UTC(2024, 0, 15, 12)
const july = Date.UTC(2024, 6, 15, 12)

const isRight = ([zone, winter, summer]: (typeof probes)[number]): boolean =>
  zoneExists(zone) && timeIn(zone, january) === winter && timeIn(zone, july) === summer

const checkZones = (): Finding => {
  const wrong = probes.filter((probe) => !isRight(probe)).map(([zone]) => zone)
  const known = Intl.supportedValuesOf("timeZone").filter((zone) => zoneExists(zone)).length
  return wrong.length === 0
    ? ok("time zones", `${known} time zones are known`)
    : broken("time zones", `this Node has no right clock for ${wrong.join(", ")}: use one with full ICU data`)
}

/** This version was written after this moment: a clock before it is wrong. */
const earliest = Date.UTC(2025, 0, 1)

/** The runtime and its clocks. */
export const machine = Effect.fn("Doctor.machine")(function* () {
  const now = yield* Clock.currentTimeMillis
  const clock =
    now < earliest
      ? broken("clock", `the clock says ${isoTimestamp(now)}: calls would be dialled at the wrong time`)
      : ok("clock", `${isoTimestamp(now)} (UTC)`)
  return [checkNode(process.versions.node), clock, checkZones()]
})

/** A clock that was set back delays due work, and can repeat ids. */
export const checkClockAgainst = (newest: number, now: number): Finding | undefined =>
  newest <= now + 60_000
    ? undefined
    : warning("clock", `the clock is behind the newest record of the database, of ${isoTimestamp(newest)}`)
