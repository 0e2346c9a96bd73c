import { Schema } from "effect"

export class SuiteNotFound extends Schema.TaggedError<SuiteNotFound>()("SuiteNotFound", {
  suite_id: Schema.String
}) {
  override get message() {
    return "no such test suite"
  }
}

export class RunNotFound extends Schema.TaggedError<RunNotFound>()("RunNotFound", { run_id: Schema.String }) {
  override get message() {
    return "no such test run"
  }
}

export class RunEnded extends Schema.TaggedError<RunEnded>()("RunEnded", { run_id: Schema.String }) {
  override get message() {
    return "the test run has ended and cannot be cancelled"
  }
}

/** The workspace has a suite of this name already. */
export class SuiteNameTaken extends Schema.TaggedError<SuiteNameTaken>()("SuiteNameTaken", {}) {
  override get message() {
    return "the workspace has a test suite of this name already"
  }
}
