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

export const callId = ({ call_id }: Call) => call_id

export const callAddress = ({ call_id }: Call) => to(`/calls/${call_id}`)

export const useCallColumns = (): ReadonlyArray<Column<Call>> => {
  const nameOf = useAgentNames()
  return [
    { label: "To", cell: (call) => <Callee call={call} /> },
    { label: "Status", cell: ({ status }) => <Status value={status} /> },
    { label: "Outcome", cell: ({ outcome }) => <Status value={outcome} /> },
    { label: "Agent", kind: "wide", cell: ({ agent_id }) => nameOf(agent_id) },
    { label: "Placed", cell: ({ created_at }) => <Time at={created_at} /> },
    { label: "Talk", kind: "number", cell: ({ duration_seconds }) => duration(duration_seconds) },
    { label: "Credits", kind: "number", cell: ({ credits }) => count(credits) }
  ]
}

export const CallTable = (props: { readonly calls: ReadonlyArray<Call>; readonly caption: string }) => (
  <Table
    caption={props.caption}
    columns={useCallColumns()}
    rows={props.calls}
    id={callId}
    href={callAddress}
  />
)
