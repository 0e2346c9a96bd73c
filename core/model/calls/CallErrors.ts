import { Schema } from "effect"

export class CallNotFound extends Schema.TaggedError<CallNotFound>()("CallNotFound", {
  call_id: Schema.String
}) {
  override get message() {
    return "no such call"
  }
}

/** The workspace has a call with this idempotency key: `call_id`. Nothing was dialled. */
export class DuplicateKey extends Schema.TaggedError<DuplicateKey>()("DuplicateKey", {
  call_id: Schema.String
}) {
  override get message() {
    return "a call with this idempotency_key exists already; it was not dialled again"
  }
}

export class CallBatchNotFound extends Schema.TaggedError<CallBatchNotFound>()("CallBatchNotFound", {
  batch_id: Schema.String
}) {
  override get message() {
    return "no such batch of calls"
  }
}

/** The workspace has another batch with this idempotency key: `batch_id`. Nothing was placed. */
export class BatchKeyReused extends Schema.TaggedError<BatchKeyReused>()("BatchKeyReused", {
  batch_id: Schema.String
}) {
  override get message() {
    return "the Idempotency-Key was used with another body; nothing was done"
  }
}

export class CallEnded extends Schema.TaggedError<CallEnded>()("CallEnded", { call_id: Schema.String }) {
  override get message() {
    return "the call has ended and cannot be cancelled"
  }
}

/** The carrier does not answer at present; the same request may be sent again later. */
export class CarrierUnavailable extends Schema.TaggedError<CarrierUnavailable>()("CarrierUnavailable", {}) {
  override get message() {
    return "call orchestration is temporarily unavailable; send the same request again later"
  }
}
