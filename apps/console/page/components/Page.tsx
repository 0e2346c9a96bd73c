import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"

/** A page: its title, which is also the tab's and takes the focus when the page is first shown, and what one may do. */
export const Page = (props: {
  readonly title: string
  readonly aside?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${props.title} · Outdial`
  }, [props.title])
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <>
      <header class="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {props.title}
        </h1>
        {props.aside}
        {props.actions !== undefined && <div class="actions">{props.actions}</div>}
      </header>
      {props.children}
    </>
  )
}

export const Section = (props: {
  readonly title: string
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}) => (
  <section class="section">
    <header class="section-head">
      <h2>{props.title}</h2>
      {props.aside}
    </header>
    {props.children}
  </section>
)
