import { Empty, Failure, Loading } from "../components/States.tsx"
import { plural } from "../data/Format.ts"
import { useResource } from "../data/Resource.ts"
import type { StepProps } from "./Setup.tsx"
import { simulate, Simulated } from "./Simulated.tsx"
import { stepAddress } from "./Steps.tsx"

export const StepSimulate = ({ campaign }: StepProps) => {
  const { id, stats } = campaign
  const hasSome = stats.pending > 0
  const found = useResource(
    async (api, options) => (hasSome ? simulate(api, id, options) : null),
    [id, hasSome]
  )
  if (!hasSome) {
    return (
      <Empty
        title="There is nothing to simulate"
        action={<a href={stepAddress(id, "recipients")}>To the recipients</a>}
      >
        The campaign has no recipients who wait for a call.
      </Empty>
    )
  }
  const { data, error, loading, reload } = found
  return (
    <div class="stack">
      <p class="second">
        The same engine plays the calls of {plural(stats.pending, "recipient")} several times over, with
        callees of chance. It dials no number and spends no credit. Of many recipients it may take a minute or
        two.
      </p>
      {data === null && error === null && <Loading what="the simulation" />}
      {error !== null && <Failure error={error} what="It could not be simulated." retry={reload} />}
      {data !== null && (
        <div class="card" aria-busy={loading}>
          <Simulated {...data} past={null} />
        </div>
      )}
      <div class="actions">
        <a class="button primary" href={stepAddress(id, "start")}>
          Go on
        </a>
        <a class="button" href={stepAddress(id, "pace")}>
          Change hours and pace
        </a>
      </div>
    </div>
  )
}
