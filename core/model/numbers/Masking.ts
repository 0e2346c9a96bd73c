/** All but the last four digits masked, the leading + kept: `+*******0123`. */
export const maskNumber = (number: string): string => {
  const digits = number.startsWith("+") ? number.slice(1) : number
  const masked = "*".repeat(Math.max(0, digits.length - 4)) + digits.slice(-4)
  return number.startsWith("+") ? `+${masked}` : masked
}
