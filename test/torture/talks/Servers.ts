import { Effect } from "effect"
import { serve as serveModel } from "../../adapters/llm/ChatStream.ts"
import { accountSid, authToken, serve as serveTwilio } from "../../adapters/twilio/TwilioServer.ts"
import { asJson, json, listen } from "../../Listener.ts"
import * as Programs from "../../programs/Programs.ts"
import * as Members from "../Members.ts"
import { makeFolder, makeTenants, postgres, sqlite } from "../Stores.ts"
import { answer } from "./Mind.ts"

export interface Options {
  readonly store: "sqlite" | "postgres"
  readonly processes: number
  readonly patches: ReadonlyArray<Programs.Patch>
  /** How long the model and the tools take to answer, in milliseconds. */
  readonly thinking: number
}

/** A use of a tool, as the tool has it. */
export interface Use {
  readonly at: number
  readonly key: string
  readonly session_id: string
  readonly number: number
}

interface ToolBody {
  readonly session_id: string
  readonly arguments: { readonly number: number }
}

const publicUrl = "http://voice.example"
const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

const agent = (tool: string) => ({
  name: "Desk",
  prompt: "Answer the callee.",
  first_message: "Hello, this is the desk.",
  tools: [
    {
      name: "book",
      description: "Books a number",
      parameters: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
      url: `${tool}/book`
    }
  ]
})

/**
 * Server processes on one store, which talk on the calls of a stand-in for Twilio. Their model and the agent's tool are
 * stand-ins too. Nothing stands before the processes: who asks chooses one.
 */
export const make = Effect.fnUntraced(function* (options: Options) {
  const { patches, processes, store, thinking } = options
  const folder = yield* makeFolder
  const { server } = yield* patches.length === 0 ? Programs.programs : Programs.patched(patches)
  const database = store === "sqlite" ? sqlite(folder.path) : yield* postgres
  const [tenant] = yield* makeTenants(database.direct, 1, 1_000)
  const twilio = yield* serveTwilio()

  /** Told of the next use of the tool, and of the next question to the model, before they are answered. */
  const watches = {
    tool: new Set<(session_id: string) => void>(),
    model: new Set<(process: number) => void>()
  }
  const tell = <A>(watching: Set<(of: A) => void>, of: A) => {
    for (const told of watching) told(of)
  }
  const uses: Array<Use> = []
  const tool = yield* listen(asJson<ToolBody>(), async (asked) => {
    const { arguments: given, session_id } = asked.body
    const key = String(asked.headers["idempotency-key"])
    uses.push({ at: Date.now(), key, session_id, number: given.number })
    tell(watches.tool, session_id)
    await pause(thinking)
    json(asked, 200, { ok: true })
  })
  const model = yield* serveModel(async (asked) => {
    tell(watches.model, Number(/^\/(\d+)\//.exec(asked.path)![1]))
    await pause(thinking)
    answer(asked)
  })

  const members = yield* Effect.forEach(
    Array.from({ length: processes }, (_, n) => n),
    Effect.fnUntraced(function* (n) {
      const { url } = yield* database.urlFor
      return yield* Members.make(`server ${n}`, {
        program: server,
        settings: {
          OUTDIAL_DATABASE_URL: url,
          OUTDIAL_CARRIER: "twilio",
          OUTDIAL_PUBLIC_URL: publicUrl,
          OUTDIAL_TWILIO_URL: twilio.url,
          OUTDIAL_TWILIO_ACCOUNT_SID: accountSid,
          OUTDIAL_TWILIO_AUTH_TOKEN: authToken,
          OUTDIAL_LLM_URL: model.url.replace(/v1$/, `${n}/v1`),
          OUTDIAL_LLM_MODEL: "test",
          OUTDIAL_WEBHOOK_ALLOW_PRIVATE: "true",
          OUTDIAL_LOG_LEVEL: "WARN"
        },
        over: () => undefined,
        hung: () => undefined
      })
    })
  )
  yield* Members.started(members)

  /** Asks the processes that are up in turn, from the `first` on, until one answers. */
  const anyMember = <A, E, R>(
    first: number,
    ask: (port: number, member: number) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, never, R> =>
    Effect.gen(function* () {
      for (let at = first; ; at++) {
        const member = members[at % processes]!
        if (member.running !== null) {
          const answered = yield* Effect.option(ask(member.port, at % processes))
          if (answered._tag === "Some") return answered.value
        }
        yield* Effect.sleep("50 millis")
      }
    }).pipe(
      Effect.timeoutFail({ duration: "90 seconds", onTimeout: () => new Error("no process answers") }),
      Effect.orDie
    )

  const request = (path: string, body?: object, first = 0): Effect.Effect<Json> =>
    anyMember(first, (port) =>
      Effect.tryPromise(async (signal) => {
        const response = await fetch(`http://127.0.0.1:${port}/v0${path}`, {
          method: body === undefined ? "GET" : "POST",
          signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
          headers: { "x-api-key": tenant!.key, "content-type": "application/json" },
          ...(body !== undefined && { body: JSON.stringify(body) })
        })
        if (response.status !== 200) throw new Error(await response.text())
        return response.json()
      })
    )

  yield* request("/phone-numbers", { number: "+14155550100" })
  const { id: agent_id } = yield* request("/agents", agent(tool.url))
  yield* request(`/agents/${agent_id}/publish`, {})

  return {
    folder,
    members,
    twilio,
    uses,
    watches,
    anyMember,
    request,
    agent_id: String(agent_id),
    /** Where the public address is reached at a process. */
    reach: (port: number) => (url: string) => url.replace("//voice.example/", `//127.0.0.1:${port}/`)
  }
})

export type Servers = Effect.Effect.Success<ReturnType<typeof make>>
