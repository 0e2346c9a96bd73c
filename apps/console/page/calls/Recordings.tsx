import type { Recording } from "outdial/client"
import { useEffect, useRef, useState } from "preact/hooks"
import { colourOf } from "../components/Colours.ts"
import { Status } from "../components/Values.tsx"

/** The link's path on this server, whatever address the server knows itself by. */
const audioOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** What is drawn without being asked for; a longer recording is read as it is played. */
const mostBytes = 6_000_000

const nonce = document.querySelector<HTMLMetaElement>('meta[name="outdial-style-nonce"]')?.content ?? ""

const draw = async (container: HTMLElement, media: HTMLMediaElement, url: string, cspNonce: string) => {
  const { default: WaveSurfer } = await import("wavesurfer.js")
  return WaveSurfer.create({
    container,
    media,
    url,
    cspNonce,
    height: 56,
    barWidth: 2,
    barGap: 1,
    barRadius: 1,
    normalize: true,
    waveColor: colourOf("--line-strong"),
    progressColor: colourOf("--accent"),
    cursorColor: colourOf("--accent")
  })
}

export interface Player {
  /** Plays from a moment of the conversation on. */
  readonly playFrom: (moment: string) => void
}

const Audio = ({
  onPlayer,
  recording,
  url
}: {
  readonly recording: Recording
  readonly url: string
  readonly onPlayer: (player: Player) => void
}) => {
  const audio = useRef<HTMLAudioElement>(null)
  const wave = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState(false)
  const { duration_seconds, id, size_bytes, started_at } = recording

  useEffect(() => {
    const media = audio.current!
    onPlayer({
      playFrom: (moment) => {
        const offset = (Date.parse(moment) - Date.parse(started_at)) / 1_000
        media.currentTime = Math.min(Math.max(0, offset), Math.max(0, duration_seconds - 1))
        void media.play()
      }
    })
    if (size_bytes === null || size_bytes > mostBytes) return
    let isLeft = false
    let leave = () => {}
    const drawing = draw(wave.current!, media, url, nonce)
    drawing.then(
      (surfer) => {
        leave = () => surfer.destroy()
        if (isLeft) return leave()
        surfer.on("ready", () => setDrawn(true))
      },
      () => {}
    )
    return () => {
      isLeft = true
      leave()
    }
    // The link of the same recording differs at each reading.
  }, [id])

  return (
    <div class="audio">
      <div ref={wave} class="waveform" data-drawn={drawn} aria-hidden="true" />
      <audio ref={audio} controls preload="none" src={url} aria-label="Recording of the call" />
    </div>
  )
}

export const Recordings = (props: {
  readonly recordings: ReadonlyArray<Recording>
  readonly onPlayer: (player: Player) => void
}) =>
  props.recordings.length === 0 ? null : (
    <ul class="recordings">
      {props.recordings.map((recording) => (
        <li key={recording.id}>
          {recording.url === null ? (
            <>
              Recording: <Status value={recording.status} />
            </>
          ) : (
            <Audio recording={recording} url={audioOf(recording.url)} onPlayer={props.onPlayer} />
          )}
        </li>
      ))}
    </ul>
  )
