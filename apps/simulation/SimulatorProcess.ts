import { type ConfigError, type Duration, Effect, Layer, Option } from "effect"
import { forkModule } from "../../adapters/shared/ForkedModule.ts"
import { SimulationTooLong, Simulator, SimulatorBusy } from "../../core/ports/Simulator.ts"
import { simulations } from "../platform/Limits.ts"
import type { Answer, Request } from "./Protocol.ts"

export interface Options {
  /** The limit of the heap of one simulation, in MiB. Default 1024. */
  readonly memory?: number | undefined
  /** How long one may take. Default 2 minutes. */
  readonly deadline?: Duration.DurationInput | undefined
  /** How many may be under way at one time; a request beyond that is refused. Default 1. */
  readonly most?: number | undefined
}

/** Plays in a process of its own, which ends with the answer, or when the caller stops waiting for it. */
const played = (request: Request, memory: number) =>
  Effect.async<Answer, SimulationTooLong>((resume) => {
    const child = forkModule(new URL("./child", import.meta.url), memory, ["--max-semi-space-size=64"])
    child.on("message", (answer: Answer) => resume(Effect.succeed(answer)))
    child.on("error", () => resume(Effect.dieMessage("the simulating process did not start")))
    // V8 aborts where memory is used up.
    child.on("exit", (code) =>
      resume(
        code === 0 || code === 1
          ? Effect.dieMessage("the simulating process failed")
          : Effect.fail(new SimulationTooLong())
      )
    )
    child.send(request)
    return Effect.sync(() => {
      child.kill("SIGKILL")
    })
  })

/** The Simulator beside the process: whatever a simulation does, the process goes on. */
export const layer = ({
  deadline = "2 minutes",
  memory = 1_024,
  most = 1
}: Options = {}): Layer.Layer<Simulator> =>
  Layer.effect(
    Simulator,
    Effect.map(Effect.makeSemaphore(most), (turns) =>
      Simulator.of({
        play: Effect.fn("Simulator.play")(function* (plan, seeds) {
          const runs = yield* turns.withPermitsIfAvailable(1)(
            Effect.timeoutFail(played({ plan, seeds }, memory), {
              duration: deadline,
              onTimeout: () => new SimulationTooLong()
            })
          )
          return Option.isSome(runs) ? runs.value : yield* new SimulatorBusy()
        })
      })
    )
  )

/** As many at one time as `OUTDIAL_SIMULATIONS` says; with 0 none at all. */
export const layerConfig: Layer.Layer<never, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(simulations, (most): Layer.Layer<never> => (most === 0 ? Layer.empty : layer({ most })))
)
