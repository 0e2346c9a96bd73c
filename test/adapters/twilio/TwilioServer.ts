import { randomBytes } from "node:crypto"
import { Effect, Redacted } from "effect"
import { getExpectedTwilioSignature } from "twilio/lib/webhooks/webhooks.js"
import { type Arrived, asForm, json, listen } from "../../Listener.ts"
import { courseOf } from "./Course.ts"

export const accountSid = `AC${"0123456789abcdef".repeat(2)}`
export const authToken = "3f1d0c9b8a7e6d5c4b3a29181706f5e4"
export const credentials = {
  accountSid,
  username: accountSid,
  password: Redacted.make(authToken),
  authToken: Redacted.make(authToken)
}

/** A call in the account. */
export interface StoredCall {
  readonly sid: string
  readonly form: URLSearchParams
  readonly created: number
  status: string
  started: number | null
  answered: number | null
  ended: number | null
  duration: string | null
  answeredBy: string | null
  over: boolean
  /** Once it is over. */
  readonly finished: Promise<void>
  readonly finish: () => void
}

export type Asked = Arrived<URLSearchParams>

/** What happens to a request instead of its proper answer. `take` is what would have happened. */
export type Fault = (asked: Asked, take: () => StoredCall) => void

export interface Options {
  /** What the durations of calls are divided by. Default 50. */
  readonly speed?: number
  /** How long before the clock of this machine Twilio's is, in milliseconds. */
  readonly clockAhead?: number
}

export const failure = (asked: Asked, status: number, code: number, headers = {}) =>
  json(asked, status, { code, message: `refused ${asked.body.get("To")}`, more_info: "", status }, headers)

const rfc2822 = (at: number) => new Date(at).toUTCString().replace("GMT", "+0000")
const newSid = (kind: string) => kind + randomBytes(16).toString("hex")
const over = new Set(["completed", "busy", "failed", "no-answer", "canceled"])

/**
 * A stand-in for Twilio's REST API on a local address, with an account in memory: it takes calls, plays them, and
 * calls back, signed by Twilio's own code.
 */
export const serve = (options: Options = {}) =>
  Effect.gen(function* () {
    const { clockAhead = 0, speed = 50 } = options
    const calls = new Map<string, StoredCall>()
    const faults: Array<Fault> = []
    const timers = new Set<NodeJS.Timeout>()
    const told: Array<Promise<void>> = []
    const now = () => Date.now() + clockAhead

    const resource = (call: StoredCall) => ({
      sid: call.sid,
      account_sid: accountSid,
      to: call.form.get("To"),
      from: call.form.get("From"),
      status: call.status,
      direction: "outbound-api",
      answered_by: call.answeredBy,
      duration: call.duration,
      date_created: rfc2822(call.created),
      date_updated: rfc2822(now()),
      start_time: call.started === null ? null : rfc2822(call.started),
      end_time: call.ended === null ? null : rfc2822(call.ended),
      price: null,
      price_unit: "USD",
      uri: `/2010-04-01/Accounts/${accountSid}/Calls/${call.sid}.json`
    })

    const post = async (url: string, fields: Record<string, string>) => {
      const address = url.replace(/#.*$/, "")
      await fetch(address, {
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "x-twilio-signature": getExpectedTwilioSignature(authToken, address, fields)
        },
        body: new URLSearchParams(fields)
      }).catch(() => {})
    }

    /** A call's callbacks go out one after the other. */
    const lines = new Map<string, Promise<void>>()
    const inLine = (sid: string, send: () => Promise<void>) => {
      const sent = (lines.get(sid) ?? Promise.resolve()).then(send)
      lines.set(sid, sent)
      told.push(sent)
    }

    const usual = ({ form, sid, status }: StoredCall) => ({
      CallSid: sid,
      AccountSid: accountSid,
      From: form.get("From")!,
      To: form.get("To")!,
      CallStatus: status,
      ApiVersion: "2010-04-01",
      Direction: "outbound-api",
      Timestamp: rfc2822(now()),
      CallbackSource: "call-progress-events"
    })

    const tell = (call: StoredCall, more: Readonly<Record<string, string>> = {}) => {
      const url = call.form.get("StatusCallback")
      const fields = { ...usual(call), ...more }
      if (url !== null) inLine(call.sid, () => post(url, fields))
    }

    const later = (seconds: number, run: () => void) => {
      const timer = setTimeout(
        () => {
          timers.delete(timer)
          run()
        },
        (1_000 * seconds) / speed
      )
      timers.add(timer)
    }

    const record = (call: StoredCall) => {
      const url = call.form.get("RecordingStatusCallback")
      if (url === null || call.answered === null || call.answeredBy !== null) return
      const sid = newSid("RE")
      const fields = {
        AccountSid: accountSid,
        CallSid: call.sid,
        RecordingSid: sid,
        RecordingUrl: `https://api.twilio.com/2010-04-01/Accounts/${accountSid}/Recordings/${sid}`,
        RecordingStatus: "completed",
        RecordingDuration: call.duration ?? "0",
        RecordingChannels: "1",
        RecordingStartTime: rfc2822(call.answered),
        RecordingSource: "OutboundAPI"
      }
      later(2, () => inLine(call.sid, () => post(url, fields)))
    }

    /** Brings a call to a status and tells of it. */
    const move = (call: StoredCall, status: string, more: Readonly<Record<string, string>> = {}) => {
      if (call.over) return
      call.status = status
      call.started ??= now()
      if (status === "in-progress") {
        call.answered = now()
        call.answeredBy = more["AnsweredBy"] ?? null
      }
      if (over.has(status)) {
        call.over = true
        call.ended = now()
        call.duration = more["CallDuration"] ?? "0"
      }
      tell(call, over.has(status) ? { CallDuration: "0", ...more } : more)
      if (call.over) call.finish()
      if (status === "completed") record(call)
    }

    const take = (form: URLSearchParams, created = now()): StoredCall => {
      let finish = () => {}
      const finished = new Promise<void>((resolve) => {
        finish = resolve
      })
      const call: StoredCall = {
        sid: newSid("CA"),
        form,
        created,
        status: "queued",
        started: null,
        answered: null,
        ended: null,
        duration: null,
        answeredBy: null,
        over: false,
        finished,
        finish
      }
      calls.set(call.sid, call)
      for (const { more, seconds, status } of courseOf(form)) later(seconds, () => move(call, status, more))
      return call
    }

    const end = (call: StoredCall, status: string | null) => {
      const isTalking = call.status === "in-progress"
      if (call.over || (status === "canceled" && isTalking)) return
      const seconds = Math.floor(((now() - (call.answered ?? 0)) * speed) / 1_000)
      if (isTalking) move(call, "completed", { CallDuration: String(seconds) })
      else move(call, "canceled")
    }

    const list = (exchange: Asked) => {
      const { query } = exchange
      const size = Number(query.get("PageSize") ?? 50)
      const page = Number(query.get("Page") ?? 0)
      const matching = [...calls.values()]
        .filter(({ form }) =>
          ["To", "From"].every((name) => !query.has(name) || query.get(name) === form.get(name))
        )
        .reverse()
      const next = new URLSearchParams(query)
      next.set("Page", String(page + 1))
      const hasMore = matching.length > (page + 1) * size
      json(exchange, 200, {
        calls: matching.slice(page * size, (page + 1) * size).map(resource),
        page,
        page_size: size,
        next_page_uri: hasMore ? `/2010-04-01/Accounts/${accountSid}/Calls.json?${next}` : null
      })
    }

    const answer = (exchange: Asked) => {
      const { body: form, headers, method, path } = exchange
      const [user, password] = Buffer.from(headers.authorization?.replace("Basic ", "") ?? "", "base64")
        .toString()
        .split(":")
      if (user !== accountSid || password !== authToken) return failure(exchange, 401, 20_003)
      exchange.response.setHeader("date", new Date(now()).toUTCString())
      const sid = /\/Calls\/(CA\w+)\.json$/.exec(path)?.[1]
      if (method === "POST" && path.endsWith("/Calls.json")) {
        const fault = faults.shift()
        if (fault !== undefined) return fault(exchange, () => take(form))
        if (form.get("To")!.endsWith("0007")) return failure(exchange, 400, 21_211)
        if ((form.get("Twiml") ?? "").length > 4_000) return failure(exchange, 400, 21_620)
        return json(exchange, 201, resource(take(form)))
      }
      if (method === "GET" && path.endsWith("/Calls.json")) return list(exchange)
      const call = sid === undefined ? undefined : calls.get(sid)
      if (call === undefined) return failure(exchange, 404, 20_404)
      if (method === "POST") {
        if (call.over) return failure(exchange, 400, 21_220)
        end(call, form.get("Status"))
      }
      return json(exchange, 200, resource(call))
    }

    const server = yield* listen(asForm, answer)
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const timer of timers) clearTimeout(timer)
      })
    )
    return {
      ...server,
      calls,
      /** What happens to the next dials, each once. */
      next: (...more: ReadonlyArray<Fault>) => void faults.push(...more),
      /** A call that was made by other means; `created` by Twilio's clock. */
      place: (form: Readonly<Record<string, string>>, created?: number) =>
        take(new URLSearchParams(form), created),
      now,
      resource,
      /** Once every callback that was sent so far has been answered. */
      settled: Effect.promise(() => Promise.all(told))
    }
  })

export type TwilioServer = Effect.Effect.Success<ReturnType<typeof serve>>
