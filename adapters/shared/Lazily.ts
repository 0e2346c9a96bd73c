/** What is made at its first use, and kept. */
export const lazily = <A extends object>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => (made ??= make())
}
