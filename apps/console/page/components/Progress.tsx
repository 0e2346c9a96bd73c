import { count, share } from "../data/Format.ts"

/** How much of a whole is done, as a bar and in numbers. */
export const Progress = (props: {
  readonly label: string
  readonly part: number
  readonly whole: number
}) => (
  <div class="progress">
    <progress aria-label={props.label} max={Math.max(1, props.whole)} value={props.part} />
    <span class="second">
      {count(props.part)} of {count(props.whole)} ({share(props.part, props.whole)})
    </span>
  </div>
)
