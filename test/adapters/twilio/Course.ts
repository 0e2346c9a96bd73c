/** A call as the stand-in for Twilio plays it: what happens, and how many seconds after the dial. */
export interface Cue {
  readonly seconds: number
  readonly status: "ringing" | "in-progress" | "completed" | "busy" | "no-answer" | "failed"
  /** Fields of the callback beside the usual ones. */
  readonly more?: Readonly<Record<string, string>>
}

const parameter = (twiml: string, name: string) =>
  new RegExp(`<Parameter name="${name}" value="([^"]*)"`).exec(twiml)?.[1] ?? ""

const spoken = (text: string) => Math.max(1, Math.ceil(text.length / 15))

/** The conversation's part: greeting, silence, nudge, silence, end. */
const silence = (twiml: string) =>
  spoken(parameter(twiml, "first_message")) +
  Number(parameter(twiml, "idle_timeout_warning")) +
  2 +
  Number(parameter(twiml, "idle_timeout_end"))

const talk = (seconds: number, timeLimit: number, more: Readonly<Record<string, string>> = {}) => {
  const length = Math.min(seconds, timeLimit)
  return [
    { seconds: 1, status: "ringing" },
    { seconds: 3, status: "in-progress", more },
    { seconds: 3 + length, status: "completed", more: { CallDuration: String(length), ...more } }
  ] as const
}

/** By the last four digits of the number called, as the simulated carrier has it. */
export const courseOf = (form: URLSearchParams): ReadonlyArray<Cue> => {
  const limit = Number(form.get("TimeLimit"))
  switch (form.get("To")!.slice(-4)) {
    case "0001":
      return [{ seconds: 1, status: "busy", more: { SipResponseCode: "486" } }]
    case "0002":
      return [
        { seconds: 1, status: "ringing" },
        { seconds: 30, status: "no-answer", more: { SipResponseCode: "487" } }
      ]
    case "0003":
      return [{ seconds: 1, status: "failed", more: { SipResponseCode: "503" } }]
    case "0004":
      return talk(8, limit, form.has("MachineDetection") ? { AnsweredBy: "machine_start" } : {})
    case "0005":
      return [
        { seconds: 1, status: "ringing" },
        { seconds: 4, status: "busy", more: { SipResponseCode: "603" } }
      ]
    case "0006":
      return talk(silence(form.get("Twiml")!), limit)
    case "0008":
      return []
    default:
      return talk(20, limit)
  }
}
