import type { AgentDraft } from "../agents/Agent.ts"
import { render, type Variable } from "../agents/Prompt.ts"
import { type CallConfig, idleTimeouts } from "../calls/CallConfig.ts"
import { backchannelsOf } from "./Backchannel.ts"
import type { Lines, Settings } from "./Conversation.ts"
import type { LineCapabilities } from "./Speech.ts"

const common: Readonly<Record<string, Lines>> = {
  en: {
    nudge: ["Are you still there?", "Hello? Can you hear me?", "I cannot hear you. Are you there?"],
    filler: ["One moment.", "Just a second.", "Let me see."],
    closing: "Thank you for your time. Goodbye.",
    apology: "I am sorry, I have a problem on my side. Goodbye.",
    resumed: "Sorry, I lost you for a moment."
  },
  de: {
    nudge: ["Sind Sie noch da?", "Hallo? Können Sie mich hören?", "Ich höre Sie nicht. Sind Sie da?"],
    filler: ["Einen Moment.", "Augenblick bitte.", "Ich sehe nach."],
    closing: "Vielen Dank für Ihre Zeit. Auf Wiederhören.",
    apology: "Es tut mir leid, ich habe hier ein Problem. Auf Wiederhören.",
    resumed: "Entschuldigung, Sie waren kurz weg."
  },
  es: {
    nudge: ["¿Sigue ahí?", "¿Hola? ¿Me oye?", "No le oigo. ¿Está ahí?"],
    filler: ["Un momento.", "Un segundo, por favor.", "Voy a mirar."],
    closing: "Gracias por su tiempo. Adiós.",
    apology: "Lo siento, tengo un problema. Adiós.",
    resumed: "Perdone, le he perdido un momento."
  },
  fr: {
    nudge: ["Vous êtes toujours là ?", "Allô ? Vous m'entendez ?", "Je ne vous entends pas. Êtes-vous là ?"],
    filler: ["Un instant.", "Une seconde, s'il vous plaît.", "Je regarde."],
    closing: "Merci pour votre temps. Au revoir.",
    apology: "Je suis désolé, j'ai un problème de mon côté. Au revoir.",
    resumed: "Pardon, je vous ai perdu un instant."
  },
  it: {
    nudge: ["È ancora lì?", "Pronto? Mi sente?", "Non la sento. È lì?"],
    filler: ["Un momento.", "Un attimo, per favore.", "Controllo."],
    closing: "Grazie per il suo tempo. Arrivederci.",
    apology: "Mi dispiace, ho un problema. Arrivederci.",
    resumed: "Scusi, l'ho persa per un momento."
  },
  pt: {
    nudge: ["Ainda está aí?", "Alô? Está me ouvindo?", "Não consigo ouvir. Está aí?"],
    filler: ["Um momento.", "Só um segundo, por favor.", "Vou verificar."],
    closing: "Obrigado pelo seu tempo. Até logo.",
    apology: "Desculpe, estou com um problema. Até logo.",
    resumed: "Desculpe, perdi a ligação por um momento."
  }
}

/** The lines of a language (a tag such as `de-AT`), or English ones. */
export const linesOf = (language: string): Lines =>
  common[language.toLowerCase().split("-")[0]!] ?? common["en"]!

/** What a conversation of an agent goes by. The call's own configuration goes before the agent's. */
export const settingsOf = (
  agent: AgentDraft,
  config: CallConfig,
  variables: ReadonlyMap<string, Variable>,
  line: LineCapabilities
): Settings => {
  const lines = linesOf(agent.language)
  return {
    first_message: render(agent.first_message, variables).trim(),
    ...idleTimeouts(config, agent),
    max_call_length: config.max_call_length ?? agent.max_call_length,
    interruptible: agent.interruptible,
    backchannels: agent.backchannels?.map((word) => word.toLowerCase()) ?? backchannelsOf(agent.language),
    lines: agent.nudge.length === 0 ? lines : { ...lines, nudge: agent.nudge },
    voicemail: { ...agent.voicemail, message: render(agent.voicemail.message, variables) },
    transfers: agent.transfers.map(({ to_number }) => to_number),
    line
  }
}
