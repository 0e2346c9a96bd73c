import { Context, type Duration, Layer } from "effect"

/** How much of a workspace's runs is played at one time, and for how long a run may last. */
export class RunLimits extends Context.Tag("outdial/RunLimits")<
  RunLimits,
  { readonly concurrency: number; readonly deadline: Duration.Duration }
>() {
  static readonly layer = (limits: RunLimits["Type"]) => Layer.succeed(this, limits)
}
