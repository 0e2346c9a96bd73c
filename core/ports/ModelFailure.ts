import { Data } from "effect"

/** Tokens that a model was sent and sent back; zeros where none was asked. */
export interface Usage {
  readonly input_tokens: number
  readonly output_tokens: number
}

/** The model answered, even after being asked once more, with nothing that could be used. */
export class ModelUnusable extends Data.TaggedError("ModelUnusable")<{ readonly message: string }> {}
/** The model cannot be reached, refuses our credential, or fails inside. */
export class ModelUnavailable extends Data.TaggedError("ModelUnavailable")<{ readonly message: string }> {}
/** The model did not answer in time. */
export class ModelTimedOut extends Data.TaggedError("ModelTimedOut")<{ readonly message: string }> {}
/** The model takes no more for the moment; `retry_after` in seconds. */
export class ModelBusy extends Data.TaggedError("ModelBusy")<{
  readonly message: string
  readonly retry_after: number
}> {}
export type ModelFailure = ModelUnusable | ModelUnavailable | ModelTimedOut | ModelBusy
