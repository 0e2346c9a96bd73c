/** A colour of the scheme that is shown, by its variable, which a canvas cannot name. */
export const colourOf = (variable: string): string => {
  const probe = document.createElement("span")
  probe.style.color = `var(${variable})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
