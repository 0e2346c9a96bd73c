import { Clock, Context, Effect, Layer, Option } from "effect"
import { makeNoting } from "../engine/Noting.ts"
import { type Agent, type AgentDraft, type AgentVersion, draftOf } from "../model/agents/Agent.ts"
import { AgentInUse, AgentNotFound, AgentVersionNotFound } from "../model/agents/AgentErrors.ts"
import { standardTalk } from "../model/agents/Talk.ts"
import { InvalidInput } from "../model/InvalidInput.ts"
import type { Page, PageRequest } from "../model/Page.ts"
import { Ids } from "../ports/Ids.ts"
import { Repository } from "../ports/Repository.ts"

/** What a customer has to say of an agent: what is left out is as `standardTalk` has it. */
export type NewAgent = Omit<AgentDraft, keyof typeof standardTalk> &
  Partial<Pick<AgentDraft, keyof typeof standardTalk>>

const invalid = (field: string, reason: string) => Effect.fail(new InvalidInput({ reason, field }))

const repeated = (names: ReadonlyArray<string>): string | undefined =>
  names.find((name, i) => names.indexOf(name) !== i)

const check = (agent: Agent): Effect.Effect<Agent, InvalidInput> => {
  if (agent.idle_timeout_warning >= agent.idle_timeout_end) {
    return invalid("idle_timeout_warning", "idle_timeout_warning must be less than idle_timeout_end")
  }
  const tool = repeated(agent.tools.map(({ name }) => name))
  if (tool !== undefined) return invalid("tools", `tools: two are called ${tool}`)
  const transfer = repeated(agent.transfers.map(({ to_number }) => to_number))
  if (transfer !== undefined) return invalid("transfers", "transfers: a number is named twice")
  const question = repeated(agent.review.questions.map(({ name }) => name))
  if (question !== undefined) return invalid("review", `review: two questions are called ${question}`)
  const optionless = agent.review.questions.find(
    ({ options, type }) => type === "enum" && options.length === 0
  )
  if (optionless !== undefined) {
    return invalid("review", `review: the enum question ${optionless.name} needs options`)
  }
  return agent.voicemail.action === "leave_message" && agent.voicemail.message.trim() === ""
    ? invalid("voicemail", "voicemail: leave_message needs a message")
    : Effect.succeed(agent)
}

const isChanged = (before: Agent, after: Agent): boolean =>
  JSON.stringify(draftOf(before)) !== JSON.stringify(draftOf(after))

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const ids = yield* Ids
  const { noted } = yield* makeNoting

  const get: AgentsShape["get"] = Effect.fn("Agents.get")(function* (workspace_id, agent_id) {
    const agent = yield* repository.agents.get(workspace_id, agent_id)
    return Option.isSome(agent) ? agent.value : yield* new AgentNotFound({ agent_id })
  })

  const create: AgentsShape["create"] = Effect.fn("Agents.create")(function* (workspace_id, draft) {
    const now = yield* Clock.currentTimeMillis
    const agent = yield* check({
      ...standardTalk,
      ...draft,
      id: yield* ids.make("agent"),
      customer_id: workspace_id,
      published: false,
      version: null,
      unpublished_changes: false,
      created_at: now,
      updated_at: now
    })
    yield* noted(workspace_id, repository.agents.insert(agent), () => agent.id)
    return agent
  })

  /** Keeps the agent as it stands as its next version. */
  const keep = Effect.fnUntraced(function* (agent: Agent, published_at: number) {
    const { customer_id, id } = agent
    const [last] = (yield* repository.agents.versions(customer_id, id, { limit: 1, offset: 0 })).data
    const version = (last?.version ?? 0) + 1
    yield* repository.agents.insertVersion({
      customer_id,
      agent_id: id,
      version,
      published_at,
      agent: draftOf(agent)
    })
    return version
  })

  const changing = <E>(
    workspace_id: string,
    agent_id: string,
    change: (agent: Agent, now: number) => Effect.Effect<Agent, E>
  ) =>
    noted(
      workspace_id,
      Effect.gen(function* () {
        const agent = yield* get(workspace_id, agent_id)
        const now = yield* Clock.currentTimeMillis
        const updated = { ...(yield* change(agent, now)), updated_at: now }
        yield* repository.agents.update(updated)
        return updated
      })
    )

  /** The draft is changed. What calls talk with stays as it is. */
  const edit = Effect.fnUntraced(function* (agent: Agent, change: Partial<AgentDraft>, now: number) {
    const updated = yield* check({ ...agent, ...change })
    if (!isChanged(agent, updated)) return updated
    // An agent that was published before there were versions: what calls talk with is kept first.
    const version = agent.version ?? (agent.published ? yield* keep(agent, now) : null)
    return { ...updated, version, unpublished_changes: version !== null }
  })

  const publish = Effect.fnUntraced(function* (agent: Agent, now: number) {
    if (agent.version !== null && !agent.unpublished_changes) return { ...agent, published: true }
    return { ...agent, published: true, version: yield* keep(agent, now), unpublished_changes: false }
  })

  const update: AgentsShape["update"] = Effect.fn("Agents.update")(
    (workspace_id, agent_id, { published, ...change }) =>
      changing(
        workspace_id,
        agent_id,
        Effect.fnUntraced(function* (agent, now) {
          const edited = yield* edit(agent, change, now)
          if (published === undefined) return edited
          return published ? yield* publish(edited, now) : { ...edited, published }
        })
      )
  )

  const version: AgentsShape["version"] = Effect.fn("Agents.version")(
    function* (workspace_id, agent_id, number) {
      yield* get(workspace_id, agent_id)
      const found = yield* repository.agents.version(workspace_id, agent_id, number)
      return Option.isSome(found)
        ? found.value
        : yield* new AgentVersionNotFound({ agent_id, version: number })
    }
  )

  const publishVersion: AgentsShape["publishVersion"] = Effect.fn("Agents.publishVersion")(
    (workspace_id, agent_id, number) =>
      changing(
        workspace_id,
        agent_id,
        Effect.fnUntraced(function* (agent) {
          const wanted = yield* version(workspace_id, agent_id, number)
          const published = { ...agent, published: true, version: number }
          return { ...published, unpublished_changes: isChanged({ ...agent, ...wanted.agent }, agent) }
        })
      )
  )

  const versions: AgentsShape["versions"] = Effect.fn("Agents.versions")(
    function* (workspace_id, agent_id, page) {
      yield* get(workspace_id, agent_id)
      return yield* repository.agents.versions(workspace_id, agent_id, page)
    }
  )

  const remove: AgentsShape["remove"] = Effect.fn("Agents.remove")((workspace_id, agent_id) =>
    noted(
      workspace_id,
      Effect.gen(function* () {
        yield* get(workspace_id, agent_id)
        const user = yield* repository.agents.userOf(workspace_id, agent_id)
        if (Option.isSome(user)) return yield* new AgentInUse(user.value)
        yield* repository.agents.remove(workspace_id, agent_id)
      })
    )
  )

  return Agents.of({
    create,
    get,
    update,
    version,
    versions,
    publishVersion,
    remove,
    list: repository.agents.list
  })
})

export interface AgentsShape {
  /** A new agent is unpublished. */
  readonly create: (workspace_id: string, draft: NewAgent) => Effect.Effect<Agent, InvalidInput>
  readonly get: (workspace_id: string, agent_id: string) => Effect.Effect<Agent, AgentNotFound>
  readonly list: (
    workspace_id: string,
    filter: { readonly published?: boolean | undefined },
    page: PageRequest
  ) => Effect.Effect<Page<Agent>>
  /**
   * Changes the draft: calls meet the agent as it was last published. `published: true` makes the draft the next
   * version, which calls that are dialled from now on talk with; with `published: false` they fail.
   */
  readonly update: (
    workspace_id: string,
    agent_id: string,
    change: Partial<AgentDraft & Pick<Agent, "published">>
  ) => Effect.Effect<Agent, AgentNotFound | InvalidInput>
  readonly version: (
    workspace_id: string,
    agent_id: string,
    version: number
  ) => Effect.Effect<AgentVersion, AgentNotFound | AgentVersionNotFound>
  /** Newest first. */
  readonly versions: (
    workspace_id: string,
    agent_id: string,
    page: PageRequest
  ) => Effect.Effect<Page<AgentVersion>, AgentNotFound>
  /** Makes calls talk with an older version again. The draft stays as it is. */
  readonly publishVersion: (
    workspace_id: string,
    agent_id: string,
    version: number
  ) => Effect.Effect<Agent, AgentNotFound | AgentVersionNotFound>
  /** Deletes it with its versions. Calls that have ended keep its id. */
  readonly remove: (workspace_id: string, agent_id: string) => Effect.Effect<void, AgentNotFound | AgentInUse>
}

export class Agents extends Context.Tag("outdial/Agents")<Agents, AgentsShape>() {
  static readonly layer = Layer.effect(this, make)
}
