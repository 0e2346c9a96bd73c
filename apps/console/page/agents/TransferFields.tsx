import type { AgentTransfer } from "outdial/client"
import { LongTextField, TextField } from "../components/Fields.tsx"
import { Fold } from "../components/Fold.tsx"

const newTransfer: AgentTransfer = { to_number: "", description: "" }

/** The numbers that a call may be handed over to. */
export const TransferFields = (props: {
  readonly transfers: ReadonlyArray<AgentTransfer>
  readonly onChange: (transfers: ReadonlyArray<AgentTransfer>) => void
}) => {
  const { onChange, transfers } = props
  const change = (i: number, part: Partial<AgentTransfer>) =>
    onChange(transfers.with(i, { ...transfers[i]!, ...part }))
  return (
    <fieldset>
      <legend>Transfers</legend>
      {transfers.map((transfer, i) => (
        <Fold
          key={i}
          class="card"
          open={transfer.to_number === ""}
          title={transfer.to_number === "" ? "New transfer" : transfer.to_number}
        >
          <TextField
            label="Number to transfer to"
            required
            hint="A plus, the country code and the number."
            value={transfer.to_number}
            onChange={(to_number) => change(i, { to_number: to_number.trim() })}
          />
          <LongTextField
            label="Who answers there, and when to transfer"
            required
            rows={2}
            value={transfer.description}
            onChange={(description) => change(i, { description })}
          />
          <button
            type="button"
            class="button"
            onClick={() => onChange(transfers.filter((_, other) => other !== i))}
          >
            Remove the transfer
          </button>
        </Fold>
      ))}
      <button type="button" class="button" onClick={() => onChange([...transfers, newTransfer])}>
        Add a transfer
      </button>
    </fieldset>
  )
}
