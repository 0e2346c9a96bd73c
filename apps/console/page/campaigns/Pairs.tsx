const textOf = (value: unknown): string =>
  value === null ? "–" : typeof value === "string" ? value : JSON.stringify(value)

/** Names and values of a JSON object, as text; a dash where there are none. */
export const Pairs = ({
  of,
  most
}: {
  readonly of: Readonly<Record<string, unknown>>
  readonly most?: number
}) => {
  const all = Object.entries(of)
  if (all.length === 0) return <span class="none">–</span>
  const shown = all.slice(0, most)
  return (
    <ul class="pairs">
      {shown.map(([name, value]) => (
        <li key={name}>
          <span class="hint">{name}</span> {textOf(value)}
        </li>
      ))}
      {shown.length < all.length && <li class="hint">and {all.length - shown.length} more</li>}
    </ul>
  )
}
