/** `order=17` as the name and the value that records are found by; undefined for a text of another form. */
export const named = (text: string | null): Readonly<Record<string, string>> | undefined => {
  const [, name, value] = /^\s*([^=]+?)\s*=\s*(.*?)\s*$/.exec(text ?? "") ?? []
  return name === undefined || value === undefined ? undefined : { [name]: value }
}
