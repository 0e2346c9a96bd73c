/** Samples a second of a recording. */
export const sampleRate = 8_000

const bytesPerSample = 2
const headerBytes = 44

export const framesOf = (duration_seconds: number): number => Math.round(sampleRate * duration_seconds)

/** The size of the whole file. */
export const sizeOf = (channels: number, duration_seconds: number): number =>
  headerBytes + bytesPerSample * channels * framesOf(duration_seconds)

/** The head of a file of linear 16-bit samples. Source: Microsoft and IBM, "Multimedia Programming Interface", RIFF WAVE. */
export const header = (channels: number, duration_seconds: number): Uint8Array => {
  const bytes = new Uint8Array(headerBytes)
  const view = new DataView(bytes.buffer)
  const text = (at: number, letters: string) => {
    for (let i = 0; i < letters.length; i++) bytes[at + i] = letters.charCodeAt(i)
  }
  const size = sizeOf(channels, duration_seconds)
  text(0, "RIFF")
  view.setUint32(4, size - 8, true)
  text(8, "WAVEfmt ")
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, channels, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * channels * bytesPerSample, true)
  view.setUint16(32, channels * bytesPerSample, true)
  view.setUint16(34, 8 * bytesPerSample, true)
  text(36, "data")
  view.setUint32(40, size - headerBytes, true)
  return bytes
}

/** Frames as bytes; `sampleAt` answers from -1 to 1. */
export const samples = (
  channels: number,
  from: number,
  until: number,
  sampleAt: (frame: number, channel: number) => number
): Uint8Array => {
  const bytes = new Uint8Array(bytesPerSample * channels * (until - from))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (let frame = from; frame < until; frame++) {
    for (let channel = 0; channel < channels; channel++, at += bytesPerSample) {
      view.setInt16(at, Math.round(32_767 * sampleAt(frame, channel)), true)
    }
  }
  return bytes
}
