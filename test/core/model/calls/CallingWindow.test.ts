import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import type { CallTime } from "../../../../core/model/calls/CallConfig.ts"
import {
  closedOn,
  firstZone,
  isOpen,
  joined,
  nextOpening,
  zoneExists
} from "../../../../core/model/calls/CallingWindow.ts"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const zones = Intl.supportedValuesOf("timeZone")

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Local date and time as the epoch milliseconds at which UTC shows them, from the text of a full date. */
const local = (timeZone: string, at: number): number => {
  let formatter = formatters.get(timeZone)
  if (formatter === undefined) {
    // Sweden writes 2011-12-31 00:00:00.
    formatter = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" })
    formatters.set(timeZone, formatter)
  }
  return Date.parse(`${formatter.format(at).replace(" ", "T")}Z`)
}

const offset = (zone: string, at: number) => local(zone, at) - at

const timeOf = (text: string) => Number(text.slice(0, 2)) * hour + Number(text.slice(3)) * minute

const pad = (value: number) => String(value).padStart(2, "0")

const text = (timeOfDay: number) => {
  const minutes = Math.floor((((timeOfDay % day) + day) % day) / minute)
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}

const window = (timezone: string, start: number | string, end: number | string): CallTime => ({
  call_start_time: typeof start === "string" ? start : text(start),
  call_end_time: typeof end === "string" ? end : text(end),
  timezone
})

/** Tells whether a local time, as above, is inside a window. */
const insideOf = ({ call_end_time, call_start_time }: CallTime) => {
  const start = timeOf(call_start_time)
  const length = (timeOf(call_end_time) - start + day) % day
  return (shown: number): boolean => (((shown - start) % day) + day) % day < length
}

interface Transition {
  readonly zone: string
  /** The first instant with the offset `after`. */
  readonly at: number
  readonly before: number
  readonly after: number
}

/** Every change of a zone's offset between two instants; no two of them lie within a step. */
const between = (zone: string, from: number, to: number, step: number): Array<Transition> => {
  const found: Array<Transition> = []
  let before = offset(zone, from)
  for (let at = from; at < to; at += step) {
    const after = offset(zone, at + step)
    if (after === before) continue
    let low = at
    let high = at + step
    while (high - low > second) {
      const middle = low + Math.floor((high - low) / 2 / second) * second
      if (offset(zone, middle) === before) low = middle
      else high = middle
    }
    found.push({ zone, at: high, before, after })
    before = after
  }
  return found
}

const years = (from: number, to: number) => [Date.UTC(from, 0, 1), Date.UTC(to, 0, 1)] as const

/** Liberia's and the Netherlands' odd seconds, Freetown's four days, Kwajalein's and Samoa's skipped ones. */
const history = [
  years(1937, 1938),
  years(1939, 1940),
  years(1972, 1973),
  years(1993, 1995),
  years(2011, 2012)
]

const transitions: ReadonlyArray<Transition> = zones.flatMap((zone) => [
  ...history.flatMap(([from, to]) => between(zone, from, to, 3 * day)),
  ...between(zone, ...years(2020, 2031), 20 * day)
])

/** Each transition in one of the zones that have it, and each zone with the last that it has. */
const distinct: ReadonlySet<Transition> = new Set([
  ...new Map(transitions.map((each) => [`${each.at} ${each.before} ${each.after}`, each])).values(),
  ...new Map(transitions.map((each) => [each.zone, each])).values()
])

/** The local time, without asking the runtime again. */
const shownAround = ({ after, at, before }: Transition, instant: number) =>
  instant + (instant < at ? before : after)

const around = ({ after, at, before }: Transition): ReadonlyArray<readonly [number, number]> => {
  const left = at + before
  const right = at + after
  const low = Math.min(left, right)
  const high = Math.max(left, right)
  const middle = low + Math.floor((high - low) / 2 / minute) * minute
  return [
    [low, high],
    [high, low],
    [middle, high + hour],
    [low - hour, middle],
    [middle, middle + minute],
    [low - minute, low],
    [high, high + minute],
    [high + 9 * hour, high + 17 * hour]
  ]
}

const windowsAround = (transition: Transition): ReadonlyArray<CallTime> =>
  around(transition)
    .map(([start, end]) => window(transition.zone, start, end))
    .filter(({ call_end_time, call_start_time }) => call_start_time !== call_end_time)

const describeAt = (subject: CallTime, at: number) =>
  `${subject.timezone} ${subject.call_start_time}-${subject.call_end_time} at ${new Date(at).toISOString()}`

describe("the transitions that the properties stand on", () => {
  it("are those of every zone that changes its clocks, skipped days and odd seconds among them", () => {
    const has = (zone: string, at: string, before: number, after: number) =>
      transitions.some(
        (transition) =>
          transition.zone === zone &&
          transition.at === Date.parse(at) &&
          transition.before === before &&
          transition.after === after
      )
    assert.isTrue(has("Pacific/Apia", "2011-12-30T10:00:00Z", -10 * hour, 14 * hour))
    assert.isTrue(has("Pacific/Kwajalein", "1993-08-21T12:00:00Z", -12 * hour, 12 * hour))
    assert.isTrue(has("Africa/Monrovia", "1972-01-07T00:44:30Z", -(44 * minute + 30 * second), 0))
    assert.isTrue(has("Australia/Lord_Howe", "2024-04-06T15:00:00Z", 11 * hour, 10.5 * hour))
    assert.isTrue(has("Africa/Cairo", "2024-04-25T22:00:00Z", 2 * hour, 3 * hour))
    assert.isTrue(has("Europe/Paris", "2025-03-30T01:00:00Z", hour, 2 * hour))
    assert.isAbove(new Set(transitions.map(({ zone }) => zone)).size, zones.length / 3)
  })
})

describe("CallingWindow.isOpen", () => {
  it("is whether the local time is inside, each minute around each transition and in each zone", () => {
    const wrong: Array<string> = []
    for (const transition of distinct) {
      const windows = windowsAround(transition).map((subject) => ({ subject, inside: insideOf(subject) }))
      const check = ({ inside, subject }: (typeof windows)[number], at: number) => {
        if (isOpen(subject, at) !== inside(shownAround(transition, at))) wrong.push(describeAt(subject, at))
      }
      for (let minutes = -95; minutes <= 95; minutes++) {
        check(windows[(minutes + 95) % windows.length]!, transition.at + minutes * minute)
      }
      for (const by of [-minute, -second, -1, 0, 1, second, minute]) {
        for (const each of windows) check(each, transition.at + by)
      }
    }
    assert.deepStrictEqual(wrong, [])
  }, 120_000)

  it.prop(
    "is whether the local time is inside, at any instant from 1970 to 2099, in any zone",
    [
      FastCheck.constantFrom(...zones, "UTC"),
      FastCheck.nat(1439),
      FastCheck.integer({ min: 1, max: 1439 }),
      FastCheck.integer({ min: 0, max: Date.UTC(2100, 0, 1) })
    ],
    ([zone, start, length, at]) => {
      const subject = window(zone, start * minute, (start + length) * minute)
      assert.strictEqual(isOpen(subject, at), insideOf(subject)(local(zone, at)), describeAt(subject, at))
    },
    { fastCheck: { numRuns: 5_000 } }
  )

  it("includes the start and excludes the end, to the millisecond", () => {
    const subject = window("Asia/Kolkata", "09:00", "18:00")
    const start = Date.parse("2025-01-15T03:30:00Z")
    const end = Date.parse("2025-01-15T12:30:00Z")
    assert.deepStrictEqual(
      [start - 1, start, end - 1, end].map((at) => isOpen(subject, at)),
      [false, true, true, false]
    )
  })

  it("crosses midnight when the end is before the start", () => {
    const subject = window("America/New_York", "21:00", "02:00")
    const open = (at: string) => isOpen(subject, Date.parse(at))
    assert.isFalse(open("2025-01-15T20:59:59-05:00"))
    assert.isTrue(open("2025-01-15T21:00:00-05:00"))
    assert.isTrue(open("2025-01-16T00:00:00-05:00"))
    assert.isFalse(open("2025-01-16T02:00:00-05:00"))
  })

  it("is open in both passes of an hour that comes twice", () => {
    const subject = window("America/New_York", "01:00", "01:30")
    const open = (at: string) => isOpen(subject, Date.parse(at))
    assert.isTrue(open("2025-11-02T05:29:59Z"))
    assert.isFalse(open("2025-11-02T05:30:00Z"))
    assert.isTrue(open("2025-11-02T06:00:00Z"))
    assert.isFalse(open("2025-11-02T06:30:00Z"))
  })
})

describe("CallingWindow.nextOpening", () => {
  const starts = [-25 * hour, -3 * hour - 1, -minute, -second, -1, 0, 1, hour]

  it("is open, and no minute before it is, from around each transition and in each zone", () => {
    const wrong: Array<string> = []
    for (const transition of distinct) {
      for (const subject of windowsAround(transition)) {
        const inside = insideOf(subject)
        const open = (instant: number) => inside(shownAround(transition, instant))
        /** From an instant on, every minute before this one was seen to be closed. */
        let closed = { from: Infinity, until: -Infinity }
        const openBefore = (opening: number, at: number) => {
          if (open(at) || open(opening - 1)) return true
          const first = closed.from <= at ? Math.max(at, closed.until) : at
          for (let earlier = Math.ceil(first / minute) * minute; earlier < opening; earlier += minute) {
            if (open(earlier)) return true
          }
          closed = { from: at, until: opening }
          return false
        }
        for (const by of starts) {
          const at = transition.at + by
          const opening = nextOpening(subject, at)
          if (opening < at || !open(opening) || (opening > at && openBefore(opening, at))) {
            wrong.push(`${describeAt(subject, at)}: not ${new Date(opening).toISOString()}`)
          }
        }
      }
    }
    assert.deepStrictEqual(wrong, [])
  }, 120_000)

  it.prop(
    "is open, and no minute before it is, from any instant, in any zone",
    [
      FastCheck.constantFrom(...zones, "UTC"),
      FastCheck.nat(1439),
      FastCheck.integer({ min: 1, max: 1439 }),
      FastCheck.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2037, 0, 1) })
    ],
    ([zone, start, length, at]) => {
      const subject = window(zone, start * minute, (start + length) * minute)
      const inside = insideOf(subject)
      const open = (instant: number) => inside(local(zone, instant))
      const opening = nextOpening(subject, at)
      assert.isAtLeast(opening, at)
      assert.isTrue(open(opening), describeAt(subject, at))
      if (opening === at) return
      assert.isFalse(open(at) || open(opening - 1), describeAt(subject, at))
      for (let earlier = at; earlier < opening; earlier += 7 * minute) {
        assert.isFalse(open(earlier), describeAt(subject, at))
      }
    },
    { fastCheck: { numRuns: 1_000 } }
  )

  const opens = (subject: CallTime, at: string) =>
    new Date(nextOpening(subject, Date.parse(at))).toISOString()

  it("is the instant itself while the window is open", () => {
    assert.strictEqual(
      opens(window("UTC", "09:00", "17:00"), "2025-06-01T12:34:56.789Z"),
      "2025-06-01T12:34:56.789Z"
    )
  })

  it("is the first instant after the gap that swallows the start", () => {
    const subject = window("Europe/Paris", "02:30", "04:00")
    assert.strictEqual(opens(subject, "2025-03-29T12:00:00Z"), "2025-03-30T01:00:00.000Z")
  })

  it("passes over a day whose gap swallows the whole window", () => {
    const subject = window("Europe/Paris", "02:15", "02:45")
    assert.strictEqual(opens(subject, "2025-03-29T12:00:00Z"), "2025-03-31T00:15:00.000Z")
  })

  it("finds the second pass of an hour that comes twice", () => {
    const subject = window("America/New_York", "01:00", "01:30")
    assert.strictEqual(opens(subject, "2025-11-02T05:30:00Z"), "2025-11-02T06:00:00.000Z")
  })

  it("knows the gap at midnight and the gap of half an hour", () => {
    assert.strictEqual(
      opens(window("Africa/Cairo", "00:00", "06:00"), "2024-04-25T12:00:00Z"),
      "2024-04-25T22:00:00.000Z"
    )
    assert.strictEqual(
      opens(window("Australia/Lord_Howe", "02:10", "03:00"), "2024-10-05T12:00:00Z"),
      "2024-10-05T15:30:00.000Z"
    )
  })

  it("takes no notice of a day that the calendar skips", () => {
    const subject = window("Pacific/Apia", "09:00", "17:00")
    assert.strictEqual(opens(subject, "2011-12-30T04:00:00Z"), "2011-12-30T19:00:00.000Z")
  })

  it("counts an offset's odd seconds", () => {
    const subject = window("Africa/Monrovia", "09:00", "17:00")
    assert.strictEqual(opens(subject, "1971-06-01T00:00:00Z"), "1971-06-01T09:44:30.000Z")
  })
})

describe("CallingWindow.zoneExists", () => {
  it("knows every zone of the runtime, the older names of zones, and UTC", () => {
    for (const name of [...zones, "UTC", "Asia/Calcutta", "Asia/Kolkata", "US/Eastern", "europe/paris"]) {
      assert.isTrue(zoneExists(name), name)
    }
  })

  it("refuses offsets, abbreviations, unknown names and what only resembles a name", () => {
    const names = ["+05:30", "-08", "UTC+1", "GMT+5", "EST", "IST", "PST", "Mars/Olympus", "Europe", "", "/"]
    const odd = [
      "Europe/",
      "Europe/Paris ",
      "Europe/Paris\u0000",
      "Europe/Par\u0131s",
      "__proto__",
      "a/constructor"
    ]
    for (const name of [...names, ...odd, "Europe/Paris/".repeat(100_000)]) {
      assert.isFalse(zoneExists(name), name.slice(0, 40))
      assert.isFalse(zoneExists(name), `${name.slice(0, 40)}, asked again`)
    }
  })

  it("gives the same answers after a flood of unknown names", () => {
    for (let i = 0; i < 2_000; i++) assert.isFalse(zoneExists(`Mars/Crater_${i}`))
    assert.isFalse(zoneExists("Mars/Crater_0"))
    assert.isTrue(zoneExists("Europe/Paris"))
  })

  it.prop("refuses any text that Intl refuses", [FastCheck.string({ maxLength: 20 })], ([name]) => {
    if (zoneExists(name)) assert.doesNotThrow(() => new Intl.DateTimeFormat("en", { timeZone: name }))
  })
})

describe("a window in several zones", () => {
  const windowIn = (...zones: ReadonlyArray<string>): CallTime => ({
    call_start_time: "09:00",
    call_end_time: "17:00",
    timezone: joined(zones)!
  })
  const at = (text: string) => Date.parse(`2026-05-04T${text}:00Z`)

  it("is open where it is open in all of them", () => {
    const coasts = windowIn("America/New_York", "America/Los_Angeles")
    assert.isFalse(isOpen(coasts, at("15:59")))
    assert.isTrue(isOpen(coasts, at("16:00")))
    assert.isFalse(isOpen(coasts, at("21:00")))
    assert.strictEqual(nextOpening(coasts, at("00:00")), at("16:00"))
    assert.strictEqual(nextOpening(coasts, at("16:30")), at("16:30"))
    assert.strictEqual(nextOpening(coasts, at("21:00")), at("16:00") + day)
    assert.strictEqual(firstZone(coasts.timezone), "America/New_York")
  })

  it("is to be looked at again in two days where they share no hour", () => {
    const never = windowIn("Pacific/Honolulu", "Europe/Paris")
    assert.strictEqual(nextOpening(never, at("12:00")), at("12:00") + 2 * day)
    assert.isNull(joined([]))
  })

  const some = FastCheck.array(FastCheck.constantFrom(...zones), { minLength: 2, maxLength: 4 })
  const moments = FastCheck.integer({ min: at("00:00"), max: at("00:00") + 400 * day })
  it.prop("opens when no zone of it is closed, or is looked at again", [some, moments], ([names, from]) => {
    const opening = nextOpening(windowIn(...names), from)
    assert.isAtLeast(opening, from)
    const open = names.every((name) => isOpen(windowIn(name), opening))
    assert.isTrue(open || opening === from + 2 * day)
  })
})

describe("a window that is closed on days", () => {
  const windowOn = (timezone: string, ...days: ReadonlyArray<string>): CallTime => ({
    call_start_time: "09:00",
    call_end_time: "17:00",
    timezone: closedOn(timezone, days)
  })
  const at = (text: string) => Date.parse(`${text}:00Z`)

  it("opens on the next day that is none of them", () => {
    const paris = windowOn("Europe/Paris", "2026-12-25", "2026-12-26")
    assert.strictEqual(nextOpening(paris, at("2026-12-24T15:59")), at("2026-12-24T15:59"))
    assert.strictEqual(nextOpening(paris, at("2026-12-24T16:00")), at("2026-12-27T08:00"))
    assert.strictEqual(nextOpening(paris, at("2026-12-25T10:00")), at("2026-12-27T08:00"))
    assert.isFalse(isOpen(paris, at("2026-12-25T10:00")))
    assert.isTrue(isOpen(paris, at("2026-12-27T08:00")))
  })

  it("goes by the date of its zone, at night from and to midnight", () => {
    const tokyo = {
      ...windowOn("Asia/Tokyo", "2026-12-25"),
      call_start_time: "22:00",
      call_end_time: "02:00"
    }
    assert.isTrue(isOpen(tokyo, at("2026-12-24T14:59")))
    assert.isFalse(isOpen(tokyo, at("2026-12-24T15:00")))
    assert.strictEqual(nextOpening(tokyo, at("2026-12-24T15:00")), at("2026-12-25T15:00"))
  })

  const first = at("2026-01-01T00:00")
  const dateOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)
  const off = FastCheck.array(FastCheck.integer({ min: 0, max: 400 }), { maxLength: 40 })
  const where = FastCheck.array(FastCheck.constantFrom(...zones), { minLength: 1, maxLength: 2 })
  const moments = FastCheck.integer({ min: first, max: first + 400 * day })
  it.prop(
    "never opens on one of them, in any zone of it",
    [where, off, moments],
    ([names, numbers, from]) => {
      const days = numbers.map((number) => dateOf(first + number * day))
      const opening = nextOpening(windowOn(joined(names)!, ...days), from)
      assert.isAtLeast(opening, from)
      const shown = names.map((timeZone) => new Intl.DateTimeFormat("sv-SE", { timeZone }).format(opening))
      for (const date of shown) assert.notInclude(days, date)
      const hours = windowOn(joined(names)!)
      const lost = nextOpening(hours, from)
      if (lost === opening) return
      const skipped = names.map((timeZone) => new Intl.DateTimeFormat("sv-SE", { timeZone }).format(lost))
      assert.isTrue(skipped.some((date) => days.includes(date)))
    }
  )
})
