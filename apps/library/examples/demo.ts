import process from "node:process"
import type { Outdial } from "outdial"

/** A workspace in which a call can be placed at once; says how. */
export const demo = async (outdial: Outdial, origin: string) => {
  const { id } = await outdial.workspaces.create({ name: "Demo" })
  const agent = await outdial.agents.create(id, { name: "Reminder", prompt: "Remind {{name}} of Friday." })
  await outdial.agents.update(id, agent.id, { published: true })
  await outdial.numbers.add(id, { number: "+14155550100" })
  await outdial.credits.topUp(id, 100)
  const { key } = await outdial.workspaces.createKey(id, {
    name: "demo",
    scopes: ["sessions:write", "sessions:read"]
  })
  process.stdout.write(
    `curl ${origin}/v0/calls -H "X-API-KEY: ${key}" -H "content-type: application/json" ` +
      `-d '{"agent_id":"${agent.id}","to_number":"+14155550123"}'\n`
  )
}
