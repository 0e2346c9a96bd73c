export type Params = Readonly<Record<string, string>>

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The parameters of a path of such a form (`/calls/:call_id`), or null when it is not of that form. */
export const match = (form: string, path: string): Params | null => {
  const wanted = form.split("/")
  const given = path.split("/")
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = Object.create(null)
  for (const [i, part] of wanted.entries()) {
    if (part.startsWith(":")) params[part.slice(1)] = decoded(given[i]!)
    else if (part !== given[i]) return null
  }
  return params
}
