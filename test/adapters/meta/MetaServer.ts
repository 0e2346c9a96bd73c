import { createHmac, randomInt } from "node:crypto"
import { Effect, Redacted } from "effect"
import { type Arrived, asJson, json as answerJson, listen } from "../../Listener.ts"

export const token = "EAAGm0PX4ZCpsBAtoken"
export const appSecret = "9f1d0c9b8a7e6d5c4b3a29181706f5e4"
export const verifyToken = "a word between us"
export const businessAccountId = "102290129340398"
export const credentials = { businessAccountId, token: Redacted.make(token), version: "v23.0" }
export const secrets = {
  appSecret: Redacted.make(appSecret),
  verifyToken: Redacted.make(verifyToken)
}

export type Fields = Readonly<Record<string, unknown>>

/** The parts of a message that the stand-in looks at. */
export interface Message {
  readonly to: string
  readonly type: string
  readonly template: {
    readonly name: string
    readonly language: Fields
    readonly components: ReadonlyArray<Fields>
  }
  readonly biz_opaque_callback_data: string
  readonly [field: string]: unknown
}

export interface StoredTemplate {
  readonly id: string
  readonly name: string
  readonly language: string
  components: ReadonlyArray<Fields>
  status: string
  rejected_reason: string
}

export type Asked = Arrived<Fields>

/** What happens to a request instead of its proper answer. `take` is what would have happened to a message. */
export type Fault = (asked: Asked, take: () => string) => void

export const json = (asked: Asked, status: number, body: unknown) =>
  answerJson(asked, status, body, { "content-type": "application/json; charset=UTF-8" })

export const failure = (asked: Asked, status: number, code: number, more: Fields = {}) =>
  json(asked, status, {
    error: {
      message: `(#${code}) refused ${String(asked.body["to"])} for ${token}`,
      type: "OAuthException",
      code,
      error_data: { messaging_product: "whatsapp", details: "refused" },
      fbtrace_id: "AFvnRIDf3",
      ...more
    }
  })

/** What Meta sends: characters beyond ASCII are escaped, with lower-case digits. */
export const bodyOf = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^\0-\x7f]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

export const signatureOf = (body: string, secret = appSecret) =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`

/** A webhook with one change. */
export const change = (field: string, value: unknown) => ({
  object: "whatsapp_business_account",
  entry: [{ id: businessAccountId, time: 1_751_247_548, changes: [{ field, value }] }]
})

export const metadata = { display_phone_number: "15557654321", phone_number_id: "106540352242922" }

/**
 * A stand-in for Meta's Graph API on a local address: an account with numbers and templates in memory. It takes
 * messages, plays what becomes of them, and tells of it by signed webhooks.
 */
export const serve = ({ speed = 50 }: { readonly speed?: number } = {}) =>
  Effect.gen(function* () {
    const faults: Array<Fault> = []
    const messages = new Map<string, Message>()
    const templates = new Map<string, StoredTemplate>()
    /** Names that are kept although their templates are gone. */
    const kept = new Set<string>()
    const numbers = new Map([
      [metadata.phone_number_id, "+1 555-765-4321"],
      ["27681414235104944", "+1 415-555-0100"]
    ])
    const timers = new Set<NodeJS.Timeout>()
    const told: Array<Promise<void>> = []
    let receiver: string | null = null
    /** What a submitted template comes to at once. */
    let review = "APPROVED"
    let ids = 0

    const later = (milliseconds: number, run: () => void) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        run()
      }, milliseconds)
      timers.add(timer)
    }

    /** Sends a webhook until it is taken, as Meta does, though sooner. */
    const tell = (value: unknown) => {
      const body = bodyOf(value)
      const headers = { "content-type": "application/json", "x-hub-signature-256": signatureOf(body) }
      const post = async (tries: number): Promise<void> => {
        if (receiver === null) return
        const status = await fetch(receiver, { method: "POST", headers, body }).then(
          (answer) => answer.status,
          () => 0
        )
        if (status === 200 || tries === 0) return
        await new Promise<void>((resolve) => later(20, resolve))
        return post(tries - 1)
      }
      const sent = post(100)
      told.push(sent)
      return sent
    }

    const seconds = () => String(Math.floor(Date.now() / 1_000))

    const status = (id: string, message: Message, status: string, errors?: ReadonlyArray<Fields>) =>
      tell(
        change("messages", {
          messaging_product: "whatsapp",
          metadata,
          statuses: [
            {
              id,
              status,
              timestamp: seconds(),
              recipient_id: message.to.slice(1),
              biz_opaque_callback_data: message.biz_opaque_callback_data,
              ...(errors === undefined ? {} : { errors })
            }
          ]
        })
      )

    const reply = (to: string, from: string, more: Fields = {}) =>
      tell(
        change("messages", {
          messaging_product: "whatsapp",
          metadata: { ...metadata, display_phone_number: to.replace(/\D/g, "") },
          contacts: [{ profile: { name: "Åsa 🎿" }, wa_id: from.slice(1) }],
          messages: [
            {
              from: from.slice(1),
              id: `wamid.in${++ids}`,
              timestamp: seconds(),
              type: "text",
              text: { body: "Ja, gärna" },
              ...more
            }
          ]
        })
      )

    const play = (id: string, from: string, message: Message) => {
      const at = (after: number, run: () => unknown) => later((1_000 * after) / speed, () => void run())
      const digits = message.to.slice(-4)
      if (digits === "0003") {
        const errors = [{ code: 131_049, title: "Not delivered", error_data: { details: "chose not to" } }]
        return at(1, () => status(id, message, "failed", errors))
      }
      at(1, async () => {
        await status(id, message, "sent")
        if (digits === "0008") return
        await status(id, message, "delivered")
        await status(id, message, "read")
      })
      if (digits === "0010") at(10, () => reply(from, message.to))
    }

    const take = (from: string, message: Message): string => {
      const id = `wamid.HBgL${++ids}`
      messages.set(id, message)
      play(id, from, message)
      return id
    }

    const accepted = (exchange: Asked, id: string) =>
      json(exchange, 200, {
        messaging_product: "whatsapp",
        contacts: [{ input: exchange.body["to"], wa_id: String(exchange.body["to"]).slice(1) }],
        messages: [{ id, message_status: "accepted" }]
      })

    const send = (exchange: Asked, number: string) => {
      const message = exchange.body as Message
      const fault = faults.shift()
      if (fault !== undefined) return fault(exchange, () => take(number, message))
      const digits = message.to.slice(-4)
      if (digits === "0005") return failure(exchange, 400, 131_050)
      if (digits === "0007") return failure(exchange, 400, 131_026)
      if (digits === "0009") return void exchange.response.destroy()
      return accepted(exchange, take(number, message))
    }

    const create = (exchange: Asked) => {
      const { components, language, name } = exchange.body as unknown as StoredTemplate
      if (kept.has(name)) return failure(exchange, 400, 100, { error_subcode: 2_388_023 })
      const held = [...templates.values()].some((each) => each.name === name && each.language === language)
      if (held) return failure(exchange, 400, 100, { error_subcode: 2_388_024 })
      const isRejected = name.includes("_reject_")
      const stored: StoredTemplate = {
        id: `9${String(randomInt(2 ** 47)).padStart(16, "0")}1`,
        name,
        language,
        components,
        status: isRejected ? "REJECTED" : review,
        rejected_reason: isRejected ? "TAG_CONTENT_MISMATCH" : "NONE"
      }
      templates.set(stored.id, stored)
      json(exchange, 200, { id: stored.id, status: stored.status, category: exchange.body["category"] })
    }

    const list = (exchange: Asked) => {
      const size = Math.min(2, Number(exchange.query.get("limit") ?? 25))
      const from = Number(exchange.query.get("after") ?? 0)
      const language = exchange.query.get("language")
      const found = [...templates.values()].filter(
        (each) =>
          each.name.includes(exchange.query.get("name") ?? "") &&
          (language ?? each.language) === each.language
      )
      const next = from + size < found.length ? { next: "https://graph.facebook.com/next" } : {}
      json(exchange, 200, {
        data: found.slice(from, from + size),
        paging: { cursors: { before: String(from), after: String(from + size) }, ...next }
      })
    }

    const drop = (exchange: Asked) => {
      const id = exchange.query.get("hsm_id") ?? ""
      const stored = templates.get(id)
      if (stored === undefined || stored.name !== exchange.query.get("name")) {
        return failure(exchange, 400, 100, { error_subcode: 2_593_002 })
      }
      templates.delete(id)
      kept.add(stored.name)
      json(exchange, 200, { success: true })
    }

    const template = (exchange: Asked, stored: StoredTemplate) => {
      if (exchange.method === "GET") return json(exchange, 200, { id: stored.id, name: stored.name })
      stored.components = exchange.body["components"] as StoredTemplate["components"]
      return json(exchange, 200, { success: true })
    }

    const answer = (exchange: Asked) => {
      const { headers, method, path } = exchange
      if (headers.authorization !== `Bearer ${token}`) return failure(exchange, 401, 190)
      const [, version, id = "", edge] = path.split("/")
      if (version !== "v23.0") return failure(exchange, 400, 2_635)
      const number = numbers.get(id)
      if (number !== undefined && edge === "messages") return send(exchange, number)
      if (id === businessAccountId && edge === "phone_numbers") {
        return json(exchange, 200, {
          data: [...numbers].map(([id, display_phone_number]) => ({ id, display_phone_number }))
        })
      }
      if (id === businessAccountId && edge === "message_templates") {
        return method === "POST" ? create(exchange) : method === "DELETE" ? drop(exchange) : list(exchange)
      }
      if (id === businessAccountId) return json(exchange, 200, { id })
      const stored = templates.get(id)
      return stored === undefined
        ? failure(exchange, 400, 100, { error_subcode: 33 })
        : template(exchange, stored)
    }

    const server = yield* listen(asJson<Fields>(), answer)
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        receiver = null
        for (const timer of timers) clearTimeout(timer)
      })
    )
    return {
      ...server,
      messages,
      templates,
      numbers,
      tell,
      reply,
      status,
      accepted,
      take,
      /** Where webhooks go from now on. */
      subscribe: (url: string) => {
        receiver = url
      },
      reviewAs: (status: string) => {
        review = status
      },
      /** What happens to the next messages, each once. */
      next: (...more: ReadonlyArray<Fault>) => void faults.push(...more),
      /** Once every webhook that was sent so far has been answered. */
      settled: Effect.suspend(() => Effect.promise(() => Promise.all(told)))
    }
  })

export type MetaServer = Effect.Effect.Success<ReturnType<typeof serve>>
