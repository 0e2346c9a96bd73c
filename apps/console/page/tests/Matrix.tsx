import { type Column, Table } from "../components/Table.tsx"
import { Badge } from "../components/Values.tsx"
import { words } from "../data/Format.ts"
import { PlayStatus } from "./PlayView.tsx"
import { playAddress } from "./Plays.tsx"
import { type Row, summed, verdictsOf } from "./Verdicts.ts"

/** How the plays of a scenario came out. */
const Outcome = ({ row }: { readonly row: Row }) => {
  const [first] = row.plays
  if (row.plays.length === 1) return <PlayStatus play={first!} />
  const counted = (status: string | null) => row.plays.filter((play) => play.status === status).length
  const failed = counted("fail") + counted("error")
  const open = counted(null)
  return (
    <Badge tone={failed > 0 ? "bad" : open > 0 ? "busy" : "good"}>
      {counted("pass")} of {row.plays.length} pass{open > 0 ? `, ${open} under way` : ""}
    </Badge>
  )
}

export const Verdicts = ({ judge, row }: { readonly row: Row; readonly judge: string }) => {
  const sum = summed(verdictsOf(row, judge))
  return sum === null ? <span class="none">–</span> : <Badge tone={sum.tone}>{sum.text}</Badge>
}

/** Scenarios by judges; a scenario leads to what was said. */
export const Matrix = (props: {
  readonly rows: ReadonlyArray<Row>
  readonly judges: ReadonlyArray<string>
  readonly chosen: string
}) => {
  const columns: ReadonlyArray<Column<Row>> = [
    { label: "Scenario", cell: ({ label }) => label },
    { label: "Outcome", cell: (row) => <Outcome row={row} /> },
    ...props.judges.map((judge) => ({
      label: words(judge),
      cell: (row: Row) => <Verdicts row={row} judge={judge} />
    }))
  ]
  return (
    <Table
      caption="Scenarios and how each judge sees them"
      columns={columns}
      rows={props.rows}
      id={({ label }) => label}
      href={({ label }) => playAddress(label, 0)}
      isCurrent={({ label }) => label === props.chosen}
    />
  )
}
