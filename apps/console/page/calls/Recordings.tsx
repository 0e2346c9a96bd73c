import type { Recording } from "outdial/client"
import { Status } from "../components/Values.tsx"

/** The link's path on this server, whatever address the server knows itself by. */
const audioOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

export const Recordings = ({ recordings }: { readonly recordings: ReadonlyArray<Recording> }) =>
  recordings.length === 0 ? null : (
    <ul class="recordings">
      {recordings.map(({ id, status, url }) => (
        <li key={id}>
          {url === null ? (
            <Status value={status} />
          ) : (
            <audio controls preload="none" src={audioOf(url)} aria-label="Recording of the call" />
          )}
        </li>
      ))}
    </ul>
  )
