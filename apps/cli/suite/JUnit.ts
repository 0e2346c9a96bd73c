import { isoTimestamp } from "../../../core/model/Codecs.ts"
import { lengthOf, namesOf, type Play, type Run } from "./Run.ts"
import { document, type Element } from "./Xml.ts"

const seconds = (millis: number): string => (millis / 1_000).toFixed(3)

const judgmentsOf = ({ judgments }: Play) => judgments.filter(([, { verdict }]) => verdict !== "pass")

const failureOf = (play: Play): Element => {
  const notPassed = judgmentsOf(play)
  const failed = notPassed.filter(([, { verdict }]) => verdict === "fail")
  return {
    name: "failure",
    attributes: {
      message: failed.map(([judge, { reasoning }]) => `${judge}: ${reasoning}`).join("; "),
      type: failed.map(([judge]) => judge).join(", ")
    },
    children: notPassed
      .map(([judge, { reasoning, verdict }]) => `${judge} (${verdict}): ${reasoning}`)
      .join("\n")
  }
}

const errorOf = ({ error, status }: Play): Element => {
  const message = error ?? "it was not played to its end"
  return {
    name: "error",
    attributes: { message, type: status === null ? "unfinished" : "error" },
    children: message
  }
}

const outcomeOf = (play: Play): ReadonlyArray<Element> => {
  switch (play.status) {
    case "pass":
      return []
    case "fail":
      return [failureOf(play)]
    default:
      return [errorOf(play)]
  }
}

const transcriptOf = ({ transcript }: Play): ReadonlyArray<Element> =>
  transcript.length === 0
    ? []
    : [{ name: "system-out", children: transcript.map(({ role, text }) => `${role}: ${text}`).join("\n") }]

/** Milliseconds from the first utterance of all plays to the last. */
const spanOf = (plays: ReadonlyArray<Play>): number => {
  let [first, last] = [Infinity, -Infinity]
  for (const { transcript } of plays) {
    for (const { at } of transcript) {
      first = Math.min(first, at)
      last = Math.max(last, at)
    }
  }
  return Math.max(0, last - first)
}

const propertiesOf = (run: Run): Element => ({
  name: "properties",
  children: Object.entries({
    run_id: run.id,
    suite_id: run.suite_id,
    agent_id: run.agent_id,
    status: run.status,
    score: run.score ?? "",
    credits_used: run.credits_used
  }).map(([name, value]) => ({ name: "property", attributes: { name, value } }))
})

/**
 * A run as JUnit XML, a test case for each play: what CI systems show. A play that was not finished is an
 * error. Times are those of the transcripts, in seconds.
 */
export const junit = (suiteName: string, run: Run): string => {
  const names = namesOf(run.results)
  const totals = {
    tests: run.results.length,
    failures: run.results.filter(({ status }) => status === "fail").length,
    errors: run.results.filter(({ status }) => status === "error" || status === null).length,
    time: seconds(spanOf(run.results))
  }
  const cases = run.results.map((play, i): Element => ({
    name: "testcase",
    attributes: { classname: suiteName, name: names[i]!, time: seconds(lengthOf(play)) },
    children: [...outcomeOf(play), ...transcriptOf(play)]
  }))
  // JUnit's own schema has no zone here.
  const timestamp = isoTimestamp(run.started_at ?? run.created_at).replace(/\.\d+Z$/, "")
  const suite: Element = {
    name: "testsuite",
    attributes: { name: suiteName, ...totals, skipped: 0, timestamp },
    children: [propertiesOf(run), ...cases]
  }
  return document({ name: "testsuites", attributes: { name: suiteName, ...totals }, children: [suite] })
}
