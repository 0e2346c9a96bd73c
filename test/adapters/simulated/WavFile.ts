/** A WAV file's samples, by channel, from -1 to 1. */
export interface Wav {
  readonly channels: number
  readonly sampleRate: number
  readonly bits: number
  readonly seconds: number
  readonly samples: ReadonlyArray<Float64Array>
}

/**
 * Reads a WAV file of linear samples as strict players do: chunk by chunk, whatever their order, every length told
 * twice being the same both times. Source: Microsoft and IBM, "Multimedia Programming Interface", chapter 3.
 */
export const decode = (bytes: Uint8Array): Wav => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const four = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))
  const must = (is: boolean, what: string) => {
    if (!is) throw new Error(`not a WAV file: ${what}`)
  }
  must(bytes.length >= 12 && four(0) === "RIFF" && four(8) === "WAVE", "its head")
  must(view.getUint32(4, true) === bytes.length - 8, "its length")
  const chunks = new Map<string, DataView>()
  for (let at = 12; at < bytes.length;) {
    const size = view.getUint32(at + 4, true)
    must(at + 8 + size <= bytes.length, "a chunk beyond its end")
    chunks.set(four(at), new DataView(bytes.buffer, bytes.byteOffset + at + 8, size))
    at += 8 + size + (size % 2)
  }
  const format = chunks.get("fmt ")
  const data = chunks.get("data")
  if (format === undefined || data === undefined) throw new Error("not a WAV file: a chunk is missing")
  const channels = format.getUint16(2, true)
  const sampleRate = format.getUint32(4, true)
  const block = format.getUint16(12, true)
  const bits = format.getUint16(14, true)
  must(format.getUint16(0, true) === 1 && bits === 16, "its samples are not linear of 16 bits")
  must(block === (channels * bits) / 8 && format.getUint32(8, true) === block * sampleRate, "its rates")
  must(data.byteLength % block === 0, "a half frame")
  const frames = data.byteLength / block
  const samples = Array.from({ length: channels }, (_, channel) =>
    Float64Array.from({ length: frames }, (_, i) => data.getInt16(i * block + 2 * channel, true) / 32_768)
  )
  return { channels, sampleRate, bits, seconds: frames / sampleRate, samples }
}

/** How much of a tone is in samples. Source: Goertzel, 1958. */
export const power = (samples: Float64Array, hertz: number, sampleRate: number): number => {
  const factor = 2 * Math.cos((2 * Math.PI * hertz) / sampleRate)
  let before = 0
  let last = 0
  for (const sample of samples) {
    const next = sample + factor * last - before
    before = last
    last = next
  }
  return (last * last + before * before - factor * last * before) / samples.length
}
