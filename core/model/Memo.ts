/**
 * Remembers what a pure function answered. After `most` different arguments it begins anew, so that it never
 * holds more than that.
 */
export const memo = <Key, Value>(most: number, make: (key: Key) => Value): ((key: Key) => Value) => {
  const known = new Map<Key, Value>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const made = make(key)
    if (known.size >= most) known.clear()
    known.set(key, made)
    return made
  }
}
