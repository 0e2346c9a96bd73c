/** What the rules make of a callee: the last four digits of a number, called with one retry and no pause. */
export interface Callee {
  readonly digits: string
  /** How often the carrier hears of it. */
  readonly dials: number
  readonly outcome: string
  readonly events: ReadonlyArray<string>
  /** How often it is chosen, beside the others. */
  readonly weight: number
  /** Whether it is also a recipient of the campaign: one that fails there too often pauses it. */
  readonly inCampaign: boolean
}

const reached = ["call_started", "call_completed"]
const recorded = [...reached, "recording_completed"]
const ended = ["call_completed"]

export const callees: ReadonlyArray<Callee> = [
  { digits: "0123", dials: 1, outcome: "answered", events: recorded, weight: 8, inCampaign: true },
  { digits: "0001", dials: 2, outcome: "busy", events: ended, weight: 2, inCampaign: true },
  { digits: "0002", dials: 2, outcome: "no_answer", events: ended, weight: 2, inCampaign: true },
  { digits: "0003", dials: 2, outcome: "failed", events: ended, weight: 1, inCampaign: false },
  { digits: "0004", dials: 1, outcome: "voicemail", events: reached, weight: 2, inCampaign: true },
  { digits: "0005", dials: 2, outcome: "rejected", events: ended, weight: 1, inCampaign: false },
  { digits: "0006", dials: 1, outcome: "answered", events: reached, weight: 2, inCampaign: true },
  { digits: "0007", dials: 1, outcome: "failed", events: ended, weight: 1, inCampaign: false },
  { digits: "0009", dials: 1, outcome: "unknown", events: ended, weight: 1, inCampaign: false },
  { digits: "0010", dials: 2, outcome: "answered", events: recorded, weight: 3, inCampaign: true }
]

/** The carrier takes the dial and falls silent: more than three minutes pass until it is given up. */
export const silent: Callee = {
  digits: "0008",
  dials: 1,
  outcome: "unknown",
  events: ended,
  weight: 1,
  inCampaign: false
}

const byDigits = new Map([...callees, silent].map((callee) => [callee.digits, callee]))

export const calleeOf = (number: string): Callee => byDigits.get(number.slice(-4)) ?? byDigits.get("0123")!

const areas = [212, 213, 310, 312, 404, 415, 503, 602, 617, 702, 713, 718]

/** The nth of 9,600 numbers with these last digits; no two are the same. */
export const numberOf = (n: number, digits: string): string =>
  `+1${areas[Math.floor(n / 800) % areas.length]}${200 + (n % 800)}${digits}`
