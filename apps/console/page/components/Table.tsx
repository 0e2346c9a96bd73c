import type { ComponentChildren } from "preact"
import { navigate } from "../router/Location.ts"

export interface Column<A> {
  readonly label: string
  readonly cell: (row: A) => ComponentChildren
  /** `acts`: what may be done with the row, whose heading is for screen readers alone. */
  readonly kind?: "number" | "wide" | "acts"
}

const isOnControl = (event: MouseEvent) =>
  event.target instanceof Element && event.target.closest("a, button, input, select, label") !== null

/**
 * Records in rows; on a narrow screen each row is a block of labelled values. A row with an address is one link: its
 * first cell for keyboards and screen readers, all of it for a pointer.
 */
export const Table = <A,>(props: {
  readonly caption: string
  readonly columns: ReadonlyArray<Column<A>>
  readonly rows: ReadonlyArray<A>
  readonly id: (row: A) => string
  readonly href?: (row: A) => string
  /** Whether the page shows more of this row. */
  readonly isCurrent?: (row: A) => boolean
}) => {
  const { href } = props
  return (
    <div class="table-frame">
      <table>
        <caption class="visually-hidden">{props.caption}</caption>
        <thead>
          <tr>
            {props.columns.map(({ kind, label }) => (
              <th key={label} scope="col" class={kind}>
                {kind === "acts" ? <span class="visually-hidden">{label}</span> : label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr
              key={props.id(row)}
              class={href === undefined ? undefined : "leads"}
              aria-current={props.isCurrent?.(row) === true ? "true" : undefined}
              onClick={(event) => {
                if (href !== undefined && !isOnControl(event) && getSelection()?.isCollapsed !== false) {
                  navigate(href(row))
                }
              }}
            >
              {props.columns.map(({ cell, kind, label }, i) => (
                <td key={label} class={kind} data-label={label}>
                  {i === 0 && href !== undefined ? <a href={href(row)}>{cell(row)}</a> : cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
