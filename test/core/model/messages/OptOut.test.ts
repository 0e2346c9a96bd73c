import { assert, describe, it } from "@effect/vitest"
import { isOptOut } from "../../../../core/model/messages/OptOut.ts"

describe("a message that opts out", () => {
  it.each([
    "stop",
    "STOP",
    " Stop. ",
    "„Stopp!“",
    "Please stop",
    "stop, please!",
    "Opt-out",
    "Don’t call me",
    "Arrêt",
    "ARRE\u0302T",
    "Baja",
    "СТОП",
    "停止",
    "退订。",
    "रोको",
    "ＳＴＯＰ",
    "🛑 stop 🛑"
  ])("is %s", (text) => assert.isTrue(isOptOut(text)))

  it.each([
    "",
    "please",
    "Can you stop by on Friday?",
    "Don't stop",
    "stop the line of questions and call me",
    "Cancel",
    "The bus stop",
    "Yes",
    `stop${" stop".repeat(10_000)}`
  ])("is not %s", (text) => assert.isFalse(isOptOut(text)))
})
