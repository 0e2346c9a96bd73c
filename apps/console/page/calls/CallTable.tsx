import type { Call } from "outdial/client"
import { type Column, Table } from "../components/Table.tsx"
import { Status, Time } from "../components/Values.tsx"
import { useAgentNames } from "../data/Agents.ts"
import { count, duration } from "../data/Format.ts"
import { to } from "../router/Location.ts"

const Callee = ({ call }: { readonly call: Call }) => (
  <>
    <span class="numeric">{call.to_number_masked}</span>
    {call.callee_name !== null && <span class="second">{call.callee_name}</span>}
  </>
)

export const CallTable = ({
  calls,
  caption
}: {
  readonly calls: ReadonlyArray<Call>
  readonly caption: string
}) => {
  const nameOf = useAgentNames()
  const columns: ReadonlyArray<Column<Call>> = [
    { label: "To", cell: (call) => <Callee call={call} /> },
    { label: "Status", cell: ({ status }) => <Status value={status} /> },
    { label: "Outcome", cell: ({ outcome }) => <Status value={outcome} /> },
    { label: "Agent", kind: "wide", cell: ({ agent_id }) => nameOf(agent_id) },
    { label: "Placed", cell: ({ created_at }) => <Time at={created_at} /> },
    { label: "Talk", kind: "number", cell: ({ duration_seconds }) => duration(duration_seconds) },
    { label: "Credits", kind: "number", cell: ({ credits }) => count(credits) }
  ]
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={calls}
      id={({ call_id }) => call_id}
      href={({ call_id }) => to(`/calls/${call_id}`)}
    />
  )
}
