/** Mobile numbers that WhatsApp knows in another spelling than the telephone network, each rule there and back. */
const rules: ReadonlyArray<readonly [RegExp, string]> = [
  [/^52(\d{10})$/, "521$1"],
  [/^521(\d{10})$/, "52$1"],
  [/^54([1-8]\d{9})$/, "549$1"],
  [/^549(\d{10})$/, "54$1"],
  [/^55(\d{2})([6-9]\d{7})$/, "55$19$2"],
  [/^55(\d{2})9([6-9]\d{7})$/, "55$1$2"]
]

/**
 * The E.164 numbers that the digits of a WhatsApp account may stand for: of Mexico and Argentina with the digit of
 * mobile numbers and without, of Brazil with the ninth digit and without.
 */
export const numbersOf = (digits: string): ReadonlyArray<string> =>
  [
    digits,
    ...rules.filter(([form]) => form.test(digits)).map(([form, other]) => digits.replace(form, other))
  ].map((each) => `+${each}`)
