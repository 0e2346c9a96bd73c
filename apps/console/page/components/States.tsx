import { OutdialError } from "outdial/client"
import type { ComponentChildren } from "preact"
import type { Resource } from "../data/Resource.ts"

/** What is to be read in place of what is not there yet. */
export const Loading = ({ what }: { readonly what: string }) => (
  <div class="loading" role="status">
    <span class="visually-hidden">Loading {what}</span>
    {[0, 1, 2, 3].map((each) => (
      <span key={each} class="bone" aria-hidden="true" />
    ))}
  </div>
)

export const Empty = (props: {
  readonly title: string
  readonly children?: ComponentChildren
  readonly action?: ComponentChildren
}) => (
  <div class="empty">
    <p class="empty-title">{props.title}</p>
    {props.children !== undefined && <p>{props.children}</p>}
    {props.action}
  </div>
)

/** What a person can make of an error: the interface's own message, and by what its operator finds the request. */
export const messageOf = (error: unknown): string =>
  error instanceof OutdialError
    ? error.message
    : error instanceof Error
      ? error.message
      : "Something went wrong."

export const Failure = (props: {
  readonly error: unknown
  readonly what?: string
  readonly retry?: () => void
}) => (
  <div class="failure" role="alert">
    <p>
      {props.what !== undefined && <strong>{props.what} </strong>}
      {messageOf(props.error)}
    </p>
    {props.error instanceof OutdialError && props.error.requestId !== null && (
      <p class="hint">
        Request <code>{props.error.requestId}</code>
      </p>
    )}
    {props.retry !== undefined && (
      <button type="button" class="button" onClick={props.retry}>
        Try again
      </button>
    )}
  </div>
)

/** Shows what a resource holds, or that it is read, or why it could not be. */
export const Shown = <A,>(props: {
  readonly resource: Resource<A>
  readonly what: string
  readonly children: (data: A) => ComponentChildren
}) => {
  const { data, error, loading, reload } = props.resource
  if (data === null) {
    return error === null ? <Loading what={props.what} /> : <Failure error={error} retry={reload} />
  }
  return (
    <div aria-busy={loading}>
      {error !== null && <Failure error={error} retry={reload} />}
      {props.children(data)}
    </div>
  )
}
