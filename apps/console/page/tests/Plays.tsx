import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { place, to } from "../router/Location.ts"

/** The address of a play of a scenario, on the page that is shown. */
export const playAddress = (scenario: string, play: number): string => {
  const { path, query } = place.value
  return to(path, { ...Object.fromEntries(query), scenario, play: play + 1 })
}

/** What is read of a scenario beside the matrix; it takes the focus when another scenario is chosen. */
export const Plays = (props: {
  readonly label: string
  readonly count: number
  /** Which of the plays is shown, from 0. */
  readonly play: number
  readonly children: ComponentChildren
}) => {
  const { count, label, play } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef(label)
  useEffect(() => {
    if (before.current !== label) heading.current?.focus()
    before.current = label
  }, [label])
  return (
    <section class="card stack" aria-labelledby="scenario">
      <h2 id="scenario" ref={heading} tabIndex={-1}>
        {label}
      </h2>
      {count > 1 && (
        <nav class="choices" aria-label="Plays of the scenario">
          {Array.from({ length: count }, (_, i) => (
            <a key={i} href={playAddress(label, i)} aria-current={i === play ? "true" : undefined}>
              {i + 1}
            </a>
          ))}
        </nav>
      )}
      {props.children}
    </section>
  )
}
