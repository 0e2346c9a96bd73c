/** Has the browser save a text as a file. */
export const download = (name: string, type: string, parts: ReadonlyArray<BlobPart>): void => {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
