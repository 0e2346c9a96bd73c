import type { Play } from "../../../core/ports/AgentSimulator.ts"
import { farewell, secret } from "./Lexicon.ts"
import type { Persona } from "./PersonaReading.ts"
import { hash, pick } from "./Text.ts"

export interface Line {
  readonly text: string
  readonly hangs_up: boolean
}

const noSecrets = [
  "I would rather not give that on the phone.",
  "That is nothing that I tell over the phone.",
  "No, you will not get that from me."
]

/** What the persona says next: its temperament's opening, what it wants, its temperament's way to the end. */
export const personaLine = ({ lines, temperament }: Persona, play: Play): Line => {
  const { scenario, transcript } = play
  let spoke = 0
  let heard = ""
  for (const { role, text } of transcript) {
    if (role === "persona") spoke++
    else heard = text
  }
  const left = scenario.max_turns - transcript.length
  if (spoke > 0 && farewell.test(heard)) return { text: temperament.goodbye, hangs_up: true }
  if (left <= 1) return { text: temperament.goodbye, hangs_up: true }
  if (left <= 3 && spoke > 0) return { text: temperament.goodbye, hangs_up: false }
  if (secret.test(heard) && heard.includes("?")) return { text: pick(noSecrets, spoke), hangs_up: false }
  const { later, opening, patience } = temperament
  if (spoke < opening.length) return { text: opening[spoke]!, hangs_up: false }
  const wish = spoke - opening.length
  if (wish < lines.length) return { text: lines[wish]!, hangs_up: false }
  const rest = wish - lines.length
  if (spoke >= patience + lines.length)
    return { text: temperament.goodbye, hangs_up: spoke > patience + lines.length }
  return { text: later[rest] ?? pick(later, hash(play.key) + rest), hangs_up: false }
}
