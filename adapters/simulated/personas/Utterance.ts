import { type Intent, intentOf } from "./Intents.ts"
import { meantBy } from "./Limits.ts"
import { isAbout, stemsOf } from "./Text.ts"

/** What an utterance says, each thing worked out when it is first wanted. */
export class Utterance {
  readonly text: string
  #intent: Intent | undefined
  #stems: ReadonlySet<string> | undefined
  #meant: ReadonlySet<string> | undefined

  constructor(text: string) {
    this.text = text
  }

  get intent(): Intent {
    return (this.#intent ??= intentOf(this.text))
  }

  get stems(): ReadonlySet<string> {
    return (this.#stems ??= stemsOf(this.text))
  }

  /** Its stems as limits compare them. */
  get meant(): ReadonlySet<string> {
    return (this.#meant ??= meantBy(this.text))
  }

  isAbout(stems: ReadonlySet<string>): boolean {
    return isAbout(this.stems, stems)
  }
}

const most = 5_000
const longest = 500

/** The short utterances that were heard last: people say the same things again and again. */
export class UtteranceCache {
  readonly #utterances = new Map<string, Utterance>()

  read(text: string): Utterance {
    const known = this.#utterances.get(text)
    if (known !== undefined) return known
    const utterance = new Utterance(text)
    if (text.length > longest) return utterance
    if (this.#utterances.size >= most) this.#utterances.clear()
    this.#utterances.set(text, utterance)
    return utterance
  }
}
