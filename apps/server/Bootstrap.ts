import { Console, Effect, Layer, Option, Redacted } from "effect"
import { path as consolePath } from "../../adapters/http/server/Console.ts"
import { allScopes } from "../../core/model/workspaces/Principal.ts"
import { Ids } from "../../core/ports/Ids.ts"
import { platformWide, Repository } from "../../core/ports/Repository.ts"
import { Agents } from "../../core/usecases/Agents.ts"
import { Credits } from "../../core/usecases/Credits.ts"
import { PhoneNumbers } from "../../core/usecases/PhoneNumbers.ts"
import { Workspaces } from "../../core/usecases/Workspaces.ts"
import { bootstrapKey } from "../platform/Configuration.ts"
import { carrierName, madeUpNumber } from "../platform/Providers.ts"

const voice = {
  channel: "voice" as const,
  prompt:
    "You call {{name}} on behalf of {{company}} to confirm the appointment on {{date}}. Be brief and friendly. " +
    "If the time does not suit, offer to call back, and never ask for payment details.",
  first_message: "Hello {{name}}, this is the assistant of {{company}}. Do you have a minute?",
  voice: "default",
  language: "en-US",
  idle_timeout_warning: 10,
  idle_timeout_end: 30,
  max_call_length: 600
}

type Carrier = Effect.Effect.Success<typeof carrierName>

const create = Effect.fnUntraced(function* (id: string, carrier: Carrier) {
  const workspaces = yield* Workspaces
  const { total } = yield* workspaces.list({ limit: 1, offset: 0 })
  if (total > 0) return null
  const agents = yield* Agents
  const numbers = yield* PhoneNumbers
  const credits = yield* Credits
  const given = Option.map(yield* bootstrapKey, Redacted.value)

  const workspace = yield* workspaces.create({ id, name: "Demo" })
  const agent = yield* agents.create(workspace.id, { ...voice, name: "Appointment reminder" })
  yield* agents.update(workspace.id, agent.id, { published: true })
  yield* agents.create(workspace.id, { ...voice, name: "Draft (unpublished)" })
  const number =
    carrier === "simulated" ? yield* numbers.add(workspace.id, { number: madeUpNumber, label: "Demo" }) : null
  yield* credits.topUp(workspace.id, 1000, "demo")
  const { key } = yield* workspaces.createKey(workspace.id, {
    name: "bootstrap",
    scopes: allScopes,
    key: Option.getOrUndefined(given)
  })
  return { agent, number, shownKey: Option.isSome(given) ? "$OUTDIAL_BOOTSTRAP_API_KEY" : key, workspace }
})

type Made = NonNullable<Effect.Effect.Success<ReturnType<typeof create>>>

const sample = {
  custom_variables: { name: "Ada", company: "Acme", date: "Friday" },
  metadata: { order: 1 }
}

const curl = (url: string, key: string, body: unknown) =>
  `  curl -s ${url} -H "X-API-KEY: ${key}" -H "content-type: application/json" \\\n    -d '${JSON.stringify(body)}'`

/** How a first call is placed, by the carrier that is set. */
const firstCall = (base: string, { agent, shownKey }: Made, carrier: Carrier): string => {
  const call = (to_number: string) =>
    curl(`${base}/calls`, shownKey, { agent_id: agent.id, to_number, ...sample })
  if (carrier === "simulated") {
    return `Place a call (the simulated carrier answers it; the last four digits choose what happens):

${call("+14155550123")}`
  }
  return `Calls go through ${carrier[0]!.toUpperCase()}${carrier.slice(1)}: telephones ring, and the account pays for them. First add a number of the account:

${curl(`${base}/phone-numbers`, shownKey, { number: "+…" })}

Then call a telephone of your own:

${call("+…")}`
}

const welcome = (origin: string, base: string, made: Made, carrier: Carrier) => `
Outdial is ready: workspace ${made.workspace.id} with 1,000 credits, agent ${made.agent.id}
and ${made.number === null ? "no phone number yet" : `phone number ${made.number.id}`}. Its API key is shown this once:

  ${made.shownKey}

See and do everything in a browser, at ${origin}${consolePath}, which takes this key.

${firstCall(base, made, carrier)}
`

/** At the first start of all: a demo workspace, whole or not at all, so that a call can be placed within a minute. */
export const layer = (address: { readonly origin: string; readonly base: string }) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { transaction } = yield* Repository
      const id = yield* (yield* Ids).make("ws")
      const carrier = yield* carrierName
      const made = yield* Effect.orDie(transaction([platformWide, id], create(id, carrier)))
      if (made !== null)
        yield* Console.log(welcome(address.origin, address.origin + address.base, made, carrier))
    })
  ).pipe(Layer.provide(Ids.layer))
