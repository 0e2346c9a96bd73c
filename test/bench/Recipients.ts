/** A table of so many recipients with two variables, their numbers in no order. */
export const recipients = (rows: number): ReadonlyArray<ReadonlyArray<string>> => [
  ["phone", "name", "order"],
  ...Array.from({ length: rows }, (_, i) => {
    const n = (i * 7_919) % rows
    return [
      `+1${200_000 + Math.floor(n / 9_000)}${1_000 + (n % 9_000)}`,
      `Ada ${i % 977}`,
      String(10_000 + i)
    ]
  })
]
