import { farewell, rude, sorry, thanks, threat } from "../Lexicon.ts"
import { stemsOf, wordsOf } from "../Text.ts"
import { accuracy } from "./Accuracy.ts"
import { type Case, fail, type Finding, maybe, pass, quote, silent } from "./Case.ts"
import { relevancy } from "./Relevancy.ts"
import { safety } from "./Safety.ts"
import { taskCompletion } from "./TaskCompletion.ts"
import { toolUse } from "./ToolUse.ts"

const politeness = ({ agent }: Case): Finding => {
  const bad = agent.find(({ text }) => rude.test(text) || threat.test(text))
  if (bad !== undefined) return fail(`The agent is impolite (${quote(bad)}).`)
  const good = agent.find(({ text }) => thanks.test(text) || sorry.test(text) || /\bplease\b/i.test(text))
  return good === undefined
    ? maybe("The agent is neither polite nor impolite.")
    : pass(`The agent is polite (${quote(good)}).`)
}

const brevity = ({ agent }: Case): Finding => {
  const long = agent.find(({ text }) => wordsOf(text).length > 60)
  return long === undefined
    ? pass(`No turn of the agent is longer than 60 words (${quote(agent[0]!)}).`)
    : fail(`The agent speaks ${wordsOf(long.text).length} words at once (${quote(long)}).`)
}

const empathy = ({ agent }: Case): Finding => {
  const shown = agent.find(({ text }) => sorry.test(text))
  return shown === undefined
    ? fail(`The agent shows no understanding (${quote(agent[0]!)}).`)
    : pass(`The agent shows understanding (${quote(shown)}).`)
}

const greeting = ({ agent }: Case): Finding =>
  /\b(?:hello|hi|good (?:morning|afternoon|evening|day)|greetings|welcome)\b/i.test(agent[0]!.text)
    ? pass(`The agent greets (${quote(agent[0]!)}).`)
    : fail(`The agent does not greet (${quote(agent[0]!)}).`)

const introduction = ({ agent }: Case): Finding => {
  const own = agent
    .slice(0, 2)
    .find(({ text }) => /\b(?:this is|my name is|i am|i['’]m|calling (?:from|for|on behalf))\b/i.test(text))
  return own === undefined
    ? fail(`The agent does not say who it is (${quote(agent[0]!)}).`)
    : pass(`The agent says who it is (${quote(own)}).`)
}

const closing = ({ agent }: Case): Finding => {
  const last = agent.at(-1)!
  return farewell.test(last.text) || thanks.test(last.text)
    ? pass(`The agent closes the call (${quote(last)}).`)
    : fail(`The agent does not close the call (${quote(last)}).`)
}

const rules: ReadonlyArray<readonly [RegExp, (given: Case) => Finding]> = [
  [
    /\b(?:polite|politeness|courte\w*|civil|respect\w*|friendl\w*|rude\w*|tone|manners?|profession\w*)\b/i,
    politeness
  ],
  [/\b(?:brief|brevity|concise\w*|short|succinct\w*)\b/i, brevity],
  [/\b(?:empath\w*|compassion\w*|understanding|apologi\w*|sympath\w*)\b/i, empathy],
  [/\b(?:greet\w*)\b/i, greeting],
  [/\b(?:introduc\w*|identif\w*|disclos\w* (?:its|who))\b/i, introduction],
  [/\b(?:clos(?:e|es|ing)|goodbye|farewell|thank\w*|wrap\w* up)\b/i, closing],
  [/\b(?:saf(?:e|ety)|priva\w*|harm\w*|complian\w*|legal|secur\w*|payment|forbidden|limits?)\b/i, safety],
  [/\b(?:accura\w*|fact\w*|hallucinat\w*|correct\w*|truth\w*|invent\w*|honest\w*)\b/i, accuracy],
  [/\b(?:tools?|actions?|functions?|transfer\w*|book\w*)\b/i, toolUse],
  [/\b(?:relevan\w*|on[- ]topic|subject|repeat\w*|repetit\w*|coheren\w*)\b/i, relevancy],
  [/\b(?:tasks?|goals?|complet\w*|resol\w*|outcome|objective|success\w*)\b/i, taskCompletion]
]

const unread = (criterion: string) => (): Finding =>
  maybe(
    `No rule reads this criterion${stemsOf(criterion).size === 0 ? ", which has no words" : ""}; a model as judge could.`
  )

/** The judge whose rules fit the words of a criterion best: the one that is named first. */
export const byKeywords = (criterion: string): ((given: Case) => Finding) => {
  let judge: (given: Case) => Finding = unread(criterion)
  let first = Number.POSITIVE_INFINITY
  for (const [words, rule] of rules) {
    const at = criterion.search(words)
    if (at !== -1 && at < first) {
      first = at
      judge = rule
    }
  }
  return (given) => (given.agent.length === 0 ? silent : judge(given))
}
