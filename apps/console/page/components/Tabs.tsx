import { place, to } from "../router/Location.ts"

/** The pages of one subject, each with its address. */
export const Tabs = (props: {
  readonly label: string
  readonly tabs: ReadonlyArray<readonly [path: string, name: string]>
}) => (
  <nav class="tabs" aria-label={props.label}>
    <ul>
      {props.tabs.map(([path, name]) => (
        <li key={path}>
          <a href={to(path)} aria-current={place.value.path === path ? "page" : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)
